"""Small models: how accurate and how quick every node count is, and how few nodes reach an accuracy."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from celm.base.names import MODELS, in_order


def compact_curves(frame: pd.DataFrame) -> pd.DataFrame:
    """One row per model and node count: means over rounds of both accuracies, medians of the times of a row.

    row_ms: milliseconds for one row by itself. batch_us: microseconds for a row of a batch.
    """
    rows = frame.sort_values("round", kind="stable")
    rows = rows.assign(row_ms=1e3 * rows["row_seconds"], batch_us=1e6 * rows["batch_seconds"] / rows["batch_rows"])
    curves = rows.groupby(["model", "n_hidden"], as_index=False).agg(
        accuracy=("accuracy", "mean"),
        drawn_accuracy=("drawn_accuracy", "mean"),
        row_ms=("row_ms", "median"),
        batch_us=("batch_us", "median"),
        rounds=("round", "nunique"),
    )
    places = {name: place for place, name in enumerate(in_order(curves["model"].unique(), MODELS))}
    return curves.sort_values(
        ["model", "n_hidden"], key=lambda column: column.map(places) if column.name == "model" else column
    ).reset_index(drop=True)


def nodes_needed(curves: pd.DataFrame, accuracies: Sequence[float]) -> pd.DataFrame:
    """For every accuracy and model the fewest of the tried node counts that reach it on average, and their times.

    nodes: of the most useful ones; drawn_nodes: as they were drawn. A model that does not reach an accuracy has none.
    """
    rows = []
    for accuracy in accuracies:
        for model, of_model in curves.groupby("model", sort=False):
            enough = of_model[of_model["accuracy"] >= accuracy]
            drawn = of_model[of_model["drawn_accuracy"] >= accuracy]
            first = {} if enough.empty else enough.iloc[0][["row_ms", "batch_us"]].to_dict()
            counts = {"nodes": _least(enough), "drawn_nodes": _least(drawn)}
            rows.append({"accuracy": accuracy, "model": model, **counts, **first})
    return pd.DataFrame(rows, columns=["accuracy", "model", "nodes", "drawn_nodes", "row_ms", "batch_us"])


def _least(reached: pd.DataFrame) -> int | None:
    return None if reached.empty else int(reached["n_hidden"].iloc[0])
