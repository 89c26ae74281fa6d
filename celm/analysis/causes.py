"""What the lead of constrained ELMs is made of: direction, scale and bias of the weights, taken apart by round.

Frames hold the factorial: a row per data set, node count, round and model DIRECTION/SCALE/BIAS with its accuracy.
Every comparison is paired: models of a round share their training rows, their test rows and their random numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

from celm.analysis.statistics import LEVEL, overlap, paired_t
from celm.base.factors import FACTORIAL, FACTORS
from celm.base.names import DATASETS, in_order

Array = npt.NDArray[np.float64]

ELM = "random/none/uniform"
# The constrained ELMs that are combinations of the factors; the gap is the best of them against ELM.
NAMED = {
    "samples/squared/uniform": "selm",
    "class_sums/squared/uniform": "cselm",
    "class_differences/squared/midpoint": "cdelm",
}
# What is changed in ELM, one thing or several.
CHANGES = {
    "random/squared/uniform": "the squared-norm scale alone",
    "random/l2/uniform": "the l2 scale alone",
    "random/none/midpoint": "the midpoint bias alone",
    "gaussian/none/uniform": "the data's covariance alone",
    "samples/none/uniform": "the direction of samples alone",
    "class_sums/none/uniform": "the direction of class sums alone",
    "class_differences/none/uniform": "the direction of class differences alone",
    "gaussian/squared/uniform": "covariance with the squared-norm scale",
    "samples/squared/uniform": "samples with the squared-norm scale",
    "class_sums/squared/uniform": "class sums with the squared-norm scale",
    "class_differences/squared/midpoint": "class differences with the squared-norm scale and the midpoint bias",
}
# From ELM to CSELM, one ingredient after the other.
STEPS = {
    "scale": (ELM, "random/squared/uniform"),
    "covariance": ("random/squared/uniform", "gaussian/squared/uniform"),
    "samples": ("gaussian/squared/uniform", "samples/squared/uniform"),
    "labels": ("samples/squared/uniform", "class_sums/squared/uniform"),
}
# An interaction is told when its interval leaves out zero and it is at least this large.
NOTABLE = 0.01

COLUMNS = ["dataset", "n_hidden", "kind", "name", "effect", "low", "high", "share", "share_low", "share_high", "rounds"]


class Rounds(NamedTuple):
    """One data set at one node count: accuracies (round × model), and what its rounds share (:func:`overlap`)."""

    dataset: str
    n_hidden: int
    accuracy: pd.DataFrame
    shared: float

    def of(self, model: str) -> Array:
        """The accuracy of a model in every round."""
        return self.accuracy[model].to_numpy(float)

    def best_celm(self) -> str:
        """The constrained ELM with the highest mean accuracy."""
        return str(self.accuracy[list(NAMED)].mean().idxmax())

    def gap(self) -> Array:
        """How far the best constrained ELM is above ELM in every round."""
        return self.of(self.best_celm()) - self.of(ELM)

    def level(self, **levels: str) -> Array:
        """Mean accuracy over all combinations that have these levels, in every round."""
        parts = dict(zip(FACTORS, zip(*(str(name).split("/") for name in self.accuracy), strict=True), strict=True))
        fits = np.ones(self.accuracy.shape[1], dtype=bool)
        for factor, level in levels.items():
            fits &= np.array(parts[factor]) == level
        return np.asarray(self.accuracy.loc[:, fits].mean(axis=1), dtype=float)


def by_count(frame: pd.DataFrame) -> Iterator[Rounds]:
    """The rounds of every data set and node count; a combination that is missing somewhere is named."""
    for name in in_order(list(frame["dataset"].unique()), DATASETS):
        rows = frame[frame["dataset"] == name]
        shared = overlap(rows)
        for count, group in rows.groupby("n_hidden"):
            table = group.pivot(index="round", columns="model", values="accuracy")
            table = table.reindex(columns=FACTORIAL)
            lacking = table.columns[table.isna().any()]
            if len(lacking):
                raise ValueError(f"causes: {name} at {count} nodes lacks {lacking[0]} in some round.")
            yield Rounds(str(name), int(str(count)), table, shared)


def share_interval(part: Array, whole: Array, shared: float) -> tuple[float, float, float]:
    """mean(part)/mean(whole) and its 95 % interval by Fieller's theorem, both paired by round.

    Three times not a number where the whole is not distinguishable from zero, or negative: there is nothing to share.
    """
    if not paired_t(whole, shared).low > 0:
        return float("nan"), float("nan"), float("nan")
    t2 = stats.t.ppf(0.5 + LEVEL / 2, len(whole) - 1) ** 2 * (1.0 / len(whole) + shared)
    (v_part, v_both), (_, v_whole) = np.cov(part, whole)
    a = whole.mean() ** 2 - t2 * v_whole
    b = part.mean() * whole.mean() - t2 * v_both
    c = part.mean() ** 2 - t2 * v_part
    root = np.sqrt(max(b * b - a * c, 0.0))
    return float(part.mean() / whole.mean()), float((b - root) / a), float((b + root) / a)


def effects(frame: pd.DataFrame) -> pd.DataFrame:
    """Everything the study measures, one row each (columns :data:`COLUMNS`), in differences of accuracy.

    kind "gap": best constrained ELM − ELM. "change": a combination − ELM, "step": one more ingredient on the way to
    CSELM, both with the share of the gap that they close. "main effect": a level − the level of ELM, averaged over
    the other factors. "interaction": how much two levels together exceed the sum of their effects.
    """
    rows: list[dict[str, Any]] = []
    for rounds in by_count(frame):
        gap = rounds.gap()
        for kind, measure in KINDS.items():
            for name, values in measure(rounds):
                mean, low, high, *_ = paired_t(values, rounds.shared)
                row = {"kind": kind, "name": name, "effect": mean, "low": low, "high": high}
                if kind in ("change", "step"):
                    share = share_interval(values, gap, rounds.shared)
                    row |= dict(zip(("share", "share_low", "share_high"), share, strict=True))
                rows.append({"dataset": rounds.dataset, "n_hidden": rounds.n_hidden, "rounds": len(gap), **row})
    return pd.DataFrame(rows, columns=COLUMNS)


Measured = Iterator[tuple[str, Array]]


def _gap(rounds: Rounds) -> Measured:
    yield rounds.best_celm(), rounds.gap()


def _changes(rounds: Rounds) -> Measured:
    for model in CHANGES:
        yield model, rounds.of(model) - rounds.of(ELM)


def _steps(rounds: Rounds) -> Measured:
    for name, (before, after) in STEPS.items():
        yield name, rounds.of(after) - rounds.of(before)


def _main_effects(rounds: Rounds) -> Measured:
    for factor, (first, *others) in FACTORS.items():
        for level in others:
            yield f"{factor} {level}", rounds.level(**{factor: level}) - rounds.level(**{factor: first})


def _interactions(rounds: Rounds) -> Measured:
    for (one, (a0, *a_levels)), (two, (b0, *b_levels)) in combinations(FACTORS.items(), 2):
        for a in a_levels:
            for b in b_levels:
                corners = [rounds.level(**{one: x, two: y}) for x, y in ((a, b), (a, b0), (a0, b), (a0, b0))]
                yield f"{one} {a} × {two} {b}", corners[0] - corners[1] - corners[2] + corners[3]


KINDS: dict[str, Callable[[Rounds], Measured]] = {
    "gap": _gap,
    "change": _changes,
    "step": _steps,
    "main effect": _main_effects,
    "interaction": _interactions,
}


def notable_interactions(measured: pd.DataFrame) -> pd.DataFrame:
    """The interactions that matter, largest first within a data set."""
    rows = measured[(measured["kind"] == "interaction") & (measured["effect"].abs() >= NOTABLE)]
    rows = rows[(rows["low"] > 0) | (rows["high"] < 0)]
    return rows.sort_values("effect", key=lambda column: -column.abs(), kind="stable")


def at_largest_count(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of every data set at its largest node count."""
    largest: pd.DataFrame = table[table["n_hidden"] == table.groupby("dataset")["n_hidden"].transform("max")]
    return largest


def accuracies(frame: pd.DataFrame) -> pd.DataFrame:
    """Every combination: its mean accuracy, and how far it is above ELM with the interval of the paired rounds."""
    rows = []
    for rounds in by_count(frame):
        for model in map(str, rounds.accuracy):
            above = rounds.of(model) - rounds.of(ELM)
            mean, low, high, *_ = paired_t(above, rounds.shared)
            rows.append(
                {
                    "dataset": rounds.dataset,
                    "n_hidden": rounds.n_hidden,
                    **dict(zip(FACTORS, model.split("/"), strict=True)),
                    "accuracy_mean": rounds.of(model).mean(),
                    "above_elm": mean,
                    "low": low,
                    "high": high,
                }
            )
    return pd.DataFrame(rows)
