"""The chapters of the page that tell what came out: verdict, curves, claims, causes, readings, statistics, figures."""

from __future__ import annotations

import base64
import math
from itertools import groupby
from pathlib import Path

from celm.analysis.claims.outcome import Item, with_interval
from celm.analysis.verdicts import MARGIN, MARGINS
from celm.base.names import dataset_label, model_label
from experiments.report import markdown
from experiments.report.gather import CHAPTERS, PICTURES, Claim, Reading, Report
from experiments.report.markup import Html, fold, join, link, section, simple_table, tag
from experiments.report.signs import badge, counts_bar
from experiments.report.svg import curve_figure, plane

# Whether a comparison of a claim holds.
HOLDS = {True: "✓ holds", False: "✗ fails", None: "? open"}
MEDIA = {".svg": "image/svg+xml", ".png": "image/png"}


def quiet(text: str) -> Html:
    """A remark beside the matter."""
    return tag("p", {"class": "quiet"}, text)


def headline_text(report: Report) -> str:
    """The answer in one paragraph, in numbers."""
    cells, claims = report.cell_counts(), report.claim_counts()
    text = (
        f"Of the paper's {sum(cells.values())} accuracy numbers {cells['reproduced']} are reproduced, "
        f"{cells['explained']} more are explained by a named reading of the paper, {cells['unexplained']} stay open"
    )
    text += f", {cells['not run']} not run." if cells["not run"] else "."
    if not report.claims:
        return f"{text} Its claims are not judged yet."
    told = ", ".join(f"{n} {verdict}" for verdict, n in claims.items() if n)
    return f"{text} Of {len(report.claims)} claims in its text: {told}."


def headline(report: Report) -> Html:
    """What came out, first."""
    bars = [counts_bar(report.cell_counts(), f"{len(report.paper_cells())} accuracy numbers")]
    if report.claims:
        bars.append(counts_bar(report.claim_counts(), f"{len(report.claims)} claims"))
    margins = ", ".join(f"{margin:.3f} on {dataset_label(name)}" for name, margin in MARGINS.items())
    rule = (
        f"Reproduced: the 95 % interval of our mean over rounds holds the published number, or our mean is within "
        f"{MARGIN:.3f} of it ({margins}). Explained: neither, but a reading of the paper that was run gives an "
        f"interval that holds it. The margins were set before any outcome was seen."
    )
    answer = tag("p", {"class": "answer"}, headline_text(report))
    counts = tag("div", {"class": "counts"}, *bars)
    return section("verdict", "Does the paper hold up?", answer, counts, *_finding(report), quiet(rule))


def _finding(report: Report) -> list[Html]:
    """What the causes begin with: the counts over data sets."""
    told = markdown.first_list(report.chapters.get("causes", ""))
    more = tag("p", {}, link("#causes", "The gap taken apart"))
    return [tag("div", {"class": "finding"}, tag("h3", {}, "Where the gain comes from"), told, more)] if told else []


def curves(report: Report) -> Html:
    """Figures 3 to 5, alive."""
    about = (
        "Means over rounds without a penalty; bands are 95 % intervals of the mean. Point at a plot, or move to it "
        "with Tab and use the arrow keys, to read the values. The buttons show and hide a method."
    )
    return section("curves", "Curves", tag("p", {}, about), *(curve_figure(figure) for figure in report.curves))


def claims(report: Report) -> Html:
    """Every testable sentence of the paper and what became of it, by the paper's sections."""
    if not report.claims:
        return section("claims", "Claims", quiet("The claims are not judged yet."))
    about = (
        "The paper's testable sentences. What would count was written down before any outcome was seen. A comparison "
        "holds when its whole 95 % interval lies where the claim asks, fails when all of it lies outside, and is open "
        "otherwise. Reproduced: all comparisons hold. Partly: some do."
    )
    parts = [tag("p", {}, about)]
    for name, group in groupby(report.claims, key=lambda claim: claim.section):
        parts += [tag("h3", {}, name if name == "Abstract" else f"§{name}"), *map(_claim, group)]
    return section("claims", "Claims", *parts)


def _found(claim: Claim) -> Html | str:
    """The mean effect with its interval beside what was asked; nothing where nothing was run."""
    if claim.effect is None:
        return ""
    low, high = (math.nan if end is None else end for end in (claim.low, claim.high))
    effect = with_interval(Item(claim.id, claim.effect, low, high), claim.unit)
    return tag("small", {"class": "found"}, f"{effect}; asked {claim.asked}")


def _claim(claim: Claim) -> Html:
    head = tag("summary", {}, badge(claim.verdict), " ", tag("q", {}, claim.says), " ", _found(claim))
    rows = [tag("p", {}, claim.sentence), tag("p", {"class": "quiet"}, f"Asked: {claim.asked}. {claim.why}")]
    if len(claim.numbers) > 1:
        found = [[one["label"], one["text"], HOLDS[one["holds"]]] for one in claim.numbers]
        rows.append(simple_table(f"{claim.id}: the numbers", ["comparison", "found (95 %)", "holds"], found))
    return tag("details", {"class": "claim", "id": f"claim-{claim.id}"}, head, *rows)


def picture(name: str, caption: str, report: Report) -> Html:
    """A figure inside the page, with links to its other forms beside the page."""
    path = report.pictures[name]
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    image = tag("img", {"src": f"data:{MEDIA[path.suffix]};base64,{data}", "alt": caption, "decoding": "async"})
    others = [file for file in report.files if Path(file).stem == name and file.startswith("figures/")]
    links = join(part for file in others for part in (" ", link(f"../{file}", Path(file).suffix[1:])))
    return tag("figure", {"class": "picture"}, image, tag("figcaption", {}, caption, links))


def chapter(name: str, report: Report) -> list[Html]:
    """A text that another part of the study wrote, and its picture; a word of absence otherwise."""
    shown, caption = CHAPTERS[name]
    parts = [picture(shown, caption, report)] if shown in report.pictures else []
    if name in report.chapters:
        parts.append(markdown.html(report.chapters[name], name.replace("_", " ")))
    return parts or [quiet("Not run yet.")]


def figures(report: Report) -> Html:
    """The other figures: pictures, and Fig 6's points."""
    parts = [picture(name, text, report) for name, text in PICTURES.items() if name in report.pictures]
    if "spiral_map" in report.chapters:
        parts.append(fold("The spirals behind the map, as a table", *chapter("spiral_map", report)))
    if "features" in report.chapters:
        parts += [tag("h3", {}, "The image features of Table III"), *chapter("features", report)]
    parts.append(tag("h3", {}, "Fig 6: hidden outputs of MNIST digits in the plane by t-SNE"))
    shown = tag("div", {"class": "plots planes"}, *(plane(one) for one in report.planes))
    return section("figures", "Figures", *parts, shown, *chapter("fig6", report))


def causes(report: Report) -> Html:
    """What the gain comes from."""
    return section("causes", "Causes", *chapter("causes", report))


def statistics(report: Report) -> Html:
    """Tests over data sets and rounds."""
    return section("statistics", "Statistics", *chapter("statistics", report))


def readings(report: Report) -> Html:
    """Every way to read the paper: what it changes, where it was run, which numbers it explains."""
    about = (
        "The paper leaves choices open, and its authors' code differs from its text. Each choice is a reading; the "
        "default follows the text. A reading that uses test information can explain a number, but not support it."
    )
    header = ["reading", "what it changes", "run on", "explains"]
    listed = simple_table("readings", header, [_reading(reading) for reading in report.readings])
    ranked = chapter("readings", report) if "readings" in report.chapters else []
    title = f"All {len(report.readings)} readings and what they change"
    return section("readings", "Readings", tag("p", {}, about), *ranked, fold(title, listed))


def _reading(reading: Reading) -> list[str]:
    cells = ", ".join(f"{dataset_label(cell.dataset)} {model_label(cell.model)}" for cell in reading.explains)
    studies = ", ".join(study.partition("+")[0] for study in reading.studies)
    return [tag("code", {}, reading.name), reading.about, studies or "–", cells or "–"]
