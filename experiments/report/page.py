"""The whole page in one file: markup, style, script and pictures, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files

from experiments.papers import papers
from experiments.report import chapters, lead, number_tables, origins
from experiments.report.gather import Report
from experiments.report.markup import Html, anchor_of, join, link, tag
from experiments.report.palette import palette

ASKS = "does the paper hold up?"
DONE = "Run again on the real data, from the download to the table."
# Nothing may be fetched: the page is all there is.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


def _asset(name: str) -> Html:
    return Html(files("experiments.report").joinpath(name).read_text(encoding="utf-8"))


def title() -> str:
    """What the page is about: every paper whose numbers are checked, those with a chapter of their own left out."""
    return f"{', '.join(paper.title for paper in papers().values() if not paper.chapter)}: {ASKS}"


def _head() -> Html:
    return tag(
        "head",
        {},
        tag("meta", {"charset": "utf-8"}),
        tag("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        tag("meta", {"http-equiv": "Content-Security-Policy", "content": POLICY}),
        tag("meta", {"name": "color-scheme", "content": "light dark"}),
        tag("title", {}, title()),
        tag("style", {}, _asset("style.css"), Html(palette())),
        tag("noscript", {}, tag("style", {}, "tr.rounds[hidden]{display:table-row}button.copy,#theme{display:none}")),
    )


def _header(names: Iterable[str]) -> Html:
    links = [link(f"#{anchor_of(name)}", name) for name in names]
    theme = tag("button", {"type": "button", "id": "theme", "aria-pressed": "false"}, "Dark")
    nav = tag("nav", {"aria-label": "Chapters"}, tag("div", {"class": "links"}, *links), theme)
    cites = " ".join(paper.cite for paper in papers().values())
    top = tag("header", {}, tag("h1", {}, title()), tag("p", {"class": "quiet"}, f"{cites} {DONE}"))
    return join([tag("a", {"class": "skip", "href": "#verdict"}, "To the verdict"), top, nav])


def page(report: Report) -> str:
    """The document."""
    told = chapters.analysis_chapters(report)
    parts = {
        "Verdict": lead.headline(report),
        "Tables": number_tables.numbers(report),
        # Numbers and sentences first, then what else was found.
        "Claims": told.pop("Claims"),
        lead.FURTHER: lead.findings(report),
        **told,
        "Times": number_tables.times(report),
        "Provenance": origins.provenance(report),
        "Run it again": origins.rerun(report),
        "Files": origins.files(report),
    }
    spoken = tag("p", {"class": "sr", "role": "status", "id": "told"})
    main = tag("main", {}, *parts.values())
    body = tag("body", {}, _header(parts), main, spoken, tag("script", {}, _asset("page.js")))
    return f"<!doctype html>\n{tag('html', {'lang': 'en'}, _head(), body)}\n"
