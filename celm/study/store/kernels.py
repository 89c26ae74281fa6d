"""Whether two versions of cells differ as another processor's sums do, or as they must not: which, how many, how much.

OpenBLAS has kernels for each kind of processor, which add in another order. Nearly all records are the same to the last
digit under all of them. What is known to move, and how far it was seen to, stands in :data:`KINDS`. Under the same
kernels two makes of processors were seen to differ in the last digits of R² and in nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from celm.study.store.compare import Difference
from celm.study.store.documents import Document, rows_of


class Kind(NamedTuple):
    """Records that other kernels move alike: at most this share of a model's, by at most this much of accuracy."""

    name: str
    why: str
    share: float
    size: float


ORDINARY = Kind("ordinary", "a tie between two λ, or a test row on the boundary", 0.02, 0.01)
SIGNS = Kind("orthogonal", "the sign of a singular vector is free, and LAPACK's choice rounds", 0.35, 0.04)
NEAR_CUTOFF = Kind("numpy cutoff", "a direction just above the cutoff is hardly more than rounding error", 0.75, 0.05)
UNREGULARISED = Kind("no cutoff", "directions of rounding error alone are inverted", 1.0, 0.5)
PLANE = Kind("plane", "t-SNE amplifies rounding", 1.0, 0.1)
# Real numbers that are no shares of rows (R², a condition, a spread) move in their last digits under other kernels and
# on other processors; by this much of their size, where 2e-5 was seen.
LAST_DIGITS = 1e-4
KINDS = (ORDINARY, SIGNS, NEAR_CUTOFF, UNREGULARISED, PLANE)


def kind_of(row: Mapping[str, Any]) -> Kind:
    """How a record is expected to move under other kernels."""
    if row.get("perplexity") is not None:
        return PLANE
    if row.get("penalty") == "none" and row.get("cutoff") == "none":
        return UNREGULARISED
    if row.get("penalty") == "none" and row.get("cutoff") == "numpy":
        return NEAR_CUTOFF
    free = row.get("orthogonal_signs") in (None, "", "lapack")
    return SIGNS if free and str(row.get("model", "")).startswith(("orthogonal", "ml_elm")) else ORDINARY


def kernels_of(provenance: Mapping[str, Any]) -> str:
    """``Haswell``: the kernels of the BLAS libraries that a cell was run with, ``unknown`` where none is named."""
    libraries = provenance.get("blas") or ["unknown"]
    return " ".join(sorted({str(library).split(" ")[-1] for library in libraries}))


def same_kernels(first: Document, second: Document) -> bool:
    """Whether two versions of a cell were run by the same kernels, as far as both say."""
    names = {kernels_of(document.get("provenance") or {}) for document in (first, second)}
    return len(names - {"unknown"}) < 2


def processor_of(provenance: Mapping[str, Any]) -> str:
    """``Haswell kernels on an AMD EPYC``: what a cell was computed by."""
    return f"{kernels_of(provenance)} kernels on {provenance.get('cpu') or 'an unknown processor'}"


def same_processor(first: Document, second: Document) -> bool:
    """Whether two versions of a cell were run by processors of one name, as far as both say."""
    return len({(document.get("provenance") or {}).get("cpu") for document in (first, second)} - {None}) < 2


class Comparison(NamedTuple):
    """What two versions of cells come to: ``failures`` is empty when they are the same as far as they can be.

    processors: here, and where the other version was made. moved: differences between them that are expected.
    failures: one sentence per thing that must not be.
    """

    n_records: int
    differences: list[Difference]
    processors: tuple[str, str]
    moved: list[str]
    failures: list[str]

    def told(self) -> str:
        """One sentence: how many records are equal, and what the others are."""
        equal = f"{self.n_records - len(self.differences)} of {self.n_records} records are equal to the last digit"
        if self.failures:
            return f"{equal}; {'; '.join(self.failures)}"
        if not self.moved:
            return equal
        ours, theirs = self.processors
        return (
            f"{equal}; the others differ as {ours} (here) do from {theirs} (published), within what is expected: "
            f"{'; '.join(self.moved)}"
        )


def judged(
    ours: Mapping[str, Document], theirs: Mapping[str, Document], differences: Collection[Difference]
) -> Comparison:
    """Tell differences of kernels and processors from failures, model by model."""
    common = sorted(ours.keys() & theirs.keys())
    alike = {key for key in common if same_kernels(ours[key], theirs[key])}
    twins = {key for key in alike if same_processor(ours[key], theirs[key])}
    rows = [(kind_of(row), str(row.get("model"))) for key in common if key not in alike for row in rows_of(ours[key])]
    totals = Counter(rows)
    moved: list[str] = []
    rounded: list[Difference] = []
    further: list[Difference] = []
    unexplained: list[Difference] = []
    for one in differences:
        if one.key not in twins and in_last_digits(one):
            rounded.append(one)
        else:
            (unexplained if one.key in alike else further).append(one)
    failures = _same_kernel_failures(unexplained)
    if rounded:
        columns = sorted({column for one in rounded for column in one.columns})
        moved.append(f"{len(rounded)} in the last digits of {', '.join(columns)}")
    for group, found in _grouped(further).items():
        sentence, expected = _told(group, found, totals[group])
        (moved if expected else failures).append(sentence)
    n_records = sum(len(ours[key]["records"]) for key in common)
    return Comparison(n_records, list(differences), (_named(ours, common), _named(theirs, common)), moved, failures)


def _named(documents: Mapping[str, Document], keys: Collection[str]) -> str:
    """What these cells were computed by, joined by commas."""
    return ", ".join(sorted({processor_of(documents[key].get("provenance") or {}) for key in keys})) or "unknown"


def _same_kernel_failures(differences: Collection[Difference]) -> list[str]:
    if not differences:
        return []
    return [f"{len(differences)} differ under the same kernels, which is a failure"]


def _grouped(differences: Collection[Difference]) -> dict[tuple[Kind, str], list[Difference]]:
    groups: dict[tuple[Kind, str], list[Difference]] = {}
    for found in differences:
        groups.setdefault((kind_of({**found.theirs, **found.ours}), str(found.ours.get("model"))), []).append(found)
    return groups


def in_last_digits(found: Difference) -> bool:
    """Whether two records differ in nothing but the last digits of real numbers; an accuracy counts rows."""
    return all(
        not column.endswith("accuracy") and _close(found.ours.get(column), found.theirs.get(column))
        for column in found.columns
    )


def _close(first: Any, second: Any) -> bool:
    """Whether two values are real numbers that differ by rounding alone."""
    if not isinstance(first, float) or not isinstance(second, float):
        return False
    return abs(first - second) <= LAST_DIGITS * max(abs(first), abs(second))


def size_of(found: Difference) -> float:
    """How far apart two records are in accuracy or R²; infinite where one of them is missing."""
    if not found.theirs:
        return float("inf")
    pairs = [(found.ours.get(column), found.theirs.get(column)) for column in ("accuracy", "cv_accuracy", "r2")]
    return max((abs(a - b) for a, b in pairs if a is not None and b is not None), default=float("inf"))


def _told(group: tuple[Kind, str], found: list[Difference], total: int) -> tuple[str, bool]:
    """What moved in one model, and whether that is expected of other kernels."""
    kind, model = group
    largest, allowed = max(map(size_of, found)), max(1, int(kind.share * total))
    sentence = f"{model} {len(found)} of {total} by up to {100 * largest:.2f} points"
    if len(found) <= allowed and largest <= kind.size:
        return f"{sentence} ({kind.why})", True
    return f"{sentence}, where other kernels explain {allowed} by up to {100 * kind.size:.0f}", False
