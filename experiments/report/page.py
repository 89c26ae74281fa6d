"""The whole page in one file: markup, style, script and pictures, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files

from celm.render.style import CLASS_COLORS, STYLES
from experiments.report import chapters, sources, tables
from experiments.report.gather import Report
from experiments.report.markup import Html, anchor_of, join, link, tag

TITLE = "Constrained Extreme Learning Machines: does the paper hold up?"
PAPER = (
    "W. Zhu, J. Miao, L. Qing: Constrained Extreme Learning Machines: A Study on Classification Cases, 2015. "
    "Run again on the real data, from the download to the table."
)
# Nothing may be fetched: the page is all there is.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
# The house's colours that are too dark to be seen on a dark page, then those too light for a light one.
ON_DARK = {
    "elm": "#ff6b6b",
    "normalized_elm": "#e0ad3f",
    "cdelm": "#98a4ff",
    "cselm": "#4db2ff",
    "selm": "#98a4ff",
    "rselm": "#4db2ff",
    "cmelm": "#f2f2f2",
    "ml_elm": "#b0b0b0",
    "bp": "#d09a8c",
    "linear_svm": "#c3a6e0",
}
DARK_CLASSES = (
    "#8f83ff",
    "#e58a97",
    "#3fae68",
    "#88ccee",
    "#d283c6",
    "#c3c35a",
    "#d65b93",
    "#66c9b8",
    "#eebb55",
    "#b0b0b0",
)
ON_LIGHT = {"orthogonal_elm": "#2a9d2f"}


def palette() -> str:
    """The models' and classes' colours as style rules, for light and dark pages."""
    light = {f"--m-{name}": ON_LIGHT.get(name, style.color) for name, style in STYLES.items()}
    dark = {f"--m-{name}": ON_DARK.get(name, style.color) for name, style in STYLES.items()}
    light |= {f"--c-{place}": color for place, color in enumerate(CLASS_COLORS)}
    dark |= {f"--c-{place}": color for place, color in enumerate(DARK_CLASSES)}
    day, night = (";".join(f"{name}:{color}" for name, color in colors.items()) for colors in (light, dark))
    rules = [f".m-{name}{{color:var(--m-{name})}}" for name in STYLES]
    rules += [f".c-{place}{{color:var(--c-{place})}}" for place in range(len(CLASS_COLORS))]
    themes = f":root{{{day}}}@media screen{{:root[data-theme=dark]{{{night}}}}}"
    asked = f"@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{night}}}}}"
    return themes + asked + "".join(rules)


def _asset(name: str) -> Html:
    return Html(files("experiments.report").joinpath(name).read_text(encoding="utf-8"))


def _head() -> Html:
    return tag(
        "head",
        {},
        tag("meta", {"charset": "utf-8"}),
        tag("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        tag("meta", {"http-equiv": "Content-Security-Policy", "content": POLICY}),
        tag("meta", {"name": "color-scheme", "content": "light dark"}),
        tag("title", {}, TITLE),
        tag("style", {}, _asset("style.css"), Html(palette())),
        tag("noscript", {}, tag("style", {}, "tr.rounds[hidden]{display:table-row}button.copy,#theme{display:none}")),
    )


def _header(names: Iterable[str]) -> Html:
    links = [link(f"#{anchor_of(name)}", name) for name in names]
    theme = tag("button", {"type": "button", "id": "theme", "aria-pressed": "false"}, "Dark")
    nav = tag("nav", {"aria-label": "Chapters"}, tag("div", {"class": "links"}, *links), theme)
    top = tag("header", {}, tag("h1", {}, TITLE), tag("p", {"class": "quiet"}, PAPER))
    return join([tag("a", {"class": "skip", "href": "#verdict"}, "To the verdict"), top, nav])


def page(report: Report) -> str:
    """The document."""
    parts = {
        "Verdict": chapters.headline(report),
        "Tables": tables.numbers(report),
        **chapters.analysis_chapters(report),
        "Times": tables.times(report),
        "Provenance": sources.provenance(report),
        "Run it again": sources.rerun(),
        "Files": sources.files(report),
    }
    told = tag("p", {"class": "sr", "role": "status", "id": "told"})
    main = tag("main", {}, *parts.values())
    body = tag("body", {}, _header(parts), main, told, tag("script", {}, _asset("page.js")))
    return f"<!doctype html>\n{tag('html', {'lang': 'en'}, _head(), body)}\n"
