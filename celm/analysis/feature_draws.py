"""What Table III owes to its image features: accuracy by the size of the codebook and by the draw of the features."""

from __future__ import annotations

import numpy as np
import pandas as pd

from celm.analysis.statistics import paired_t
from celm.base.names import MODELS, in_order

# What the other models are compared with, draw by draw.
BASELINE = "elm"


def feature_summary(frame: pd.DataFrame) -> pd.DataFrame:
    """One row per codebook and model: accuracy over the draws of the features, and its lead over ELM on the same draws.

    atoms, features: size of the codebook and what becomes of it in every image. The interval is that of the lead.
    """
    rows = []
    for atoms, of_codebook in frame.groupby("features_n_atoms"):
        by_draw = of_codebook.pivot_table(index="features_draw", columns="model", values="accuracy")
        for model in in_order(list(by_draw), MODELS):
            accuracy = by_draw[model].dropna()
            rows.append(
                {
                    "atoms": atoms,
                    "features": n_features(of_codebook.iloc[0]),
                    "model": model,
                    "draws": len(accuracy),
                    "accuracy_mean": accuracy.mean(),
                    "accuracy_std": accuracy.std(ddof=1),
                    "lowest": accuracy.min(),
                    "highest": accuracy.max(),
                    **_lead(by_draw, model),
                }
            )
    return pd.DataFrame(rows)


def shared_spread(frame: pd.DataFrame) -> float:
    """The standard deviation of what a draw of the features does to all models alike (a two-way random effect)."""
    by_draw = frame.pivot_table(index="features_draw", columns="model", values="accuracy").dropna(axis=1)
    draws, models = by_draw.shape
    residual = (by_draw - by_draw.mean()).to_numpy()
    common = residual.mean(axis=1, keepdims=True)
    between = models * float((common**2).sum()) / (draws - 1)
    within = float(((residual - common) ** 2).sum()) / ((draws - 1) * (models - 1))
    return float(np.sqrt(max(0.0, between - within) / models))


def n_features(record: pd.Series) -> int:
    """Features of an image: every atom once or, two-sided, twice, in every field of the pooling grid."""
    sides = 2 if record["features_two_sided"] else 1
    return int(record["features_n_atoms"] * sides * record["features_grid"] ** 2)


def _lead(by_draw: pd.DataFrame, model: str) -> dict[str, float]:
    """Accuracy above ELM's, paired by draw; not a number for ELM itself, or where it was not run."""
    if BASELINE not in by_draw or model == BASELINE:
        return {"above_elm": np.nan, "ci_low": np.nan, "ci_high": np.nan}
    lead = paired_t((by_draw[model] - by_draw[BASELINE]).dropna())
    return {"above_elm": lead.mean, "ci_low": lead.low, "ci_high": lead.high}
