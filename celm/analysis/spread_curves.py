"""Accuracy against the spread of pre-activations, direction by direction: tidy frames -> the numbers of the finding."""

from __future__ import annotations

import pandas as pd

from celm.analysis.statistics import paired_t

CURVE = ["dataset", "n_hidden", "direction", "bias", "spread", "accuracy", "low", "high", "rounds"]
MARK = ["dataset", "n_hidden", "model", "spread", "accuracy", "low", "high", "rounds"]


def spread_curves(frame: pd.DataFrame) -> pd.DataFrame:
    """One row per data set, node count, direction, bias and spread: mean accuracy with its interval over rounds.

    ``frame`` holds combinations DIRECTION/none/BIAS; ``input_scale`` is the spread that their weights were given.
    """
    parts = frame["model"].str.split("/", expand=True)
    rows = frame.assign(direction=parts[0], bias=parts[2], spread=frame["input_scale"])
    keys = ["dataset", "n_hidden", "direction", "bias", "spread"]
    return pd.DataFrame(
        [[*values, *_mean(group["accuracy"])] for values, group in rows.groupby(keys, sort=True)], columns=CURVE
    )


def spread_marks(frame: pd.DataFrame) -> pd.DataFrame:
    """One row per data set and model: mean accuracy with its interval, and the median spread; none for other models."""
    rows = [
        [*values, float(group["spread"].median()), *_mean(group["accuracy"])]
        for values, group in frame.groupby(["dataset", "n_hidden", "model"], sort=False, dropna=False)
    ]
    return pd.DataFrame(rows, columns=MARK)


def _mean(values: pd.Series) -> tuple[float, float, float, int]:
    found = paired_t(values)
    return found.mean, found.low, found.high, found.rounds


def best_spreads(curves: pd.DataFrame) -> pd.DataFrame:
    """The spread at which a direction does best, by data set, node count and bias: of test rows, so descriptive."""
    keys = ["dataset", "n_hidden", "direction", "bias"]
    best: pd.DataFrame = curves.loc[curves.groupby(keys)["accuracy"].idxmax()].reset_index(drop=True)
    return best
