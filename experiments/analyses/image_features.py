"""What image features decide: accuracy by the size of the codebook, and by the draw of patches and first atoms."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from celm.analysis.feature_draws import feature_summary
from celm.base.names import model_label
from celm.render.document import Block, Document, Heading, Paragraph, Table, document
from celm.render.figures import Panel, curves_along, draw_panels, panel_numbers
from celm.render.numbers import points_span
from experiments.analysis import Analysis, Frames, Picture
from experiments.results import title_of, together

CODEBOOK, DRAWS = "codebook", "feature_seeds"
LITERATURE = "The literature has about 0.80 for 1600 atoms with the same features and classifier (Coates and Ng, 2011)."

Summaries = dict[str, pd.DataFrame]


def find(frames: Frames) -> Summaries:
    """One summary per sweep that is complete."""
    return {name: feature_summary(frame) for name, frame in frames.items()}


def codebook_table(summary: pd.DataFrame) -> Table:
    """Accuracy against the size of the codebook."""
    rows = [[str(row["atoms"]), str(row["features"]), f"{row['accuracy_mean']:.4f}"] for _, row in summary.iterrows()]
    return Table(["atoms", "features", "accuracy"], rows)


def draws_table(summary: pd.DataFrame) -> Table:
    """Accuracy over draws of patches and first atoms, and the lead over ELM."""
    rows = []
    for _, row in summary.iterrows():
        numbers = [f"{row[name]:.4f}" for name in ("accuracy_mean", "accuracy_std", "lowest", "highest")]
        lead = [f"{100 * row['above_elm']:+.1f}", points_span(row["ci_low"], row["ci_high"])]
        lead = ["", ""] if np.isnan(row["above_elm"]) else lead
        rows.append([model_label(row["model"]), str(row["draws"]), *numbers, *lead])
    spread = "standard deviation"
    return Table(["model", "draws", "mean", spread, "lowest", "highest", "points above ELM", "95 % interval"], rows)


def _blocks(found: Summaries) -> Iterator[Block]:
    for name, summary in found.items():
        yield Heading(title_of(name))
        if name == CODEBOOK:
            yield Paragraph(LITERATURE)
        yield codebook_table(summary) if name == CODEBOOK else draws_table(summary)


def told(found: Summaries) -> Document:
    """Both sweeps, as far as they are complete."""
    return document("The image features of Table III", _blocks(found))


def codebook_panels(frames: Frames) -> list[Panel]:
    """A linear SVM against the size of its codebook."""
    curves = curves_along(frames[CODEBOOK], "features_n_atoms")
    return [Panel("CIFAR-10, sum pooling", curves, "Atoms of the codebook")]


FEATURES = Analysis(
    name="features",
    about="Image features of CIFAR-10: codebook and draw",
    reads=(CODEBOOK, DRAWS),
    needs=(),
    find=find,
    document=told,
    numbers=together,
    chapter="Figures",
)
CODEBOOK_CURVE = Analysis(
    name=CODEBOOK,
    about="A linear SVM on CIFAR-10 features against the size of their codebook",
    reads=(CODEBOOK,),
    find=codebook_panels,
    picture=lambda panels: Picture(draw_panels(panels, columns=1), panel_numbers(panels)),
    chapter="Figures",
)
