"""The walk of one cell from its YAML file to the page, as a picture: python -m experiments.texts.walk.

Every step is a file and what in it does the work; the arrow below it says what is handed on. No file is passed twice.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import NamedTuple

from experiments.command import command

TARGET = Path(__file__).resolve().parents[2] / "docs" / "_static" / "walk.svg"
ROOMS = {"conf": "#f3e8d2", "experiments": "#dfe9f5", "celm": "#e3f1e3", "results": "#efe3f1"}
# Sizes in pixels: a box, the gap that an arrow fills, and the margin around all.
WIDTH, HEIGHT, GAP, MARGIN = 300, 46, 34, 24
COLUMNS = 3


class Step(NamedTuple):
    """A file, the name in it that does the work (empty for a file of data), and what it hands on."""

    file: str
    name: str
    hands_on: str


WALK = (
    Step("conf/experiment/table1.yaml", "", "what is run, in a few lines"),
    Step("experiments/run.py", "main", "a command line"),
    Step("experiments/config/studies.py", "study_of", "a study with its name"),
    Step("celm/study/study_config.py", "StudyConfig", "values in their range"),
    Step("celm/study/planning.py", "plan", "a list of cells"),
    Step("celm/study/cells.py", "Cell", "a cell and its key"),
    Step("experiments/execution.py", "run_study", "the cells that are left"),
    Step("celm/study/executors/local.py", "run_local", "one cell to a process"),
    Step("celm/study/runner.py", "run_cell", "the cell, its clock started"),
    Step("celm/study/inputs.py", "split_of", "rows, features and folds"),
    Step("celm/study/families/elm_family.py", "run_elm", "a search over nodes and λ"),
    Step("celm/models/elm/search.py", "ELMClassifierCV", "a hidden layer and its targets"),
    Step("celm/linalg/gram.py", "FoldGrams", "HᵀH and HᵀT, solved"),
    Step("celm/study/store/local.py", "LocalStore", "records in a file of their own"),
    Step("experiments/publish.py", "publish_records", "finished cells"),
    Step("celm/study/store/published.py", "PublishedStore", "sorted rows with digests"),
    Step("results/records/table1.csv", "", "what is committed"),
    Step("experiments/results.py", "Records", "a tidy frame"),
    Step("experiments/analyses/published_numbers.py", "MEANS", "findings: plain data"),
    Step("celm/render/document.py", "Document", "blocks of text and tables"),
    Step("experiments/report/page.py", "page", "results/report/index.html"),
)


def box(step: Step, number: int) -> str:
    """One step as a rectangle with its file and its name."""
    column, row = divmod(number, -(-len(WALK) // COLUMNS))
    x, y = MARGIN + column * (WIDTH + 2 * MARGIN), MARGIN + row * (HEIGHT + GAP)
    middle, below = x + WIDTH / 2, y + HEIGHT
    lines = [f"{number + 1}. {step.file}", step.name or "data"]
    texts = [_text(middle, y + 19 + 17 * place, line, place) for place, line in enumerate(lines)]
    color = ROOMS[step.file.split("/")[0]]
    rectangle = f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6" fill="{color}" stroke="#555"/>'
    arrow = f'<path d="M{middle} {below} v{GAP - 6}" stroke="#555" marker-end="url(#tip)"/>'
    label = f'<text x="{middle + 8}" y="{below + 20}" font-size="11" fill="#333">{escape(step.hands_on)}</text>'
    return "\n".join([rectangle, *texts, arrow, label])


def _text(x: float, y: float, line: str, place: int) -> str:
    look = 'font-size="12"' if place == 0 else 'font-size="12" font-family="monospace" fill="#333"'
    return f'<text x="{x}" y="{y}" text-anchor="middle" {look}>{escape(line)}</text>'


def picture() -> str:
    """The whole walk as SVG, read down the columns."""
    rows = -(-len(WALK) // COLUMNS)
    width, height = COLUMNS * (WIDTH + 2 * MARGIN), 2 * MARGIN + rows * (HEIGHT + GAP)
    told = "; ".join(f"{number}. {step.file}: {step.hands_on}" for number, step in enumerate(WALK, start=1))
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" role="img">',
        f"<title>The walk of one cell from YAML to page</title><desc>{escape(told)}</desc>",
        '<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="6" refY="3" orient="auto">',
        '<path d="M0 0 L6 3 L0 6 z" fill="#555"/></marker></defs>',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    return "\n".join([*head, *(box(step, number) for number, step in enumerate(WALK)), "</svg>\n"])


def main() -> None:
    """Write docs/_static/walk.svg."""
    TARGET.write_text(picture(), encoding="utf-8")
    print(f"written: {TARGET.name}")


if __name__ == "__main__":
    command(main, __doc__)
