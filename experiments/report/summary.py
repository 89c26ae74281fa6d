"""The report as Markdown, for those who read the repository: results/README.md."""

from __future__ import annotations

import math
from collections.abc import Sequence

from celm.base.names import MODELS, in_order, model_label
from experiments.report.cells import TABLES, TableCell
from experiments.report.chapters import headline_text
from experiments.report.gather import Claim, Report
from experiments.report.signs import MARKS
from experiments.report.tables import column_of


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
    for table, cells in report.tables.items():
        parts += [f"## {TABLES[table]}", _table(cells), _files(table, report)]
    if report.claims:
        parts += ["## Claims", _claims(report.claims)]
    parts += ["## More", _more(report)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _legend() -> str:
    words = ("reproduced", "explained", "unexplained", "not run")
    return ", ".join(f"{MARKS[word]} {word}" for word in words) + "."


def _table(cells: Sequence[TableCell]) -> str:
    columns = list(dict.fromkeys(column_of(cell) for cell in cells))
    at = {(cell.model, column_of(cell)): cell for cell in cells}
    lines = [["", *columns], ["---"] * (len(columns) + 1)]
    for model in in_order(list({cell.model for cell in cells}), MODELS):
        lines.append([model_label(model), *(_text(at.get((model, column))) for column in columns)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _text(cell: TableCell | None) -> str:
    if cell is None:
        return ""
    ours = "–" if math.isnan(cell.ours) else f"{cell.ours:.3f}"
    theirs = "" if math.isnan(cell.paper) else f" ({cell.paper:.3f})"
    mark = MARKS[cell.verdict] if cell.rounds else ""
    reading = f" `{cell.reading}`" if cell.verdict == "explained" else ""
    return f"{ours}{theirs} {mark}{reading}".strip()


def _files(table: str, report: Report) -> str:
    files = [file for file in report.files if file.startswith((f"tables/{table}.", f"tables/{table}_verdicts."))]
    return ", ".join(f"[{file.removeprefix('tables/')}]({file})" for file in files)


def _claims(claims: Sequence[Claim]) -> str:
    lines = ["| | section | the paper says | verdict | found |", "|---|---|---|---|---|"]
    for claim in claims:
        cells = (MARKS[claim.verdict], claim.section, claim.says, claim.verdict, claim.sentence)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def _more(report: Report) -> str:
    names = {"causes": "what the gain comes from", "statistics": "tests over data sets and rounds",
             "readings": "readings by distance to the paper", "fig6": "numbers beside Fig 6",
             "spiral_map": "sixty spirals against Fig 3",
             "features": "Table III's image features: codebook and draw"}  # fmt: skip
    lines = [f"- [{name}](tables/{name}.md): {text}" for name, text in names.items() if name in report.chapters]
    lines.append("- [figures](figures): every figure as PNG, SVG and PDF with the plotted numbers as CSV")
    return "\n".join(lines)
