"""Which protocols could have written the paper? Cutoffs calibrated by simulated papers, and what the list answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from celm.analysis.protocols.likelihood import set_fit
from celm.analysis.protocols.panel import Panel
from celm.analysis.protocols.simulation import RANDOM_WITHIN, Papers, Writer
from celm.base.seeds import generator

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Ranks = npt.NDArray[np.intp]

# The true protocol stays in the set with this probability, by its fit and its distance from the best together.
LEVEL = 0.95
PAPERS = 200
SEED = 2015


class Cutoffs(NamedTuple):
    """For every protocol: how far it may lie below the best (nats) and how badly it may fit, all sets and each set."""

    behind: Array
    deviance: Array
    deviance_by_set: Array


# Simulated papers of a protocol: its number, how many, the generator, and whether their numbers are random instead.
Written = Callable[[int, int, np.random.Generator, bool], Papers]


def cutoffs_of(names: Sequence[str], written: Written, papers: int, seed: int, role: str) -> Cutoffs:
    """Cutoffs from papers that each protocol of the list would write itself (a Neyman construction).

    A protocol is kept if it passes both of its cutoffs: it lies behind the best by no more, and fits no worse. The two
    are quantiles of one common rank, at which 95 % of its own papers pass both; so whichever listed protocol is true,
    it is kept in 95 %. Half of the rest for each cutoff would keep it in more, as some papers fail both at once.
    """
    both, by_set = [], []
    for truth, name in enumerate(names):
        found = written(truth, papers, generator(seed, "calibration", name, role), False)
        both.append(joint_quantiles(measures_of(found, truth), LEVEL))
        by_set.append(np.quantile(found.deviance[:, truth], 1 - (1 - LEVEL) / found.deviance.shape[2], axis=0))
    behind, deviance = np.transpose(both)
    return Cutoffs(behind, deviance, np.array(by_set))


def measures_of(found: Papers, truth: int) -> Array:
    """Of one protocol, how far it lies behind the best and how badly it fits: 2 × paper."""
    total = found.log_likelihood.sum(axis=2)
    return np.stack([total.max(axis=1) - total[:, truth], found.deviance[:, truth].sum(axis=1)])


def joint_quantiles(values: Array, level: float) -> Array:
    """Quantiles of all measures at one common rank, the lowest at which a share ``level`` of the papers passes all.

    Parameters
    ----------
    values : array (measure, paper)
        The smaller, the better. Equal values have the lowest rank of theirs: a protocol that is the best of the list,
        as it often is on papers of its own, lies 0 behind and passes at any rank.
    """
    needed = stats.rankdata(values, method="min", axis=1).max(axis=0)
    order = int(np.quantile(needed, level, method="inverted_cdf"))
    found: Array = np.sort(values, axis=1)[:, order - 1]
    return found


def _rounds(panel: Panel, correlation: str, half: int | None) -> Written:
    """Papers written by the rounds of a panel; random ones draw on all of its rounds."""
    writer = Writer(panel, correlation)

    def written(truth: int, papers: int, rng: np.random.Generator, random: bool) -> Papers:
        if random:
            return writer.papers(truth, papers, rng, random_within=RANDOM_WITHIN)
        return writer.papers(truth, papers, rng, half=half)

    return written


def calibrated(
    panel: Panel, papers: int = PAPERS, *, correlation: str = "ours", seed: int = SEED, half: int | None = None
) -> Cutoffs:
    """The cutoffs of :func:`cutoffs_of` from papers that are rounds of the panel itself."""
    return cutoffs_of(panel.protocols, _rounds(panel, correlation, half), papers, seed, correlation)


def kept(found: Papers, cutoffs: Cutoffs) -> Flags:
    """Which protocols each paper cannot tell from its true one: paper × protocol."""
    total = found.log_likelihood.sum(axis=2)
    near = total.max(axis=1, keepdims=True) - total <= cutoffs.behind
    return near & (found.deviance.sum(axis=2) <= cutoffs.deviance)


class Identified(NamedTuple):
    """What the published numbers say of the listed protocols.

    Attributes
    ----------
    most_probable : str or None
        The kept protocol of highest likelihood; None where none fits.
    nearest : str
        The protocol of highest likelihood, kept or not.
    indistinguishable : tuple of str
        The kept protocols, most probable first.
    fails_on : tuple of str
        Data sets on which ``nearest`` fits worse than 5 % of its own papers would on any of them.
    log_likelihood, deviance, by_set : arrays
        Of every protocol: over all sets (two) and per data set (protocol × set).
    """

    most_probable: str | None
    nearest: str
    indistinguishable: tuple[str, ...]
    fails_on: tuple[str, ...]
    log_likelihood: Array
    deviance: Array
    by_set: Array


def identify(panel: Panel, cutoffs: Cutoffs, correlation: str = "ours") -> Identified:
    """Hold the published numbers against every protocol with the cutoffs of :func:`calibrated`."""
    datasets = [one.dataset for one in panel.sets]
    return identified(panel.protocols, datasets, published_paper(panel, correlation), cutoffs)


def published_paper(panel: Panel, correlation: str = "ours") -> Papers:
    """The published numbers of a panel, as one paper."""
    fits = [set_fit(one, correlation) for one in panel.sets]
    return Papers(*(np.stack([fit[place] for fit in fits], axis=1)[None] for place in (0, 1)))


def identified(names: Sequence[str], datasets: Sequence[str], paper: Papers, cutoffs: Cutoffs) -> Identified:
    """What one paper, the published one, says of the protocols ``names`` by its fits on ``datasets``."""
    by_set, deviance = paper.log_likelihood[0], paper.deviance[0]
    inside = kept(paper, cutoffs)[0]
    total = by_set.sum(axis=1)
    order = [int(place) for place in np.argsort(-total, kind="stable")]
    fitting = tuple(names[place] for place in order if inside[place])
    failing = deviance[order[0]] > cutoffs.deviance_by_set[order[0]]
    fails_on = tuple(name for name, fails in zip(datasets, failing, strict=True) if fails)
    most_probable = fitting[0] if fitting else None
    return Identified(most_probable, names[order[0]], fitting, fails_on, total, deviance.sum(axis=1), by_set)


def ranks(by_set: Array) -> tuple[Ranks, Ranks]:
    """Ranks of protocols (1 is most probable) on every data set, and over all others when that one is left out."""
    rest = by_set.sum(axis=1, keepdims=True) - by_set
    return _descending(by_set), _descending(rest)


def _descending(values: Array) -> Ranks:
    found: Ranks = (-values).argsort(axis=0, kind="stable").argsort(axis=0) + 1
    return found


class Trial(NamedTuple):
    """How the method does on papers whose origin is known.

    Attributes
    ----------
    listed_held : share of papers of a listed protocol whose set holds it.
    listed_share : median share of the list that the set has for those papers.
    listed_none : share of those papers that no protocol fits.
    removed_none : the same for papers of a protocol that was taken off the list.
    random_none : the same for random numbers.
    papers : papers of each kind.
    """

    listed_held: float
    listed_share: float
    listed_none: float
    removed_none: float
    random_none: float
    papers: int


def trial(
    panel: Panel,
    cutoffs: Cutoffs,
    papers: int = PAPERS,
    *,
    correlation: str = "ours",
    seed: int = SEED,
    half: int | None = None,
) -> Trial:
    """The trial of :func:`tried` with papers that are rounds of the panel itself."""
    return tried(panel.protocols, _rounds(panel, correlation, half), cutoffs, papers, seed, correlation)


def tried(names: Sequence[str], written: Written, cutoffs: Cutoffs, papers: int, seed: int, role: str) -> Trial:
    """Simulated papers of three origins, spread evenly over the protocols: listed, removed, random.

    A removed protocol's papers are judged by the others with their own cutoffs, calibrated while it was on the list.
    """
    held, sizes, nothing = [], [], []
    removed, chance = [], []
    for number in range(papers):
        truth = number % len(names)
        rng = generator(seed, "trial", number, role)
        found = written(truth, 1, rng, False)
        inside = kept(found, cutoffs)[0]
        held.append(inside[truth])
        sizes.append(inside.mean())
        nothing.append(not inside.any())
        removed.append(not kept(_without(found, truth), _cut_without(cutoffs, truth)).any())
        chance.append(not kept(written(truth, 1, rng, True), cutoffs).any())
    return Trial(
        listed_held=float(np.mean(held)),
        listed_share=float(np.median(sizes)),
        listed_none=float(np.mean(nothing)),
        removed_none=float(np.mean(removed)),
        random_none=float(np.mean(chance)),
        papers=papers,
    )


def _without(found: Papers, truth: int) -> Papers:
    return Papers(*(np.delete(values, truth, axis=1) for values in found))


def _cut_without(cutoffs: Cutoffs, truth: int) -> Cutoffs:
    return Cutoffs(*(np.delete(values, truth, axis=0) for values in cutoffs))
