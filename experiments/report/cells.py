"""The accuracy cells of the paper's three tables beside ours: verdict, interval, rounds and training times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from celm.analysis.summary import chosen_rows
from celm.base.names import DATASETS, MODELS, in_order
from celm.study.store import PublishedStore
from experiments.reporting import PAPER, experiment_summary, study_frame

# The tables of the paper, and what each is about.
TABLES = {"table1": "Table I: six UCI sets", "table2": "Table II: MNIST", "table3": "Table III: CIFAR-10"}
VERDICTS = ("reproduced", "explained", "unexplained", "not run")
# The verdict of a cell that the paper does not have.
OURS_ALONE = "ours alone"
# How far a mean in a file of six significant digits may be from the records it was made of.
WRITTEN = 1e-5

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
    verdict: str = "not run"
    reading: str = ""
    reading_mean: float = NAN
    reading_low: float = NAN
    reading_high: float = NAN
    reading_nodes: str = ""
    seconds: float = NAN
    selection_seconds: float = NAN
    paper_seconds: float = NAN
    rounds: tuple[Round, ...] = ()


class StaleResults(Exception):
    """A file under results/ was not made from the records beside it."""


class _Sources(NamedTuple):
    """What the cells of a table are made of: the paper's numbers, summaries, verdicts and rows of our records."""

    paper: pd.DataFrame
    summary: pd.DataFrame
    verdicts: pd.DataFrame
    frame: pd.DataFrame


def count_text(value: Any) -> str:
    """A node count as the paper writes it: ``1000``, ``57.5``, ``700-700-1000``; empty for none."""
    if value is None or value != value or value == "":
        return ""
    try:
        number = float(value)
    except ValueError:
        return str(value)
    return str(int(number)) if number.is_integer() else f"{number:g}"


def cells_of(table: str, results: Path) -> list[TableCell]:
    """Every cell of one of the paper's tables in its order, and the cells that only we have."""
    paper = pd.read_csv(PAPER / f"{table}.csv", dtype={"n_hidden": str})
    documents = list(PublishedStore(results / "records").documents(table, chosen_alone=True).values())
    summary = experiment_summary(table, documents)
    frame = chosen_rows(study_frame(documents)[0]) if documents else pd.DataFrame()
    sources = _Sources(paper, summary, _judged(table, results, bool(documents)), frame)
    cells = [_published(table, row, sources) for _, row in paper.iterrows()]
    return _in_paper_order(cells + _ours_alone(table, sources))


def _judged(table: str, results: Path, run: bool) -> pd.DataFrame:
    """The verdicts that the readings wrote of a table; none for a table that was not run."""
    path = results / "tables" / f"{table}_verdicts.csv"
    if path.exists():
        written = pd.read_csv(path, dtype={"n_hidden": str, "reading_nodes": str})
        verdicts: pd.DataFrame = written[written["verdict"] != "not run"]
        return verdicts
    if run:
        raise StaleResults(f"{table} has published records but no tables/{table}_verdicts.csv: make tables writes it")
    nothing: pd.DataFrame = pd.DataFrame()
    return nothing


def _counted(paper: pd.DataFrame) -> bool:
    """Whether the paper has numbers of one data set and model at more than one node count."""
    return bool(paper.duplicated(["dataset", "model"]).any())


def _key(row: pd.Series, counted: bool) -> Key:
    return row["dataset"], row["model"], count_text(row.get("n_hidden")) if counted else ""


def _found(rows: pd.DataFrame, key: Key) -> pd.DataFrame:
    """The rows of a cell; at any node count if its key names none."""
    if rows.empty:
        return rows
    same = (rows["dataset"] == key[0]) & (rows["model"] == key[1])
    found: pd.DataFrame = rows[same & (rows["n_hidden"].map(count_text) == key[2])] if key[2] else rows[same]
    return found


def _published(table: str, theirs: pd.Series, sources: _Sources) -> TableCell:
    key = _key(theirs, _counted(sources.paper))
    cell = TableCell(
        table,
        *key[:2],
        n_hidden=count_text(theirs.get("n_hidden")),
        column=key[2],
        cited=theirs.get("origin") == "cited",
        paper=float(theirs["accuracy"]),
        paper_seconds=float(theirs.get("train_seconds", NAN)),
    )
    judged, measured = _found(sources.verdicts, key), _measured(key, sources)
    return cell if judged.empty and not measured else _beside(cell, judged, measured)


def _beside(cell: TableCell, judged: pd.DataFrame, measured: Mapping[str, Any]) -> TableCell:
    """The paper's cell with ours; the files it is made of must tell the same."""
    row = judged.iloc[0] if len(judged) else {"accuracy_mean": NAN}
    ours, mean = float(row["accuracy_mean"]), float(measured.get("ours", NAN))
    if not abs(mean - ours) < WRITTEN:
        raise StaleResults(
            f"tables/{cell.table}_verdicts.csv has {ours:.6g} for {cell.dataset} {cell.model} {cell.column}, the "
            f"published records of it have {mean:.6g}: write it anew with make tables"
        )
    words = {name: value for name in ("verdict", "reading", "reading_nodes") if isinstance(value := row.get(name), str)}
    numbers = {name: float(row[name]) for name in ("reading_mean", "reading_low", "reading_high")}
    nodes = {"n_hidden": cell.n_hidden or measured["n_hidden"]}
    return cell._replace(**{**measured, **words, **numbers, **nodes})


def _measured(key: Key, sources: _Sources) -> dict[str, Any]:
    """Accuracy, rounds, times and node count of our cell; nothing if it was not run."""
    found = _found(sources.summary, key)
    if found.empty:
        return {}
    row = found.iloc[0]
    return {
        "ours": float(row["accuracy_mean"]),
        "low": float(row["ci_low"]),
        "high": float(row["ci_high"]),
        "rounds": _rounds(_found(sources.frame, key)),
        "seconds": float(row["fit_seconds"]),
        "selection_seconds": float(row["selection_seconds"]),
        "n_hidden": count_text(row["n_hidden"]),
    }


def _ours_alone(table: str, sources: _Sources) -> list[TableCell]:
    """Our models on the paper's data of which the paper has no number."""
    theirs = set(zip(sources.paper["dataset"], sources.paper["model"], strict=True))
    cells = []
    for _, row in sources.summary.iterrows():
        if (row["dataset"], row["model"]) not in theirs:
            key = _key(row, _counted(sources.paper))
            cell = TableCell(table, *key[:2], n_hidden="", column=key[2], verdict=OURS_ALONE)
            cells.append(cell._replace(**_measured(key, sources)))
    return cells


def _rounds(rows: pd.DataFrame) -> tuple[Round, ...]:
    if rows.empty:
        return ()
    seconds = rows["fit_seconds"] if "fit_seconds" in rows else [NAN] * len(rows)
    columns = zip(rows["round"], rows["n_hidden"], rows["accuracy"], seconds, strict=True)
    return tuple(sorted(Round(int(r), count_text(n), float(a), float(s)) for r, n, a, s in columns))


def _in_paper_order(cells: Sequence[TableCell]) -> list[TableCell]:
    models = in_order(list({cell.model for cell in cells}), MODELS)
    sets = in_order(list({cell.dataset for cell in cells}), DATASETS)
    return sorted(cells, key=lambda c: (sets.index(c.dataset), len(c.column), c.column, models.index(c.model)))


def of_the_paper(cells: Sequence[TableCell]) -> list[TableCell]:
    """The cells that the paper has a number for."""
    return [cell for cell in cells if cell.verdict != OURS_ALONE]
