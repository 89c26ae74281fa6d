"""Node counts as a study is told them: a number or a list, thinned for a small run."""

from __future__ import annotations

from typing import Any

from celm.base.validation import check_integer


def node_counts(value: Any, key: str) -> list[int]:
    """Ascending node counts from a whole number or a list of them; ``key`` is named in errors."""
    counts = list(value) if isinstance(value, (list, tuple)) else [value]
    for count in counts:
        check_integer(count, key, "config", 1)
    if not counts:
        raise ValueError(f"config: {key} must hold at least one node count; got an empty list.")
    return sorted(set(counts))


def thinned(counts: list[int], at_most: int | None, largest: int | None = None) -> list[int]:
    """At most that many of ``counts``, spread evenly, the largest kept; none above ``largest``, which caps them."""
    if largest is not None:
        counts = sorted({min(count, largest) for count in counts})
    if at_most is None or len(counts) <= at_most:
        return counts
    return [counts[(i + 1) * len(counts) // at_most - 1] for i in range(at_most)]
