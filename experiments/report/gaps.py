"""How the lead of the CELMs over ELM moves with the protocol of Table I: with its scaling, and with all else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from celm.analysis.protocols.crossed import protocol_name

# The scaling under which claims are judged, which the paper states.
DEFAULT_SCALING = "per_feature"
# Selection and weights "hardly" move a gap if scaling moves it this many times as far.
HARDLY = 5


class Gaps(NamedTuple):
    """CELMs − ELM in points, ours and the paper's.

    by_scaling: scaling -> the smallest and the largest gap over selections and weights, the widest gap first.
    """

    by_scaling: dict[str, tuple[float, float]]
    paper: float
    protocols: int

    def within(self) -> float:
        """The most that selection and weights move the gap under one scaling."""
        return max(high - low for low, high in self.by_scaling.values())

    def across(self) -> float:
        """How far scaling moves it, from middle to middle."""
        middles = [(low + high) / 2 for low, high in self.by_scaling.values()]
        return max(middles) - min(middles)


def gaps_of(gaps: Iterable[tuple[str, float]], paper: float) -> Gaps:
    """Gaps of whole protocols (``scaling/selection/weights``), as shares, by their scaling."""
    known: dict[str, list[float]] = {}
    for name, gap in gaps:
        known.setdefault(protocol_name(name).scaling, []).append(100 * gap)
    spans = {scaling: (min(values), max(values)) for scaling, values in known.items()}
    ordered = dict(sorted(spans.items(), key=lambda pair: -pair[1][1]))
    return Gaps(ordered, 100 * paper, sum(map(len, known.values())))


def _points(value: float) -> str:
    return f"{round(value, 1) + 0.0:+.1f}"


def _span(gaps: Gaps, scaling: str) -> str:
    low, high = map(_points, gaps.by_scaling[scaling])
    return low if low == high else f"{low} to {high}"


def gaps_text(gaps: Gaps) -> str:
    """What moves the gap, in two sentences."""
    scalings, most = list(gaps.by_scaling), f"{gaps.within():.1f} points"
    lead = "the lead of the CELMs over ELM"
    little = HARDLY * gaps.within() <= gaps.across()
    moved = f"hardly move {lead} (by at most {most})" if little else f"move {lead} by up to {most}"
    ends = ", ".join(f"{_span(gaps, one)} under {one}" for one in dict.fromkeys((scalings[-1], scalings[0])))
    default = ""
    if DEFAULT_SCALING in gaps.by_scaling:
        default = (
            " The claims on Table I are judged under the default scaling, standardised features, which the paper "
            f"states: {_span(gaps, DEFAULT_SCALING)} there."
        )
    return (
        f"Over {gaps.protocols} protocols of Table I, selection and weights {moved}; scaling moves it by up to "
        f"{gaps.across():.1f} points: {ends}, where the paper has {_points(gaps.paper)}.{default}"
    )


def gaps_listed(gaps: Gaps) -> str:
    """``raw +7.1 to +7.5, per_feature +2.7 to +2.8``: every scaling."""
    return ", ".join(f"{scaling} {_span(gaps, scaling)}" for scaling in gaps.by_scaling)
