"""The paper's tables with ours beside each number, every cell to be opened to its rounds; and the training times."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from celm.analysis.cell_equivalence import by_default, margin_of
from celm.analysis.table_cells import Round, TableCell
from celm.analysis.words import CELL_VERDICTS, EXPLAINED, OURS_ALONE
from celm.base.names import MODELS, dataset_label, in_order, model_label
from experiments.config.study_names import Identity
from experiments.papers import PublishedTable
from experiments.report.gather import Report
from experiments.report.markup import Html, command, hidden_text, join, link, scrolling, section, tag
from experiments.report.signs import MARKS, badge, legend, verdict_class

# Width and height of the strip that shows the rounds of a cell as dots.
STRIP_WIDTH, STRIP_HEIGHT = 240, 26


def column_of(cell: TableCell) -> str:
    """The column of a cell: its data set, and the node count where a table has several."""
    return f"{dataset_label(cell.dataset)}, {cell.column} nodes" if cell.column else dataset_label(cell.dataset)


def rerun_command(cell: TableCell, study: str = "") -> str:
    """The command that runs all rounds of a cell again, or those of a study of it such as ``table1+raw_values``."""
    words = [*Identity.parse(study or cell.table).overrides(), f"dataset={cell.dataset}", f"model={cell.model}"]
    return " ".join(["python -m experiments.run", *words])


def studies_of(cell: TableCell, report: Report) -> list[str]:
    """The published studies that gave the reading beside a cell."""
    names = [origin.experiment for origin in report.origins]
    return [
        name for name in names if name.startswith(cell.table) and Identity.parse(name).reading == cell.reading != ""
    ]


def span(low: float, high: float) -> str:
    """An interval in words; a single round has none."""
    return "no interval, a single round" if math.isnan(low) else f"{low:.3f} to {high:.3f}"


def numbers(report: Report) -> Html:
    """The three tables."""
    about = (
        "Ours above, the paper's below. Press a number for its interval, its rounds, the reading that explains it and "
        "the command that runs it again."
    )
    rates = [f"{table.short} {100 * report.chance_rates()[table.name]:.0f} %" for table, _ in report.tables]
    chance = (
        "The signs stand for the older, exploratory rule: a reading is picked for each number by itself. Of random "
        f"numbers within ±3 points of ours that rule would call reproduced or explained: {', '.join(rates)}. Open a "
        "number for its verdict by equivalence."
    )
    parts = [_table(table, found.cells, report) for table, found in report.tables]
    return section("tables", "Tables", tag("p", {}, about), legend(CELL_VERDICTS), tag("p", {}, chance), *parts)


def _table(table: PublishedTable, cells: Sequence[TableCell], report: Report) -> Html:
    columns = list(dict.fromkeys(column_of(cell) for cell in cells))
    at = {(cell.model, column_of(cell)): cell for cell in cells}
    rows = []
    for model in in_order(list({cell.model for cell in cells}), MODELS):
        mine = [at.get((model, column)) for column in columns]
        rows.append(tag("tr", {}, tag("th", {"scope": "row"}, model_label(model)), *(_number(cell) for cell in mine)))
        rows += [_opened(cell, len(columns) + 1, report) for cell in mine if cell is not None]
    head = tag("tr", {}, tag("td", {}), *(tag("th", {"scope": "col"}, column) for column in columns))
    body = tag("table", {"class": "numbers"}, tag("thead", {}, head), tag("tbody", {}, *rows))
    links = join(part for file in files_of(table, report) for part in (link(f"../{file}", Path(file).name), " "))
    title = tag("h3", {"id": table.name}, table.title)
    notes = [tag("p", {"class": "quiet"}, f"Calibrated: {'; '.join(table.calibrated)}.")] if table.calibrated else []
    return join([title, *notes, scrolling(table.title, body), tag("p", {"class": "quiet"}, links)])


def files_of(table: PublishedTable, report: Report) -> list[str]:
    """The files of a table and of its verdicts."""
    return [
        file for file in report.files if file.startswith((f"tables/{table.name}.", f"tables/{table.name}_verdicts."))
    ]


def _anchor(cell: TableCell) -> str:
    return "-".join(word for word in (cell.table, cell.dataset, cell.model, cell.column) if word)


def _shown(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}"


def _number(cell: TableCell | None) -> Html:
    """One cell of a table: a button that opens it."""
    if cell is None:
        return tag("td", {})
    mark = tag("span", {"class": "mark", "aria-hidden": "true"}, MARKS[cell.verdict]) if cell.rounds else ""
    theirs = "not in the paper" if cell.verdict == OURS_ALONE else f"paper {_shown(cell.paper)}"
    name = hidden_text(f", {model_label(cell.model)} on {column_of(cell)}: {cell.verdict}")
    texts = [tag("b", {}, _shown(cell.ours)), mark, tag("small", {}, theirs), name]
    press = {"type": "button", "aria-expanded": "false", "aria-controls": _anchor(cell)}
    return tag("td", {"class": verdict_class(cell.verdict)}, tag("button", press, *texts))


def _opened(cell: TableCell, width: int, report: Report) -> Html:
    """What a cell shows when it is opened."""
    where = f"{model_label(cell.model)} on {column_of(cell)}"
    parts = [tag("p", {}, badge(cell.verdict), " ", tag("strong", {}, where)), *_told(cell)]
    if cell.rounds:
        parts.append(_rounds(cell))
    if cell.table in report.experiments:
        parts += [command(rerun_command(cell, study)) for study in (cell.table, *studies_of(cell, report))]
    inner = tag("div", {"class": "opened"}, *parts)
    row = {"id": _anchor(cell), "class": "rounds" if cell.rounds else "rounds empty", "hidden": True}
    return tag("tr", row, tag("td", {"colspan": str(width)}, inner))


def _told(cell: TableCell) -> list[Html]:
    if not cell.rounds:
        cited = " The paper cites this number, it did not run it." if cell.cited else ""
        return [tag("p", {}, f"Paper {cell.paper:.3f}; not run here.{cited}")]
    theirs = "" if math.isnan(cell.paper) else f", paper {cell.paper:.3f}, difference {cell.ours - cell.paper:+.3f}"
    nodes = f", {cell.n_hidden} nodes{' (median of those chosen)' if not cell.column else ''}" if cell.n_hidden else ""
    lines = [f"Ours {cell.ours:.3f} ({span(cell.low, cell.high)}){theirs}{nodes}."]
    same = by_default(cell)
    if same is not None and not math.isnan(cell.paper) and not math.isnan(same.low):
        points = f"{100 * same.difference:+.1f} points ({100 * same.low:+.1f} to {100 * same.high:+.1f} at 90 %)"
        lines.append(f"By equivalence: {same.verdict}; {points}, margin {100 * margin_of(cell.dataset):.1f}.")
    if cell.cited:
        lines.append("The paper cites this number, it did not run it.")
    if cell.reading:
        how = "explains it" if cell.verdict == EXPLAINED else "comes nearest of the readings that were run"
        at = f", run at {cell.reading_nodes} nodes and carried over" if cell.reading_nodes else ""
        interval = "" if math.isnan(cell.reading_low) else f" ({span(cell.reading_low, cell.reading_high)})"
        lines.append(f"Reading {cell.reading} {how}: {cell.reading_mean:.3f}{interval}{at}.")
    return [tag("p", {}, line) for line in lines]


def _rounds(cell: TableCell) -> Html:
    """The rounds as dots beside the paper's value, and as numbers."""
    several = len({one.n_hidden for one in cell.rounds}) > 1
    texts = [tag("li", {}, f"{one.accuracy:.3f}", _nodes(one) if several else "") for one in cell.rounds]
    return tag("div", {"class": "strip"}, strip(cell), tag("ol", {}, *texts))


def _nodes(one: Round) -> Html:
    return tag("small", {}, f" {one.n_hidden} nodes")


def strip(cell: TableCell) -> Html:
    """Rounds as dots, our interval as a bar, the paper's value as an upright line."""
    values = [one.accuracy for one in cell.rounds]
    known = [value for value in (*values, cell.paper, cell.low, cell.high) if not math.isnan(value)]
    low, high = min(known), max(known)
    room = (high - low) or 0.01

    def x(value: float) -> str:
        return f"{8 + (value - low) / room * (STRIP_WIDTH - 16):.1f}"

    parts = [tag("path", {"class": "axis", "d": f"M4 13H{STRIP_WIDTH - 4}"})]
    if not math.isnan(cell.low):
        parts.append(tag("path", {"class": "interval", "d": f"M{x(cell.low)} 13H{x(cell.high)}"}))
    parts += [tag("circle", {"cx": x(value), "cy": "13", "r": "3.2"}) for value in values]
    if not math.isnan(cell.paper):
        parts.append(tag("path", {"class": "paper", "d": f"M{x(cell.paper)} 2V24"}))
    label = f"rounds from {min(values):.3f} to {max(values):.3f}"
    view = {"viewBox": f"0 0 {STRIP_WIDTH} {STRIP_HEIGHT}", "role": "img", "aria-label": label}
    return tag("svg", view, *parts)


def seconds_text(value: float) -> str:
    """Seconds with two significant digits; nothing where none were measured."""
    if math.isnan(value):
        return "–"
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}" if value >= 1e-3 else f"{value:.0e}"


def times(report: Report) -> Html:
    """Seconds of training, ours beside the paper's."""
    about = (
        "Seconds to train: ours in bold, in brackets what choosing node count and λ by three folds adds, below it the "
        "paper's. The two are not comparable: ours is the wall time of one fit on the machine under Provenance, the "
        "paper's is MATLAB's cputime on its authors' machine, which adds up all cores and may include the choice. "
        "Within our column Table I compares the node counts that were chosen, its cells ran side by side, rounds of "
        "Tables II and III beside other work, some up to half again as long for it, and the choice of R²SVM was "
        "suspended for more than an hour. Claims on speed are ratios within a run: on MNIST and on layers from runs "
        "that had the machine to themselves, on Table I from the table's own rounds. They tell of this implementation."
    )
    parts = [tag("p", {}, about)]
    for table, found in report.tables:
        if any(cell.rounds or not math.isnan(cell.paper_seconds) for cell in found.cells):
            parts += [tag("h3", {}, table.title), _times(table.title, found.cells)]
    return section("times", "Training times", *parts)


def _times(title: str, cells: Sequence[TableCell]) -> Html:
    columns = list(dict.fromkeys(column_of(cell) for cell in cells))
    at = {(cell.model, column_of(cell)): cell for cell in cells}
    head = tag("tr", {}, tag("td", {}), *(tag("th", {"scope": "col"}, column) for column in columns))
    rows = [
        tag("tr", {}, tag("th", {"scope": "row"}, model_label(model)), *(_time(at.get((model, c))) for c in columns))
        for model in in_order(list({cell.model for cell in cells}), MODELS)
    ]
    body = tag("table", {"class": "plain times"}, tag("thead", {}, head), tag("tbody", {}, *rows))
    return scrolling(f"{title}, training times", body)


def _time(cell: TableCell | None) -> Html:
    if cell is None:
        return tag("td", {})
    chosen = "" if math.isnan(cell.selection_seconds) else f" (+{seconds_text(cell.selection_seconds)})"
    ours = tag("b", {}, seconds_text(cell.seconds))
    theirs = "" if math.isnan(cell.paper_seconds) else tag("small", {}, f"paper {seconds_text(cell.paper_seconds)}")
    return tag("td", {}, ours, chosen, theirs)
