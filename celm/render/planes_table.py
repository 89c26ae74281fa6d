"""The table beside planes of hidden outputs: how well each separates and keeps what it shows."""

from __future__ import annotations

import pandas as pd

from celm.base.names import model_label
from celm.render.document import Table
from celm.render.numbers import half_width

# Column of the records -> what a person calls it.
MEASURES = {"accuracy": "Neighbour accuracy", "trustworthiness": "Trustworthiness", "kl_divergence": "KL divergence"}


def planes_table(summary: pd.DataFrame) -> Table:
    """A row per model of a summary (:func:`celm.analysis.plane_measures.plane_summary`)."""
    rows = [
        [
            f"{model_label(row['model'])}, {row['n_hidden']} nodes",
            *(half_width(row[f"{measure}_mean"], row[f"{measure}_ci_high"]) for measure in MEASURES),
        ]
        for _, row in summary.iterrows()
    ]
    return Table(["", *MEASURES.values()], rows)


def setting_words(summary: pd.DataFrame) -> str:
    """How the planes of a summary were made and measured."""
    first = summary.iloc[0]
    given = "themselves" if pd.isna(first["pca"]) else f"after PCA to {first['pca']:.0f} dimensions"
    return (
        f"Hidden outputs of {first['points']} test rows, {given}, in the plane by t-SNE with perplexity "
        f"{first['perplexity']:g}, {first['iterations']} iterations from one initial layout for all models of a round. "
        f"Mean ± half of the 95 % interval of the mean over {first['rounds']} rounds. Neighbour accuracy: share of "
        f"points whose {first['neighbours']} nearest others in the plane elect their class. Trustworthiness: of the "
        f"plane's {first['neighbours']} nearest neighbours against the hidden outputs. KL divergence: what t-SNE "
        "minimises, after its last iteration; compare it between models of one table only."
    )
