"""The chapters of the page that tell what came out: what every analysis shows, and the readings."""

from __future__ import annotations

import base64
from pathlib import Path

from celm.base.names import dataset_label, model_label
from celm.render.figures import BAND
from experiments.config.study_names import Identity
from experiments.report.document_html import document_html
from experiments.report.gather import Reading, Report, Shown
from experiments.report.markup import Html, anchor_of, fold, join, link, section, simple_table, tag

MEDIA = {".svg": "image/svg+xml", ".png": "image/png"}
# The chapters that analyses have by themselves, in their order, and what stands at their beginning; others follow.
CHAPTERS = {
    "Claims": "The paper's testable sentences.",
    "Curves": f"{BAND} Without a penalty. Point at a plot, or move to it with Tab and use the arrow keys, to read the "
    "values. The buttons show and hide a method.",
    "Causes": "",
    "Wide study": "The same question on a hundred data sets: where the gain comes from, and on which problems.",
    "Readings": "The paper leaves choices open, and its authors' code differs from its text. Each choice is a reading; "
    "the default follows the text. A reading that uses test information can explain a number, but not support it.",
    "Protocols": "",
    "Statistics": "",
    "Figures": f"Curves: {BAND[0].lower()}{BAND[1:]}",
}


def quiet(text: str) -> Html:
    """A remark beside the matter."""
    return tag("p", {"class": "quiet"}, text)


def analysis_chapters(report: Report) -> dict[str, Html]:
    """A chapter for every one that an analysis names, by its title."""
    names = [*CHAPTERS, *sorted({one.analysis.chapter for one in report.shown} - CHAPTERS.keys())]
    return {name: _chapter(name, report) for name in names}


def _chapter(name: str, report: Report) -> Html:
    mine = [one for one in report.shown if one.analysis.chapter == name]
    about = [tag("p", {}, text)] if (text := CHAPTERS.get(name, "")) else []
    parts = [part for one in mine for part in _told(one, report)]
    more = [all_readings(report)] if name == "Readings" else []
    return section(anchor_of(name), name, *about, *parts, *more)


def _told(shown: Shown, report: Report) -> list[Html]:
    """What the page shows of an analysis: its own section, or its picture and its blocks."""
    one = shown.analysis
    if shown.lacks:
        return [quiet(f"Not run yet. {shown.lacks}.")]
    if one.section is not None:
        return [one.section(shown.findings)]
    parts = [picture(one.name, one.about, report)] if one.name in report.pictures else []
    if one.document is not None:
        told = one.document(shown.findings)
        parts += [tag("h3", {}, told.title), document_html(told, one.name.replace("_", " "))]
    return parts


def picture(name: str, caption: str, report: Report) -> Html:
    """A figure inside the page, with links to its other forms beside the page."""
    path = report.pictures[name]
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    image = tag("img", {"src": f"data:{MEDIA[path.suffix]};base64,{data}", "alt": caption, "decoding": "async"})
    others = [file for file in report.files if Path(file).stem == name and file.startswith("figures/")]
    links = join(part for file in others for part in (" ", link(f"../{file}", Path(file).suffix[1:])))
    return tag("figure", {"class": "picture"}, image, tag("figcaption", {}, caption, links))


def all_readings(report: Report) -> Html:
    """Every way to read the paper: what it changes, where it was run, which numbers it explains."""
    header = ["reading", "what it changes", "run on", "explains"]
    listed = simple_table("readings", header, [_reading(reading) for reading in report.readings])
    return fold(f"All {len(report.readings)} readings and what they change", listed)


def _reading(reading: Reading) -> list[str]:
    cells = ", ".join(f"{dataset_label(cell.dataset)} {model_label(cell.model)}" for cell in reading.explains)
    studies = ", ".join(Identity.parse(study).name for study in reading.studies)
    return [tag("code", {}, reading.name), reading.about, studies or "–", cells or "–"]
