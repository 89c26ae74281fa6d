"""Where the gain comes from once the scale is controlled: a figure, tables and words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from celm.base.names import dataset_label, model_label
from celm.render.document import Block, Bold, Document, Heading, Items, Line, Paragraph, Table, document
from celm.render.figures import draw_spread
from celm.render.numbers import span
from celm.render.style import DIRECTION_LABELS
from experiments.analyses.spread_judged import OWN, SWEEPS, Spread, find
from experiments.analyses.suite_words import asked, found_text
from experiments.analysis import Analysis, Picture
from experiments.config.entries import conf_file


def at_largest(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of the largest node count of every data set."""
    rows: pd.DataFrame = table[table["n_hidden"] == table.groupby("dataset")["n_hidden"].transform("max")]
    return rows


def sets_text(found: Spread) -> str:
    """The sets that the hypotheses are judged on, and those of the study that are still to be run."""
    there = dict.fromkeys(found.marks["dataset"])
    planned = [name for sweep in SWEEPS for name in conf_file("sweep", sweep).grid.datasets]
    awaited = [dataset_label(name) for name in planned if name not in there]
    judged = f"judged on {', '.join(map(dataset_label, there))}"
    return f"{judged}; not run yet: {', '.join(awaited)}" if awaited else judged


def hypotheses_table(found: Spread) -> Table:
    """A row per part of a hypothesis."""
    rows: list[list[Line]] = []
    for one in found.hypotheses:
        for part, result in zip(one.hypothesis.parts, one.parts, strict=True):
            counts = f"{result.holds}/{result.fails}/{result.open}"
            rows.append([one.hypothesis.says, part.name, asked(part), found_text(result), counts, Bold(result.verdict)])
    return Table(["hypothesis", "lead of", "asked, points", "found (95 %)", "sets hold/fail/open", "verdict"], rows)


def models_table(found: Spread) -> Table:
    """Accuracy and spread of every model at one node count, data sets across."""
    sets = list(dict.fromkeys(found.marks["dataset"]))
    rows = []
    for model in dict.fromkeys(found.marks["model"]):
        mine = found.marks[found.marks["model"] == model].set_index("dataset")
        cells = []
        for name in sets:
            row = mine.loc[name]
            spread = "" if pd.isna(row["spread"]) else f", spread {row['spread']:.2g}"
            cells.append(f"{row['accuracy']:.3f} ({span(row['low'], row['high'])}){spread}")
        rows.append([model_label(model), *cells])
    return Table(["model", *map(dataset_label, sets)], rows)


def best_table(found: Spread) -> Table:
    """Every direction at its best spread, with the uniform bias."""
    best = at_largest(found.best)
    best = best[best["bias"] == "uniform"]
    sets = list(dict.fromkeys(best["dataset"]))
    rows = []
    for direction, label in DIRECTION_LABELS.items():
        mine = best[best["direction"] == direction].set_index("dataset")
        cells = [f"{mine.loc[name, 'accuracy']:.3f} at {mine.loc[name, 'spread']:g}" for name in sets]
        rows.append([label.replace("\n", " "), *cells])
    return Table(["direction", *map(dataset_label, sets)], rows)


def _blocks(found: Spread) -> Iterator[Block]:
    yield Paragraph(
        "The spread of pre-activations is the median over nodes of their standard deviation on the training rows. At "
        "one name of a scale it differs between directions; here every direction is given the same spreads, and models "
        "are marked at the one that their normalisation gives them. Intervals are 95 % over rounds. Hypotheses are "
        f"{sets_text(found)}."
    )
    yield hypotheses_table(found)
    yield Heading("Every direction at the spread where it does best on test rows (descriptive)")
    yield best_table(found)
    yield Heading("Models at their own spread, or at one that folds chose")
    yield models_table(found)


def told(found: Spread) -> Document:
    """Hypotheses, then the numbers."""
    return document("Directions at equal spreads of pre-activations", _blocks(found))


def drawn(found: Spread) -> Picture:
    """Accuracy against spread."""
    curves = at_largest(found.curves)
    return Picture(draw_spread(curves, found.marks), found.curves, {"models": found.marks})


def as_verdict(found: Spread) -> dict[str, Any]:
    """What verdict.json says."""
    return {"hypotheses": [one.document() for one in found.hypotheses]}


def answer(found: Spread) -> Items:
    """A line per hypothesis."""
    lines: list[Line] = []
    for one in found.hypotheses:
        parts = "; ".join(f"{part.name} {found_text(part)}" for part in one.parts)
        lines.append((Bold(one.verdict), f": {one.hypothesis.says} In points: {parts}."))
    return Items(lines, f"Once the scale is controlled ({sets_text(found)}):")


SPREAD = Analysis(
    name="causes_spread",
    about="Causes again: directions at equal spreads of pre-activations, models at the spread they have",
    reads=(*SWEEPS, *OWN),
    needs=(),
    find=find,
    document=told,
    numbers=lambda found: found.marks,
    picture=drawn,
    judged=as_verdict,
    answer=answer,
    chapter="Causes",
)
