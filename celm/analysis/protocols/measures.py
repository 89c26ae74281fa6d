"""What a protocol looks like beside the paper: bias, RMS, gap, cells inside, and what chance would reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from celm.analysis.intervals import PAPER_ROUNDS, PRINTED_STEP, published_error
from celm.analysis.protocols.identification import SEED, Cutoffs, Identified, calibrated, identify, ranks
from celm.analysis.protocols.likelihood import CORRELATIONS, judged
from celm.analysis.protocols.panel import Panel
from celm.analysis.protocols.simulation import RANDOM_WITHIN
from celm.base.names import CELMS
from celm.base.seeds import generator

Array = npt.NDArray[np.float64]

_CHANCE_PAPERS = 2000


@dataclass(frozen=True)
class ProtocolFit:
    """One protocol beside the published numbers; accuracies are shares, differences ours − paper.

    Attributes
    ----------
    bias, rms : mean and root mean square of (ours − paper) over the cells.
    gap, paper_gap : lead of the CELMs over ELM, averaged over data sets, ours and the paper's.
    inside, cells : published numbers inside the prediction interval (both errors), and how many there are.
    log_likelihood, log_likelihood_none : joint, with our correlation between models and with none.
    chance : cells that would lie inside if the published numbers were random within ±3 points of this protocol's.
    chance_p : probability that such random numbers reach ``inside`` or more.
    kept : whether the published numbers cannot be told from this protocol's.
    ranks, ranks_without : by data set, its rank there and its rank over the others when that one is left out.
    """

    name: str
    bias: float
    rms: float
    gap: float
    paper_gap: float
    inside: int
    cells: int
    log_likelihood: float
    log_likelihood_none: float
    chance: float
    chance_p: float
    kept: bool
    ranks: dict[str, int]
    ranks_without: dict[str, int]


def half_widths(panel: Panel, level: float = 0.95) -> list[Array]:
    """Half of the prediction interval of every cell, protocol × model for each data set, printing included."""
    widths = []
    for one in panel.sets:
        known = judged(one)
        quantile = float(stats.t.ppf(0.5 + level / 2, known.rounds - 1))
        spread = np.sqrt(known.variance * published_error(known.rounds, PAPER_ROUNDS))
        widths.append(quantile * spread + PRINTED_STEP / 2)
    return widths


def lead_of_celms(values: Array, models: tuple[str, ...]) -> Array:
    """Mean of the CELMs minus ELM along the last axis, which has ``models``."""
    celms = [place for place, name in enumerate(models) if name in CELMS]
    if not celms or "elm" not in models:
        raise ValueError(f"lead_of_celms: needs elm and a CELM ({', '.join(CELMS)}); got {', '.join(models)}.")
    return values[..., celms].mean(axis=-1) - values[..., models.index("elm")]


class Distances(NamedTuple):
    """Of every protocol: bias, RMS and gap; the paper's gap is the last."""

    bias: Array
    rms: Array
    gap: Array
    paper_gap: float


def distances(panel: Panel) -> Distances:
    """How far every protocol's means lie from the published numbers."""
    return distances_of([(judged(one).mean, one.published, one.models) for one in panel.sets])


def distances_of(sets: Sequence[tuple[Array, Array, tuple[str, ...]]]) -> Distances:
    """The same from means (protocol × model), published numbers and models of every data set."""
    differences = np.concatenate([mean - published for mean, published, _ in sets], axis=1)
    gaps = np.mean([lead_of_celms(mean, models) for mean, _, models in sets], axis=0)
    paper = float(np.mean([lead_of_celms(published, models) for _, published, models in sets]))
    return Distances(differences.mean(axis=1), np.sqrt((differences**2).mean(axis=1)), gaps, paper)


def cells_inside(panel: Panel) -> npt.NDArray[np.int_]:
    """Published numbers inside each protocol's prediction intervals."""
    pairs = zip(panel.sets, half_widths(panel), strict=True)
    inside = [np.abs(judged(one).mean - one.published) <= width for one, width in pairs]
    return np.concatenate(inside, axis=1).sum(axis=1)


def chance_inside(panel: Panel, papers: int = _CHANCE_PAPERS, seed: int = SEED) -> npt.NDArray[np.int_]:
    """Cells inside for papers of random numbers within ±3 points of the protocol's means: paper × protocol."""
    return chance_within(np.concatenate(half_widths(panel), axis=1), papers, seed)


def chance_within(widths: Array, papers: int = _CHANCE_PAPERS, seed: int = SEED) -> npt.NDArray[np.int_]:
    """The same for intervals of half ``widths``, protocol × cell."""
    rng = generator(seed, "chance")
    noise = rng.uniform(-RANDOM_WITHIN, RANDOM_WITHIN, (papers, 1, widths.shape[1]))
    return (np.abs(noise) <= widths).sum(axis=2)


class Chance(NamedTuple):
    """Where bias (±) and RMS of papers of random numbers lie in 95 %, whatever the protocol."""

    bias: float
    rms_low: float
    rms_high: float


def chance_region(cells: int, papers: int = _CHANCE_PAPERS, seed: int = SEED) -> Chance:
    """Bias and RMS of random numbers within ±3 points of a protocol's ``cells`` means."""
    noise = generator(seed, "chance region").uniform(-RANDOM_WITHIN, RANDOM_WITHIN, (papers, cells))
    bias, rms = np.abs(noise.mean(axis=1)), np.sqrt((noise**2).mean(axis=1))
    low, high = np.quantile(rms, [0.025, 0.975])
    return Chance(float(np.quantile(bias, 0.95)), float(low), float(high))


class ProtocolFindings(NamedTuple):
    """All protocols, best first, and what they say together, with our correlation and with none."""

    fits: tuple[ProtocolFit, ...]
    identified: dict[str, Identified]
    cutoffs: dict[str, Cutoffs]


def protocol_findings(panel: Panel, papers: int = 200, seed: int = SEED) -> ProtocolFindings:
    """Every protocol measured, and the ones that could have written the paper.

    Parameters
    ----------
    panel : Panel
    papers : int
        Simulated papers per protocol behind the cutoffs.
    """
    cutoffs = {name: calibrated(panel, papers, correlation=name, seed=seed) for name in CORRELATIONS}
    found = {name: identify(panel, cutoffs[name], name) for name in CORRELATIONS}
    fits = protocol_fits(
        panel.protocols,
        [one.dataset for one in panel.sets],
        found,
        Beside(distances(panel), cells_inside(panel), chance_inside(panel, seed=seed), panel.cells),
    )
    return ProtocolFindings(fits, found, cutoffs)


class Beside(NamedTuple):
    """Protocols beside the published numbers: distances, cells inside (the paper's, random papers'), all cells."""

    away: Distances
    inside: npt.NDArray[np.int_]
    chance: npt.NDArray[np.int_]
    cells: int


def protocol_fits(
    names: Sequence[str], datasets: Sequence[str], found: Mapping[str, Identified], beside: Beside
) -> tuple[ProtocolFit, ...]:
    """All that is said of each protocol, the most probable first."""
    ours, away = found["ours"], beside.away
    single, others = ranks(ours.by_set)
    fits = [
        ProtocolFit(
            name=name,
            bias=float(away.bias[p]),
            rms=float(away.rms[p]),
            gap=float(away.gap[p]),
            paper_gap=away.paper_gap,
            inside=int(beside.inside[p]),
            cells=beside.cells,
            log_likelihood=float(ours.log_likelihood[p]),
            log_likelihood_none=float(found["none"].log_likelihood[p]),
            chance=float(beside.chance[:, p].mean()),
            chance_p=float((beside.chance[:, p] >= beside.inside[p]).mean()),
            kept=name in ours.indistinguishable,
            ranks=dict(zip(datasets, map(int, single[p]), strict=True)),
            ranks_without=dict(zip(datasets, map(int, others[p]), strict=True)),
        )
        for p, name in enumerate(names)
    ]
    return tuple(sorted(fits, key=lambda fit: -fit.log_likelihood))


def document(findings: ProtocolFindings) -> dict[str, Any]:
    """The findings as plain data, as verdict.json has them: protocols, most_probable, nearest, indistinguishable."""
    ours, none = (findings.identified[name] for name in CORRELATIONS)
    return {
        "protocols": [asdict(fit) for fit in findings.fits],
        "most_probable": ours.most_probable,
        "nearest": ours.nearest,
        "fails_on": list(ours.fails_on),
        "indistinguishable": list(ours.indistinguishable),
        "without_correlation": {
            "most_probable": none.most_probable,
            "nearest": none.nearest,
            "fails_on": list(none.fails_on),
            "indistinguishable": list(none.indistinguishable),
        },
    }
