"""The report as Markdown, for those who read the repository: results/README.md."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from celm.analysis.claims import Judged
from celm.analysis.table_cells import TableCell
from celm.analysis.words import CELL_VERDICTS, EXPLAINED
from celm.base.names import MODELS, in_order, model_label
from celm.render.document import Code, Line, Table
from celm.render.markdown import table_text
from experiments.analyses.sentences_marks import marks_of, with_marks
from experiments.report.claim_cards import beyond_text
from experiments.report.gather import Report
from experiments.report.number_tables import column_of, files_of
from experiments.report.paragraph import headline_text
from experiments.report.signs import MARKS


def summary(report: Report) -> str:
    """Headline, the three tables, claims, and where the rest is."""
    parts = [
        "# Results",
        headline_text(report),
        "Everything in this folder is written by the harness (`make publish`, `make report`) from the records in "
        "[`records`](records). [`report/index.html`](report/index.html) shows it all on one page, with rounds, curves, "
        "readings, training times and provenance; [`verdict.json`](verdict.json) holds the same for programs.",
        "In the tables ours stands first, the paper's in brackets. " + _legend(),
    ]
    for table, found in report.tables:
        links = ", ".join(f"[{Path(file).name}]({file})" for file in files_of(table, report))
        notes = f"Calibrated: {'; '.join(table.calibrated)}." if table.calibrated else ""
        parts += [f"## {table.title}", notes, table_text(_table(found.cells)), links]
    parts += ["## Claims", table_text(_claims(report.claims))]
    parts += ["## More", _more(report)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _legend() -> str:
    return ", ".join(f"{MARKS[word]} {word}" for word in CELL_VERDICTS) + "."


def _table(cells: Sequence[TableCell]) -> Table:
    columns = list(dict.fromkeys(column_of(cell) for cell in cells))
    at = {(cell.model, column_of(cell)): cell for cell in cells}
    models = in_order({cell.model for cell in cells}, MODELS)
    rows = [[model_label(model), *(_text(at.get((model, column))) for column in columns)] for model in models]
    return Table(["", *columns], rows)


def _text(cell: TableCell | None) -> Line:
    if cell is None:
        return ""
    ours = "–" if math.isnan(cell.ours) else f"{cell.ours:.3f}"
    theirs = "" if math.isnan(cell.paper) else f" ({cell.paper:.3f})"
    mark = MARKS[cell.verdict] if cell.rounds else ""
    text = f"{ours}{theirs} {mark}".strip()
    return (f"{text} ", Code(cell.reading)) if cell.verdict == EXPLAINED else text


def _claims(claims: Judged) -> Table:
    rows = [
        [
            MARKS[outcome.verdict],
            claim.section,
            f"{claim.says} [{claim.where}]" if claim.where else claim.says,
            with_marks(outcome.verdict, marks_of(claim, outcome)),
            "–" if outcome.beyond.verdict is None else beyond_text(claim, outcome),
            outcome.sentence,
        ]
        for claim, outcome in claims
    ]
    return Table(["", "section", "the paper says", "on these data", "beyond", "found"], rows)


def _more(report: Report) -> str:
    """A line for every analysis on the page that has a table of its own."""
    told = [one.analysis for one in report.shown if one.findings is not None and one.analysis.document is not None]
    lines = [f"- [{one.name}](tables/{one.name}.md): {one.about}" for one in told]
    lines.append("- [figures](figures): every figure as PNG, SVG and PDF with the plotted numbers as CSV")
    return "\n".join(lines)
