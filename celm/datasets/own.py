"""A user's own table: dataset=csv dataset.path=FILE [dataset.target=COLUMN].

Its splits follow from its content, not from the name of its file. What was read is said in one line.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from celm.base.files import user_path
from celm.base.validation import check_choice, check_flag, nearest
from celm.datasets.columns import Column, Handling, Table, listed, read_columns, typed
from celm.datasets.dataset import Dataset, DatasetError, as_dataset
from celm.datasets.doubts import doubts
from celm.datasets.entry import Entry
from celm.datasets.params import check_text
from celm.datasets.text_file import SEPARATORS, read_text_file

logger = logging.getLogger("celm.datasets")


@dataclass(frozen=True)
class CsvParams:
    """A text table.

    Attributes
    ----------
    path : str
        The file, plain or packed with gzip.
    target : str, optional
        The column of the label; None: the last one.
    drop : list of str
        Columns to leave out.
    separator : {"auto", "comma", "semicolon", "tab", "pipe"}
        What stands between two fields; "auto" finds it, or says what to type.
    decimal : {"point", "comma"}
        What stands before the fraction of a number.
    header : bool
        Whether the first line names the columns; else they are called 1, 2, 3 ….
    nominal : {"refuse", "onehot"}
        Columns that are not numbers: refused, or one column of zeros and ones per level seen in training rows.
    missing : {"refuse", "median"}
        Gaps: refused, or filled with the median of the training rows.
    """

    path: str
    target: str | None = None
    drop: list[str] = field(default_factory=list)
    separator: str = "auto"
    decimal: str = "point"
    header: bool = True
    nominal: str = "refuse"
    missing: str = "refuse"

    def __post_init__(self) -> None:
        if self.path == "":
            raise ValueError("csv: path must name a file, on a command line as dataset.path=my.csv; got none.")
        check_text(str(self.path) if isinstance(self.path, Path) else self.path, "path", "csv")
        if self.target is not None:
            check_text(self.target, "target", "csv")
        for name in self.drop:
            check_text(name, "drop", "csv")
        names = {mark: name for name, mark in SEPARATORS.items()}
        object.__setattr__(self, "separator", names.get(self.separator, self.separator))
        check_choice(self.separator, "separator", ["auto", *SEPARATORS], "csv")
        check_flag(self.header, "header", "csv")
        self.handling.check("csv")

    @property
    def handling(self) -> Handling:
        """What to do with columns that are not numbers, and with gaps."""
        return Handling(self.nominal, self.missing, self.decimal)


def load_csv(params: CsvParams) -> Dataset:
    """The data set of a text table, named ``csv-<file name without its endings>``."""
    if "://" in str(params.path):
        raise DatasetError(f"{params.path} is an address; dataset.path must name a file of this machine.")
    path = user_path(str(params.path))
    owner = f"The file {path}"
    columns = read_text_file(path, params.separator, header=params.header)
    for name in params.drop:
        if name not in columns:
            raise DatasetError(
                f"{owner} has no column {name!r} to drop; its columns are {listed(list(columns))}."
                f"{nearest(name, columns)}"
            )
    if params.target is not None and params.target in params.drop:
        raise DatasetError(f"{owner}: column {params.target!r} is the target, and dataset.drop leaves it out.")
    kept = {name: column for name, column in columns.items() if name not in params.drop}
    if not kept:
        raise DatasetError(f"{owner} has no column left: dataset.drop leaves all of them out.")
    _check_names(kept, owner)
    table = read_columns(kept, params.target, params.handling, owner)
    if not any(len(set(column)) > 1 for name, column in kept.items() if name != table.target):
        raise DatasetError(f"{owner} has the same features in every row: there is nothing to tell classes apart by.")
    for doubt in doubts(kept, table, params.handling):
        logger.warning("%s: %s", path.name, doubt)
    name = f"csv-{path.name.removesuffix('.gz').rpartition('.')[0] or path.name}"
    logger.info("%s: %s", name, described(table))
    return as_dataset(name, table.arrays, table.classes, "file", nominal=table.nominal)


def _check_names(columns: Mapping[str, Column], owner: str) -> None:
    """Refuse a column without a name, and say what it may be: an empty one, the label, or row numbers."""
    unnamed = next((name for name in columns if name.startswith("Unnamed: ")), None)
    if unnamed is None:
        return
    way = f"leave it out with {typed('drop', unnamed)}"
    if not any(columns[unnamed]):
        way = f"and without a value: every line has a separator too many; {way}"
    elif unnamed == list(columns)[-1]:
        way = f"the last one, which is the label unless dataset.target names another; name it, or {way}"
    else:
        way = f"as pandas writes its row numbers; {way}, or write the file with to_csv(index=False)"
    raise DatasetError(f"{owner} has a column without a name ({unnamed!r}), {way}.")


def described(table: Table) -> str:
    """What was read, and how to have another label: ``178 rows, 13 features, label 'target' (3 classes); …``."""
    n_rows, n_features = table.arrays.X.shape
    spread = f", {len(table.nominal)} of them nominal" if table.nominal else ""
    return (
        f"{n_rows} rows, {n_features} feature{'s' if n_features > 1 else ''}{spread}, label {table.target!r} "
        f"({len(table.classes)} classes); dataset.target=… changes it"
    )


ENTRIES = (
    Entry(
        name="csv",
        sources=("file",),
        load=lambda params, _order, _cache: load_csv(params),
        status=lambda _cache: [("file", True, "read where its path says")],
        params=CsvParams,
        own=True,
    ),
)
