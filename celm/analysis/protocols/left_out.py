"""Does a protocol fit once a data set is left out? Judged by the others, with the papers that calibrated the whole."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from celm.analysis.protocols.identification import (
    PAPERS,
    SEED,
    Cutoffs,
    Identified,
    cutoffs_of,
    identified,
    published_paper,
)
from celm.analysis.protocols.panel import Panel
from celm.analysis.protocols.simulation import Papers, Writer
from celm.base.seeds import generator

Flags = npt.NDArray[np.bool_]

# The common rank of both cutoffs lies between 95 and 97.5 %, and not at the same place for all sets and for fewer: far
# more than these quantiles of a deviance can differ.
FAR = 1.5


class LeftOut(NamedTuple):
    """What the published numbers of the other data sets say of the protocols."""

    dataset: str
    found: Identified


def without_each_set(
    panel: Panel, cutoffs: Cutoffs, correlation: str = "ours", *, papers: int = PAPERS, seed: int = SEED
) -> tuple[LeftOut, ...]:
    """Hold the published numbers of all sets but one against every protocol, for each one.

    Parameters
    ----------
    panel : Panel
    cutoffs : Cutoffs
        Those of the whole panel. A deviance over fewer sets is smaller in every paper, so a protocol that exceeds
        its own over all sets by far with the numbers of the others need not be simulated: it is not kept.
    """
    datasets = [one.dataset for one in panel.sets]
    published = published_paper(panel, correlation)
    possible = possible_without(published, cutoffs)
    order = np.argsort(~possible.any(axis=1), kind="stable")
    simulated = int(possible.any(axis=1).sum())
    names = [panel.protocols[place] for place in order]
    writer = Writer(panel, correlation)
    written = [
        _ordered(writer.papers(int(truth), papers, generator(seed, "calibration", names[place], correlation)), order)
        for place, truth in enumerate(order[:simulated])
    ]
    told = []
    for place, dataset in enumerate(datasets):
        own = [_without_set(one, place) for one in written]
        known = cutoffs_of(names[:simulated], lambda truth, *_, own=own: own[truth], papers, seed, correlation)
        others = [name for name in datasets if name != dataset]
        rest = _without_set(_ordered(published, order), place)
        told.append(LeftOut(dataset, identified(names, others, rest, _padded(known, len(names)))))
    return tuple(told)


def possible_without(published: Papers, cutoffs: Cutoffs) -> Flags:
    """Which protocols might be kept when each set is left out, and the nearest there: protocol × set."""
    likelihood, deviance = published.log_likelihood[0], published.deviance[0]
    rest = deviance.sum(axis=1, keepdims=True) - deviance
    total = likelihood.sum(axis=1, keepdims=True) - likelihood
    possible: Flags = (rest <= FAR * cutoffs.deviance[:, None]) | (total == total.max(axis=0))
    return possible


def _ordered(found: Papers, order: npt.NDArray[np.intp]) -> Papers:
    return Papers(*(values[:, order] for values in found))


def _without_set(found: Papers, place: int) -> Papers:
    return Papers(*(np.delete(values, place, axis=2) for values in found))


def _padded(cutoffs: Cutoffs, length: int) -> Cutoffs:
    """Cutoffs that the protocols which were not simulated cannot meet."""
    rest = [(length - len(values), *values.shape[1:]) for values in cutoffs]
    return Cutoffs(
        *(np.concatenate([values, np.full(shape, -np.inf)]) for values, shape in zip(cutoffs, rest, strict=True))
    )
