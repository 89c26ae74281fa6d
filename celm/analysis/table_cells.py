"""The cells of a published table beside ours, whole: verdict, interval, reading, rounds and training times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from celm.analysis.summary import SCORES, chosen_rows, columns_of, table_summary
from celm.analysis.verdicts import cell_verdicts, count_text
from celm.analysis.words import NOT_RUN, OURS_ALONE
from celm.base.names import DATASETS, MODELS, in_order

NAN = float("nan")
# Data set, model, and the node count in a table that has numbers at several.
Key = tuple[str, str, str]


class Round(NamedTuple):
    """What one round of a cell came to."""

    round: int
    n_hidden: str
    accuracy: float
    seconds: float


class TableCell(NamedTuple):
    """One number of a table, the paper's and ours; not a number where there is none."""

    table: str
    dataset: str
    model: str
    n_hidden: str
    column: str = ""
    cited: bool = False
    paper: float = NAN
    ours: float = NAN
    low: float = NAN
    high: float = NAN
    verdict: str = NOT_RUN
    reading: str = ""
    reading_mean: float = NAN
    reading_low: float = NAN
    reading_high: float = NAN
    reading_nodes: str = ""
    seconds: float = NAN
    selection_seconds: float = NAN
    paper_seconds: float = NAN
    rounds: tuple[Round, ...] = ()


class JudgedTable(NamedTuple):
    """All that is known of a published table.

    summary: our means beside the paper's. readings: those of every reading that was run. base: of the default at the
    node counts of the readings. verdicts: one row per published number. cells: the same with rounds and times, and the
    cells that only we have.
    """

    name: str
    paper: pd.DataFrame
    summary: pd.DataFrame
    readings: dict[str, pd.DataFrame]
    base: pd.DataFrame | None
    verdicts: pd.DataFrame
    cells: list[TableCell]


def judged_table(
    name: str,
    paper: pd.DataFrame,
    frame: pd.DataFrame,
    readings: Mapping[str, pd.DataFrame],
    base: pd.DataFrame | None = None,
) -> JudgedTable:
    """A published table judged from frames of records: the default, its readings, and their base where it has one.

    Every mean is made once, here; tables, verdicts and cells are read off it.
    """
    summary = _summary(frame, paper)
    means = {reading: _summary(rows) for reading, rows in readings.items()}
    plain = None if base is None else _summary(base)
    verdicts = cell_verdicts(paper, summary, means, plain)
    rows = frame if frame.empty else chosen_rows(frame)
    return JudgedTable(name, paper, summary, means, plain, verdicts, _cells(name, paper, summary, verdicts, rows))


def _summary(frame: pd.DataFrame, paper: pd.DataFrame | None = None) -> pd.DataFrame:
    return pd.DataFrame(columns=columns_of(SCORES[0])) if frame.empty else table_summary(frame, paper)


def _cells(
    name: str, paper: pd.DataFrame, summary: pd.DataFrame, verdicts: pd.DataFrame, frame: pd.DataFrame
) -> list[TableCell]:
    counted = bool(paper.duplicated(["dataset", "model"]).any())
    cells = []
    for _, theirs in paper.iterrows():
        key = _key(theirs, counted)
        cell = TableCell(
            name,
            *key[:2],
            n_hidden=count_text(theirs.get("n_hidden")),
            column=key[2],
            cited=theirs.get("origin") == "cited",
            paper=float(theirs["accuracy"]),
            paper_seconds=float(theirs.get("train_seconds", NAN)),
        )
        cells.append(_beside(cell, _found(verdicts, key).iloc[0], _measured(key, summary, frame)))
    published = {(cell.dataset, cell.model) for cell in cells}
    for _, row in summary.iterrows():
        if (row["dataset"], row["model"]) not in published:
            key = _key(row, counted)
            cell = TableCell(name, *key[:2], n_hidden="", column=key[2], verdict=OURS_ALONE)
            cells.append(cell._replace(**_measured(key, summary, frame)))
    return _in_paper_order(cells)


def _key(row: pd.Series, counted: bool) -> Key:
    return row["dataset"], row["model"], count_text(row.get("n_hidden")) if counted else ""


def _found(rows: pd.DataFrame, key: Key) -> pd.DataFrame:
    """The rows of a cell; at any node count if its key names none."""
    if rows.empty:
        return rows
    same = (rows["dataset"] == key[0]) & (rows["model"] == key[1])
    found: pd.DataFrame = rows[same & (rows["n_hidden"].map(count_text) == key[2])] if key[2] else rows[same]
    return found


def _beside(cell: TableCell, row: pd.Series, measured: Mapping[str, Any]) -> TableCell:
    """The paper's cell with its verdict and ours."""
    if not measured:
        return cell
    words = {name: value for name in ("verdict", "reading", "reading_nodes") if isinstance(value := row[name], str)}
    numbers = {name: float(row[name]) for name in ("reading_mean", "reading_low", "reading_high")}
    nodes = {"n_hidden": cell.n_hidden or measured["n_hidden"]}
    return cell._replace(**{**measured, **words, **numbers, **nodes})


def _measured(key: Key, summary: pd.DataFrame, frame: pd.DataFrame) -> dict[str, Any]:
    """Accuracy, rounds, times and node count of our cell; nothing if it was not run."""
    found = _found(summary, key)
    if found.empty:
        return {}
    row = found.iloc[0]
    return {
        "ours": float(row["accuracy_mean"]),
        "low": float(row["ci_low"]),
        "high": float(row["ci_high"]),
        "rounds": _rounds(_found(frame, key)),
        "seconds": float(row["fit_seconds"]),
        "selection_seconds": float(row["selection_seconds"]),
        "n_hidden": count_text(row["n_hidden"]),
    }


def _rounds(rows: pd.DataFrame) -> tuple[Round, ...]:
    seconds = rows["fit_seconds"] if "fit_seconds" in rows else [NAN] * len(rows)
    columns = zip(rows["round"], rows["n_hidden"], rows["accuracy"], seconds, strict=True)
    return tuple(sorted(Round(int(r), count_text(n), float(a), float(s)) for r, n, a, s in columns))


def _in_paper_order(cells: Sequence[TableCell]) -> list[TableCell]:
    models = in_order({cell.model for cell in cells}, MODELS)
    sets = in_order({cell.dataset for cell in cells}, DATASETS)
    return sorted(cells, key=lambda c: (sets.index(c.dataset), len(c.column), c.column, models.index(c.model)))


def of_the_paper(cells: Sequence[TableCell]) -> list[TableCell]:
    """The cells that the paper has a number for."""
    return [cell for cell in cells if cell.verdict != OURS_ALONE]
