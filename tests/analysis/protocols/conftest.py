"""Worlds of protocols whose truth is known."""

import numpy as np
import pandas as pd
import pytest

from celm.analysis.protocols import Panel, SetPanel

MODELS = ("elm", "orthogonal_elm", "cdelm", "cselm", "selm", "rselm", "cmelm")


def _world(protocols=12, rounds=60, sets=4, distance=0.006, seed=0):
    """Protocols whose means differ by ``distance`` (SD) per cell, a point of spread, a split effect of one half."""
    rng = np.random.default_rng(seed)
    panels = []
    for number in range(sets):
        means = 0.9 + distance * rng.standard_normal((protocols, 1, len(MODELS)))
        split = rng.standard_normal((1, rounds, 1))
        own = rng.standard_normal((protocols, rounds, len(MODELS)))
        accuracy = means + 0.01 * np.sqrt(0.5) * (split + own)
        panels.append(SetPanel(f"set{number}", MODELS, accuracy, np.full(len(MODELS), 0.9)))
    return Panel(tuple(f"protocol{number}" for number in range(protocols)), tuple(panels))


def _paper(panel, truth, seed=1, rounds=10):
    """The panel with published numbers drawn afresh from one protocol's means, with its spread."""
    rng = np.random.default_rng(seed)
    sets = []
    for one in panel.sets:
        mean, spread = one.accuracy[truth].mean(axis=0), one.accuracy[truth].std(axis=0)
        split = rng.standard_normal((rounds, 1))
        drawn = mean + spread * np.sqrt(0.5) * (split + rng.standard_normal((rounds, len(mean))))
        sets.append(one._replace(published=drawn.mean(axis=0).round(3)))
    return panel._replace(sets=tuple(sets))


def _frame(panel):
    """The tidy frame and the published table that make this panel."""
    rows = [
        {"protocol": name, "dataset": one.dataset, "model": model, "round": r, "accuracy": one.accuracy[p, r, m]}
        for p, name in enumerate(panel.protocols)
        for one in panel.sets
        for m, model in enumerate(one.models)
        for r in range(panel.rounds)
    ]
    published = [
        {"dataset": one.dataset, "model": model, "accuracy": value}
        for one in panel.sets
        for model, value in zip(one.models, one.published, strict=True)
    ]
    return pd.DataFrame(rows), pd.DataFrame(published)


@pytest.fixture(scope="session")
def world():
    return _world()


@pytest.fixture(scope="session")
def small():
    return _world(protocols=3, rounds=6, sets=2)


@pytest.fixture(scope="session")
def make_world():
    return _world


@pytest.fixture(scope="session")
def paper_of():
    return _paper


@pytest.fixture(scope="session")
def frame_of():
    return _frame
