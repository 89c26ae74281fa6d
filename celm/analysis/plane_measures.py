"""The table beside Fig 6: how well planes separate and keep what they show, per model, over rounds."""

from __future__ import annotations

import pandas as pd

from celm.analysis.summary import interval
from celm.base.names import MODELS, in_order

KEYS = ["dataset", "model", "n_hidden"]
# What the records measure of a plane.
MEASURES = ("accuracy", "trustworthiness", "kl_divergence")


def plane_summary(frame: pd.DataFrame) -> pd.DataFrame:
    """One row per data set, model and node count: every measure's mean and 95 % interval over rounds, the setting."""
    rows = []
    for values, group in frame.sort_values("round", kind="stable").groupby(KEYS):
        row = dict(zip(KEYS, values, strict=True))
        for measure in MEASURES:
            low, high = interval(group[measure])
            row |= {f"{measure}_mean": group[measure].mean(), f"{measure}_ci_low": low, f"{measure}_ci_high": high}
        settings = {name: group[name].iloc[0] for name in ("pca", "points", "perplexity", "iterations", "neighbours")}
        rows.append({**row, "rounds": group["round"].nunique(), **settings})
    places = in_order(list(frame["model"].unique()), MODELS).index
    return pd.DataFrame(rows).sort_values(
        KEYS, key=lambda column: column.map(places) if column.name == "model" else column, ignore_index=True
    )
