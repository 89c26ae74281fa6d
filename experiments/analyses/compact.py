"""How few nodes of which model reach an accuracy on MNIST, and how quickly such a small model answers."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from celm.analysis.small_models import compact_curves, nodes_needed
from celm.base.names import model_label, short_label
from celm.render.document import Block, Document, Items, Paragraph, Table, document
from celm.render.figures import draw_compact
from experiments.analysis import Analysis, Frames, Picture

NAME = "compact"
ACCURACIES = (0.80, 0.85, 0.90, 0.92, 0.94, 0.95, 0.96)
# Those that a sentence tells.
TOLD = (0.90, 0.95)


def find(frames: Frames) -> pd.DataFrame:
    """Every model and node count."""
    return compact_curves(frames[NAME])


def needed_table(curves: pd.DataFrame) -> Table:
    """For every accuracy that any model reaches: nodes and times of each that does."""
    needed = nodes_needed(curves, ACCURACIES).dropna(subset="nodes")
    rows = [
        [
            f"{row['accuracy']:.2f}",
            model_label(row["model"]),
            f"{row['nodes']:.0f}",
            f"{row['drawn_nodes']:.0f}" if row["drawn_nodes"] == row["drawn_nodes"] else "more",
            f"{row['row_ms']:.2f}",
            f"{row['batch_us']:.1f}",
        ]
        for _, row in needed.iterrows()
    ]
    return Table(["accuracy", "model", "nodes kept", "nodes as drawn", "one row, ms", "row of a batch, µs"], rows)


def _blocks(curves: pd.DataFrame) -> Iterator[Block]:
    most, rounds = curves["n_hidden"].max(), curves["rounds"].max()
    yield Paragraph(
        f"Up to {most} nodes of a layer are kept one by one, each the most useful beside those kept before (orthogonal "
        "least squares on the training rows); as many nodes as they were drawn stand beside them. Told are the fewest "
        f"of the tried counts whose mean test accuracy over {rounds} rounds reaches the one on the left; a model that "
        "is not named does not reach it. Times are medians of predict, the checks of its input included: one row by "
        "itself, and a row of a batch."
    )
    yield needed_table(curves)


def told(curves: pd.DataFrame) -> Document:
    """The fewest nodes by accuracy and model."""
    return document("How few nodes reach an accuracy on MNIST", _blocks(curves))


def answer(curves: pd.DataFrame) -> Items:
    """The fewest nodes that reach two of the accuracies, model by model, the smallest first."""
    needed, most = nodes_needed(curves, TOLD), curves["n_hidden"].max()
    lines = []
    for accuracy, of_accuracy in needed.groupby("accuracy"):
        reached = of_accuracy.dropna(subset="nodes").sort_values("nodes", kind="stable")
        counts = [f"{short_label(row['model'])} {_counts(row)}" for _, row in reached.iterrows()]
        missed = [short_label(model) for model in of_accuracy.loc[of_accuracy["nodes"].isna(), "model"]]
        behind = [f"not with {most} nodes: {', '.join(missed)}"] if missed else []
        lines.append(f"{accuracy:.2f}: {'; '.join([*counts, *behind])}.")
    return Items(lines, "Nodes that reach an accuracy on MNIST, the most useful ones kept (and as they were drawn):")


def _counts(row: pd.Series) -> str:
    drawn = f"{row['drawn_nodes']:.0f}" if row["drawn_nodes"] == row["drawn_nodes"] else "more"
    return f"{row['nodes']:.0f} ({drawn})"


COMPACT = Analysis(
    name=NAME,
    about="Small models of MNIST: accuracy against nodes kept, and the time of an answer",
    reads=(NAME,),
    find=find,
    document=told,
    numbers=lambda curves: curves,
    picture=lambda curves: Picture(draw_compact(curves), curves),
    answer=answer,
    chapter="Figures",
)
