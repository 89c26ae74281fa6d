"""The table beside Fig 6: how well planes separate and keep what they show, per model, over rounds."""

from __future__ import annotations

import numpy as np
import pandas as pd

from celm.analysis.summary import interval
from celm.base.names import MODELS, in_order, model_label

KEYS = ["dataset", "model", "n_hidden"]
# Column of the records -> what a person calls it.
MEASURES = {"accuracy": "Neighbour accuracy", "trustworthiness": "Trustworthiness", "kl_divergence": "KL divergence"}


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


def _lines(summary: pd.DataFrame) -> list[list[str]]:
    return [[_name(row), *(_with_interval(row, measure) for measure in MEASURES)] for _, row in summary.iterrows()]


def _name(row: pd.Series) -> str:
    return f"{model_label(row['model'])}, {row['n_hidden']} nodes"


def _with_interval(row: pd.Series, measure: str) -> str:
    mean, high = row[f"{measure}_mean"], row[f"{measure}_ci_high"]
    return f"{mean:.3f}" if np.isnan(high) else f"{mean:.3f} ± {high - mean:.3f}"


def setting_words(summary: pd.DataFrame) -> str:
    """How the planes of a summary were made and measured."""
    first = summary.iloc[0]
    given = "themselves" if pd.isna(first["pca"]) else f"after PCA to {first['pca']:.0f} dimensions"
    return (
        f"Hidden outputs of {first['points']} test rows, {given}, in the plane by t-SNE with perplexity "
        f"{first['perplexity']:g}, {first['iterations']} iterations from one initial layout for all models of a round. "
        f"Mean ± half of the 95 % confidence interval over {first['rounds']} rounds. Neighbour accuracy: share of "
        f"points whose {first['neighbours']} nearest others in the plane elect their class. Trustworthiness: of the "
        f"plane's {first['neighbours']} nearest neighbours against the hidden outputs. KL divergence: what t-SNE "
        "minimises, after its last iteration; compare it between models of one table only."
    )


def to_markdown(summary: pd.DataFrame) -> str:
    """The table with a sentence on how to read it."""
    header = ["", *MEASURES.values()]
    rows = ["| " + " | ".join(row) + " |" for row in _lines(summary)]
    head = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join([setting_words(summary), "", *head, *rows]) + "\n"


def to_text(summary: pd.DataFrame) -> str:
    """The table for a terminal."""
    rows = [["", *MEASURES.values()], *_lines(summary)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])
