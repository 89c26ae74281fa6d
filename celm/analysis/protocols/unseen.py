"""Is a protocol kept in papers of rounds that took no part in its cutoffs? Ten rounds, judged by the others alone."""

from __future__ import annotations

import numpy as np

from celm.analysis.intervals import PAPER_ROUNDS
from celm.analysis.protocols.identification import (
    LEVEL,
    PAPERS,
    SEED,
    joint_quantiles,
    measures_of,
    published_paper,
)
from celm.analysis.protocols.panel import Panel, SetPanel
from celm.analysis.protocols.simulation import Writer
from celm.base.seeds import generator
from celm.base.validation import check_integer

# With fewer, the rounds that are left without a paper do not judge as all of them do: they would be resampled.
LEAST_ROUNDS = 4 * PAPER_ROUNDS


def unseen_held(panel: Panel, papers: int = PAPERS, *, correlation: str = "ours", seed: int = SEED) -> float:
    """The share of papers, spread evenly over the protocols, whose set holds the one that wrote them.

    A paper is ten rounds of its protocol, and the cutoffs of that protocol are those of ``papers`` papers of all other
    rounds, which also judge. In :func:`celm.analysis.protocols.trial` cutoffs and papers come from the same rounds.
    """
    check_integer(panel.rounds, "rounds", "unseen_held", LEAST_ROUNDS)
    held = []
    for number in range(papers):
        truth = number % len(panel.protocols)
        rng = generator(seed, "unseen", number, correlation)
        others = set_apart(panel, truth, rng, shared=correlation == "ours")
        own = measures_of(Writer(others, correlation).papers(truth, papers, rng), truth)
        far = measures_of(published_paper(others, correlation), truth)[:, 0]
        held.append(bool(np.all(far <= joint_quantiles(own, LEVEL))))
    return float(np.mean(held))


def set_apart(panel: Panel, truth: int, rng: np.random.Generator, *, shared: bool) -> Panel:
    """The panel without ten of its rounds, which are its published numbers as protocol number ``truth`` wrote them.

    All models leave out the same ten where they share their splits (``shared``), else each has ten of its own.
    """
    return panel._replace(sets=tuple(_without_paper(one, truth, rng, shared) for one in panel.sets))


def _without_paper(one: SetPanel, truth: int, rng: np.random.Generator, shared: bool) -> SetPanel:
    _, rounds, models = one.accuracy.shape
    order = rng.random((1, rounds, 1 if shared else models)).argsort(axis=1)
    mixed = np.take_along_axis(one.accuracy, order, axis=1)
    paper = mixed[truth, :PAPER_ROUNDS].mean(axis=0).round(3)
    return one._replace(accuracy=mixed[:, PAPER_ROUNDS:], published=paper)
