"""Seconds of models over those of a baseline in the same round, at equal node counts: records of the race task."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

import numpy as np
import pandas as pd

from celm.analysis.intervals import mean_estimate
from celm.base.names import DATASETS, MODELS, in_order

# What is held against the baseline: a column of the records and the beginning of its columns here.
CLOCKS = {"fit_seconds": "fit", "fit_cpu_seconds": "fit_cpu", "predict_seconds": "predict"}
# The paper prints seconds with two digits.
PRINTED_STEP = 0.01
PLACE = ["dataset", "n_hidden"]


def time_ratios(frame: pd.DataFrame, baseline: str) -> pd.DataFrame:
    """One row per data set, node count and model: its seconds over the baseline's, paired round by round.

    Ratios are geometric means over rounds with a plain 95 % interval: on this machine a round repeats the measurement.
    A model without nodes is held against every node count. fit_ms and predict_ms are medians over rounds, of fit_ms
    also that of the baseline (baseline_ms); fit_repeats is the least of any round.
    """
    rows = [
        {"dataset": dataset, "n_hidden": count, "model": model, **_row(mine, baselines)}
        for (dataset, count), baselines in frame[frame["model"] == baseline].groupby(PLACE, sort=False)
        for model, mine in _beside(frame, dataset, count, baseline)
    ]
    return _ordered(pd.DataFrame(rows))


def _beside(
    frame: pd.DataFrame, dataset: Hashable, count: float, baseline: str
) -> Iterator[tuple[Hashable, pd.DataFrame]]:
    """The other models at a node count, or without any."""
    there = (frame["dataset"] == dataset) & ((frame["n_hidden"] == count) | frame["n_hidden"].isna())
    yield from frame[there & (frame["model"] != baseline)].groupby("model", sort=False)


def _row(mine: pd.DataFrame, baselines: pd.DataFrame) -> dict[str, float]:
    pairs = mine.merge(baselines, on="round", suffixes=("", "_base"))
    found: dict[str, float] = {"rounds": len(pairs)}
    for column, name in CLOCKS.items():
        logs = mean_estimate(np.log(pairs[column]) - np.log(pairs[f"{column}_base"]))
        for ending, value in (("ratio", logs.mean), ("low", logs.low), ("high", logs.high)):
            found[f"{name}_{ending}"] = float(np.exp(value))
    return {
        **found,
        "fit_ms": 1e3 * float(pairs["fit_seconds"].median()),
        "baseline_ms": 1e3 * float(pairs["fit_seconds_base"].median()),
        "predict_ms": 1e3 * float(pairs["predict_seconds"].median()),
        "fit_repeats": int(pairs["fit_repeats"].min()),
        **{f"{column}_most": float(pairs[column].max()) for column in ("load", "others_busy")},
    }


def _ordered(rows: pd.DataFrame) -> pd.DataFrame:
    sets, models = in_order(rows["dataset"].unique(), DATASETS), in_order(rows["model"].unique(), MODELS)
    places = {"dataset": sets.index, "model": models.index}
    found: pd.DataFrame = rows.sort_values(
        [*PLACE, "model"], key=lambda column: column.map(places.get(str(column.name), lambda value: value))
    )
    return found.astype({"n_hidden": int}).reset_index(drop=True)


def printed_ratios(printed: pd.DataFrame, baseline: str) -> pd.DataFrame:
    """The same of a printed table: one ratio per data set and model, and what the rounding of its seconds leaves.

    Seconds that are printed as s lie within half a step of it; a baseline that may be nothing leaves no upper end.
    """
    seconds = printed.set_index(["dataset", "model"])["train_seconds"]
    half, rows = PRINTED_STEP / 2, []
    for (dataset, model), mine in seconds.items():
        if model != baseline and (dataset, baseline) in seconds.index:
            base = seconds[dataset, baseline]
            high = (mine + half) / (base - half) if base > half else np.inf
            ends = {"paper_low": (mine - half) / (base + half), "paper_high": high}
            rows.append({"dataset": dataset, "model": model, "paper_ratio": mine / base, **ends})
    return pd.DataFrame(rows)


def busy_share(frame: pd.DataFrame, most: float) -> float:
    """The share of timings beside which others kept more than so many cores busy; not a number where nothing tells."""
    known = frame["others_busy"].dropna()
    return float((known > most).mean()) if len(known) else float("nan")
