"""Numbers that no whole protocol gives: what was tried for each of them, and how near it came."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from celm.analysis.intervals import mean_estimate
from celm.analysis.summary import chosen_rows
from celm.analysis.verdicts import MARGIN, contains, within_margin
from celm.base.names import dataset_label, model_label
from celm.render.document import Block, Code, Document, Line, Paragraph, Table, document
from experiments.analysis import Analysis, Frames
from experiments.papers import PublishedTable, papers

TABLES = papers()["celm"].tables
DEFAULT = "default"
LARGE, NODES = "ml_elm_large", "700-700-15000"
#: What ML-ELM's authors report of that shape on MNIST; the paper quotes it and does not run it.
CITED = 0.9903
#: Table, data set and model of the numbers that are left.
LEFT = (
    ("table1", "mdd_kar", "bp"),
    ("table1", "mdd_fac", "linear_svm"),
    ("table3", "cifar10", "dcn"),
    ("table3", "cifar10", "r2svm"),
)


class Try(NamedTuple):
    """What one way to compute a number gives: its name, the mean of its rounds and their interval, and how many."""

    name: str
    mean: float
    low: float
    high: float
    rounds: int
    reading: bool

    def reaches(self, dataset: str, paper: float) -> bool:
        """As every number is judged: a reading by its interval alone, since the nearest of many is near by chance."""
        near = not self.reading and within_margin(dataset, self.mean - paper)
        return near or contains(self.low, self.high, paper)


class OpenEnd(NamedTuple):
    """A number of the paper and the tries at it, nearest first."""

    where: str
    dataset: str
    paper: float
    tries: list[Try]

    @property
    def standing(self) -> str:
        """Whether a try reaches it."""
        if not self.tries:
            return "not run"
        reached = any(one.reaches(self.dataset, self.paper) for one in self.tries)
        return "reached" if reached else "not identified"


def find(frames: Frames) -> list[OpenEnd]:
    """The numbers of the tables, then the one that is quoted in the text."""
    ends = [_of_table(TABLES[table], dataset, model, frames) for table, dataset, model in LEFT]
    where = f"{model_label('ml_elm')} {NODES} on {dataset_label('mnist')}, quoted"
    return [*ends, OpenEnd(where, "mnist", CITED, _try(LARGE, frames, "mnist", "ml_elm"))]


def _of_table(table: PublishedTable, dataset: str, model: str, frames: Frames) -> OpenEnd:
    printed = frames[table.printed]
    paper = printed.loc[(printed["dataset"] == dataset) & (printed["model"] == model), "accuracy"].iloc[0]
    studies = {DEFAULT: table.name, **{name: table.study_of(name) for name in table.readings}}
    tries = [one for name, study in studies.items() for one in _try(study, frames, dataset, model, name)]
    where = f"{model_label(model)} on {dataset_label(dataset)}, {table.short}"
    return OpenEnd(where, dataset, float(paper), sorted(tries, key=lambda one: abs(one.mean - paper)))


def _try(study: str, frames: Frames, dataset: str, model: str, name: str = "") -> list[Try]:
    """What a study has of a number, if anything."""
    frame = frames.get(study, pd.DataFrame())
    if frame.empty:
        return []
    rows = chosen_rows(frame)
    found = rows.loc[(rows["dataset"] == dataset) & (rows["model"] == model), "accuracy"]
    if found.empty:
        return []
    mean, low, high, *_ = mean_estimate(found)
    return [Try(name or study, mean, low, high, len(found), reading=name not in ("", DEFAULT))]


def _row(end: OpenEnd) -> list[Line]:
    if not end.tries:
        return [end.where, f"{end.paper:.3f}", "0", "", "", "", "", end.standing]
    best = end.tries[0]
    nearest = [Code(best.name), f"{best.mean:.3f}", str(best.rounds), f"{100 * (best.mean - end.paper):+.1f}"]
    return [end.where, f"{end.paper:.3f}", str(len(end.tries)), *nearest, end.standing]


def _blocks(found: list[OpenEnd]) -> Iterator[Block]:
    yield Paragraph(
        "Every way that was run to compute such a number is a try: the default and the readings that touch it. It is "
        f"reached where the default comes within {100 * MARGIN:g} point or the interval of a try holds it. The nearest "
        "try is named because it is nearest, which is no evidence for it."
    )
    heads = ["number", "paper", "tries", "nearest", "ours", "rounds", "ours − paper", "standing"]
    yield Table(heads, [_row(end) for end in found])


def told(found: list[OpenEnd]) -> Document:
    """The table of open ends."""
    return document("Open ends: numbers looked into one by one", _blocks(found))


def _studies(tables: list[str]) -> Iterator[str]:
    for table in (TABLES[name] for name in tables):
        yield from (table.printed, table.name, *(table.study_of(reading) for reading in table.readings))


READ = sorted({name for name, *_ in LEFT})
OPEN_ENDS = Analysis(
    name="open_ends",
    about="Open ends, number by number: what was tried, and how near it came",
    reads=(*_studies(READ), LARGE),
    needs=tuple(TABLES[one].printed for one in READ),
    find=find,
    document=told,
    chapter="Readings",
)
