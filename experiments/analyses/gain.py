"""What the lead of constrained ELMs is made of: effects of :mod:`celm.analysis.causes` as words, tables, a figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from celm.analysis.causes import CHANGES, ELM, NAMED, STEPS, accuracies, at_largest_count, effects, notable_interactions
from celm.base.names import dataset_label, model_label
from celm.render.document import Block, Bold, Code, Document, Heading, Items, Line, Paragraph, Table, document
from celm.render.figures import draw_causes
from celm.render.numbers import percent, points
from experiments.analysis import Analysis, Frames, Picture

# A change closes the gap nearly when the lower limit of the share that it closes is at least this.
NEARLY = 0.8
# The changes that the sentences are about.
TOLD_CHANGES = ("random/squared/uniform", "gaussian/none/uniform", "samples/none/uniform", "gaussian/squared/uniform")


class Gain(NamedTuple):
    """Every effect at every node count, and the accuracy of every combination."""

    effects: pd.DataFrame
    accuracies: pd.DataFrame


def find(frames: Frames) -> Gain:
    """The factorial on all data sets that are complete."""
    together = pd.concat(frames.values(), ignore_index=True)
    return Gain(effects(together), accuracies(together))


def _of(measured: pd.DataFrame, dataset: str, kind: str) -> pd.DataFrame:
    rows: pd.DataFrame = measured[(measured["dataset"] == dataset) & (measured["kind"] == kind)]
    named: pd.DataFrame = rows.set_index("name")
    return named


def _points(row: pd.Series) -> str:
    return points(row["effect"], row["low"], row["high"])


def _percent(row: pd.Series) -> str:
    return percent(row["share"], row["share_low"], row["share_high"])


def _sets(measured: pd.DataFrame) -> list[str]:
    return list(dict.fromkeys(measured["dataset"]))


def verdict(measured: pd.DataFrame, dataset: str) -> Line:
    """One sentence on what closes the gap of a data set, from rows of one node count."""
    gap = _of(measured, dataset, "gap").iloc[0]
    best = model_label(NAMED[str(gap.name)])
    name, head = Bold(dataset_label(dataset)), f", {gap['n_hidden']} nodes: {best} is {_points(gap)} points above ELM"
    if np.isnan(gap["low"]):
        return name, f"{head}; one round has no interval, so the gap is not shared out."
    if not gap["low"] > 0:
        return name, f"{head}: not distinguishable from no gap, so there is nothing to share out."
    changes, steps = _of(measured, dataset, "change"), _of(measured, dataset, "step")
    closes = {model: f"{CHANGES[model]} closes {_percent(changes.loc[model])}" for model in TOLD_CHANGES}
    scale, covariance, samples, both = closes.values()
    return name, (
        f"{head}. Of this gap {scale}, {covariance}, {samples}; {both}, from second moments only: the covariance is "
        f"that of the training rows, no single sample and no label enters. Samples in the place of that Gaussian add "
        f"{_points(steps.loc['samples'])} points, labels after them {_points(steps.loc['labels'])}."
    )


def headline(measured: pd.DataFrame) -> Items:
    """Counts over data sets: on how many each change alone nearly closes the gap, by the lower limit of its share."""
    sets = _sets(measured)
    gaps = {name: _of(measured, name, "gap").iloc[0] for name in sets}
    open_sets = [name for name in sets if gaps[name]["low"] > 0]
    lines: list[Line] = []
    for model in TOLD_CHANGES:
        rows = {name: _of(measured, name, "change").loc[model] for name in open_sets}
        surely = [dataset_label(name) for name, row in rows.items() if row["share_low"] >= NEARLY]
        about = sum(row["share"] >= NEARLY for row in rows.values())
        named = f" ({', '.join(surely)})" if surely else ""
        lines.append(
            (
                f"{CHANGES[model]} (", Code(model), f"): closes at least {100 * NEARLY:.0f} % of it on {len(surely)} "
                f"of {len(open_sets)}{named} by the lower limit of the share, on {about} by its estimate.",
            )
        )  # fmt: skip
    return Items(
        lines, f"{len(open_sets)} of {len(sets)} data sets have a gap between ELM and the best constrained ELM."
    )


def _shares_table(measured: pd.DataFrame, sets: Sequence[str]) -> Table:
    rows = []
    for model, words in CHANGES.items():
        name = f"{words} ({model_label(NAMED[model])})" if model in NAMED else words
        rows.append([name, *(_percent(_of(measured, dataset, "change").loc[model]) for dataset in sets)])
    return Table(["changed in ELM", *map(dataset_label, sets)], rows)


def _points_table(measured: pd.DataFrame, sets: Sequence[str], kind: str, head: str) -> Table:
    tables = {dataset: _of(measured, dataset, kind) for dataset in sets}
    names = list(next(iter(tables.values())).index)
    rows = [[name, *(_points(table.loc[name]) for table in tables.values())] for name in names]
    return Table([head, *map(dataset_label, sets)], rows)


def _by_count_table(measured: pd.DataFrame) -> Table:
    rows = []
    for (dataset, count), group in measured.groupby(["dataset", "n_hidden"], sort=False):
        gap, changes = _of(group, str(dataset), "gap").iloc[0], _of(group, str(dataset), "change")
        shares = [_percent(changes.loc[model]) for model in TOLD_CHANGES]
        rows.append([dataset_label(str(dataset)), str(count), model_label(NAMED[str(gap.name)]), _points(gap), *shares])
    return Table(["data set", "nodes", "best", "gap", *(CHANGES[model] for model in TOLD_CHANGES)], rows)


def _interactions(measured: pd.DataFrame) -> Block:
    found = notable_interactions(measured)
    rows = [[dataset_label(row["dataset"]), row["name"], _points(row)] for _, row in found.iterrows()]
    return Table(["data set", "together", "beyond their sum"], rows) if rows else Paragraph("None.")


def _blocks(measured: pd.DataFrame) -> Iterator[Block]:
    largest = at_largest_count(measured)
    sets = _sets(largest)
    yield Paragraph(
        (
            "ELM is ", Code(ELM), f"; the best of {', '.join(map(model_label, NAMED.values()))} sets the gap. Rounds "
            "are paired; intervals are 95 %, corrected where rounds are random splits of the same rows; shares by "
            "Fieller's theorem, a dash where no gap is distinguishable from zero. Points are hundredths of accuracy. "
            "At one name of a scale the spread of pre-activations still differs between directions, so a direction's "
            "effect holds what its own length does.",
        )
    )  # fmt: skip
    yield headline(largest)
    yield Items([verdict(largest, dataset) for dataset in sets])
    yield Heading("Share of the gap that a change of ELM closes, at the largest node count")
    yield _shares_table(largest, sets)
    yield Heading(f"One ingredient after the other, in points: {' → '.join(STEPS)}")
    yield _points_table(largest, sets, "step", "added")
    yield Heading("Main effects in points, against ELM's level and averaged over the other two factors")
    yield _points_table(largest, sets, "main effect", "level")
    yield Heading("Interactions of at least one point whose interval leaves out zero")
    yield _interactions(largest)
    yield Heading("By node count")
    yield _by_count_table(measured)


def told(gain: Gain) -> Document:
    """The study on one page: counts, a verdict per data set, then the tables behind them."""
    return document("What the lead of constrained ELMs is made of", _blocks(gain.effects))


CAUSES = Analysis(
    name="causes",
    about="What the gain comes from: direction, scale and bias of the hidden nodes taken apart",
    reads=("causes_mdd", "causes_mnist", "causes_cifar10"),
    needs=(),
    find=find,
    document=told,
    numbers=lambda gain: gain.effects,
    picture=lambda gain: Picture(draw_causes(at_largest_count(gain.accuracies)), gain.accuracies),
    answer=lambda gain: headline(at_largest_count(gain.effects)),
    chapter="Causes",
)
