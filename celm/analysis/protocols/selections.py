"""Every way to choose a node count and λ, read from the same surfaces: one run serves all penalised selections.

A surface holds, for every round, node count and λ, how many held-out rows (of the folds) and how many test rows were
classified correctly, and for every node count the same without a penalty: the curve of the figures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from celm.analysis.intervals import PAPER_ROUNDS

Array = npt.NDArray[np.float64]
Whole = npt.NDArray[np.intp]

KEYS = ["dataset", "model"]


class Surface(NamedTuple):
    """One model on one data set: correct rows by round × count × λ, held out and on test; axes; test rows.

    plain: test rows classified correctly without a penalty, by round × count.
    """

    held_out: Whole
    tested: Whole
    plain: Whole
    rounds: Whole
    counts: Whole
    lams: Array
    n_test: int

    def own_lam(self) -> Whole:
        """The λ (as a place) that the folds choose for every round and count; ties go to the stronger penalty."""
        return self.held_out.argmax(axis=2)


class Choice(NamedTuple):
    """Places of the chosen node count and λ of every round."""

    node: Whole
    lam: Whole


# Correct test rows without a penalty, by round × count: of every model of a data set.
Curves = Mapping[str, Whole]
Selection = Callable[[Surface, str, Curves], Choice]


def _at_counts(surface: Surface, counts: npt.ArrayLike) -> Choice:
    """The given node count of every round with the λ that its folds choose."""
    rounds = np.arange(len(surface.rounds))
    places = np.broadcast_to(np.asarray(counts, dtype=np.intp), rounds.shape)
    return Choice(places, surface.own_lam()[rounds, places])


def blocks_of(rounds: int, size: int = PAPER_ROUNDS) -> list[slice]:
    """Rounds in groups of ten: what the paper chose from its ten rounds is chosen here in every ten; a rest joins."""
    starts = list(range(0, max(rounds - size, 0) + 1, size))
    return [slice(start, rounds if start == starts[-1] else start + size) for start in starts]


def joint(surface: Surface, model: str, curves: Curves) -> Choice:
    """Node count and λ together by the folds of every round; ties go to fewer nodes, then to the stronger penalty."""
    rounds, _, lams = surface.held_out.shape
    best = surface.held_out.reshape(rounds, -1).argmax(axis=1)
    return Choice(best // lams, best % lams)


def largest(surface: Surface, model: str, curves: Curves) -> Choice:
    """The largest node count."""
    return _at_counts(surface, len(surface.counts) - 1)


def one_for_all(surface: Surface, model: str, curves: Curves) -> Choice:
    """One node count and one λ for ten rounds, by the sum of their held-out rows."""
    chosen = np.empty((len(surface.rounds), 2), dtype=np.intp)
    for block in blocks_of(len(chosen)):
        total = surface.held_out[block].sum(axis=0)
        chosen[block] = np.unravel_index(int(total.argmax()), total.shape)
    return Choice(chosen[:, 0], chosen[:, 1])


def best_on_test(surface: Surface, model: str, curves: Curves) -> Choice:
    """The node count that is best on the test rows of its round: optimistic, it sees them."""
    tested = np.take_along_axis(surface.tested, surface.own_lam()[:, :, None], axis=2)[:, :, 0]
    return _at_counts(surface, tested.argmax(axis=1))


def _best_of_curve(surface: Surface, curve: npt.NDArray[Any]) -> Choice:
    """The count at which the mean of ten rounds' curves is highest (they are on test rows), in every ten rounds."""
    chosen = np.empty(len(surface.rounds), dtype=np.intp)
    for block in blocks_of(len(chosen)):
        chosen[block] = int(curve[block].mean(axis=0).argmax())
    return _at_counts(surface, chosen)


def best_of_figure(surface: Surface, model: str, curves: Curves) -> Choice:
    """The best count of the model's own curve without a penalty: "based on the Fig. 3", model by model."""
    return _best_of_curve(surface, curves[model])


def common_of_figure(surface: Surface, model: str, curves: Curves) -> Choice:
    """One count for all models of a data set, where the mean of their curves is highest."""
    return _best_of_curve(surface, np.mean(list(curves.values()), axis=0))


SELECTIONS: dict[str, Selection] = {
    "joint": joint,
    "largest": largest,
    "one_for_all": one_for_all,
    "best_on_test": best_on_test,
    "best_of_figure": best_of_figure,
    "common_of_figure": common_of_figure,
}


def surface_of(rows: pd.DataFrame) -> Surface:
    """The surface of one model on one data set from its records, one per round (``selection.choose=surface``)."""
    who = "surface_of: " + " ".join(str(rows[name].iloc[0]) for name in KEYS)
    ordered = rows.sort_values("round", kind="stable")
    if ordered["round"].duplicated().any():
        raise ValueError(f"{who} has {len(rows)} records for {rows['round'].nunique()} rounds.")
    if len({tuple(counts) for counts in ordered["counts"]}) > 1:
        raise ValueError(f"{who} has rounds with different node counts.")
    counts = np.array(ordered["counts"].iloc[0], dtype=np.intp)
    first, last = ordered["exponents"].iloc[0]
    shape = (len(ordered), len(counts), last - first + 1)
    return Surface(
        held_out=_numbers(ordered["held_out"], shape, who),
        tested=_numbers(ordered["tested"], shape, who),
        plain=_numbers(ordered["plain"], shape[:2], who),
        rounds=ordered["round"].to_numpy(np.intp),
        counts=counts,
        lams=10.0 ** np.arange(first, last + 1),
        n_test=int(ordered["n_test"].iloc[0]),
    )


def _numbers(texts: pd.Series, shape: tuple[int, ...], who: str) -> Whole:
    """Rows of blank-separated numbers as an array; as many numbers as ``shape`` asks."""
    found: Whole = np.fromstring(" ".join(texts), dtype=np.intp, sep=" ")
    if found.size != np.prod(shape):
        raise ValueError(f"{who} has {found.size} numbers in {texts.name}, its counts and λ need {np.prod(shape)}.")
    return found.reshape(shape)


def selected(surfaces: pd.DataFrame) -> pd.DataFrame:
    """Every selection of every model: columns selection, dataset, model, round, n_hidden, lam, accuracy.

    Parameters
    ----------
    surfaces : DataFrame
        One row per data set, model and round with counts, held_out, tested, plain, exponents and n_test.
    """
    parts = []
    for dataset, group in surfaces.groupby("dataset", sort=False):
        found = {str(model): surface_of(rows) for model, rows in group.groupby("model", sort=False)}
        curves = {model: surface.plain for model, surface in found.items()}
        for model, surface in found.items():
            for name, choose in SELECTIONS.items():
                parts.append((name, str(dataset), model, _chosen(surface, choose(surface, model, curves))))
    names = {
        column: np.repeat([part[place] for part in parts], [len(part[3]["round"]) for part in parts])
        for place, column in enumerate(("selection", *KEYS))
    }
    values = {column: np.concatenate([part[3][column] for part in parts]) for column in parts[0][3]}
    return pd.DataFrame({**names, **values})


def _chosen(surface: Surface, choice: Choice) -> dict[str, npt.NDArray[Any]]:
    """The chosen node count, λ and test accuracy of every round."""
    correct = surface.tested[np.arange(len(surface.rounds)), choice.node, choice.lam]
    return {
        "round": surface.rounds,
        "n_hidden": surface.counts[choice.node],
        "lam": surface.lams[choice.lam],
        "accuracy": correct / surface.n_test,
    }
