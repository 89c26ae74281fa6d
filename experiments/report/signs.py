"""Verdicts as signs, colours and counts."""

from __future__ import annotations

from collections.abc import Mapping

from celm.analysis import words
from experiments.report.markup import Html, tag

# A sign for every verdict, so that nothing is told by colour alone.
MARKS = {
    words.REPRODUCED: "✓",
    words.EXPLAINED: "≈",
    words.PARTLY: "½",
    words.UNEXPLAINED: "✗",
    words.NOT_REPRODUCED: "✗",
    words.UNDECIDED: "?",
    words.VACUOUS: "∅",
    words.NOT_RUN: "–",
    words.OURS_ALONE: "",
}


def verdict_class(verdict: str) -> str:
    """The class that colours a verdict."""
    return f"v-{verdict.replace(' ', '-')}"


def badge(verdict: str) -> Html:
    """A verdict in words with its sign."""
    return tag("span", {"class": f"badge {verdict_class(verdict)}"}, f"{MARKS[verdict]} {verdict}")


def counts_bar(counts: Mapping[str, int], label: str) -> Html:
    """A bar cut by verdict, and the counts below it."""
    told = [(verdict, n) for verdict, n in counts.items() if n]
    parts = [
        tag("span", {"class": verdict_class(verdict), "style": f"flex-grow:{n}"}, f"{MARKS[verdict]} {n}")
        for verdict, n in told
    ]
    words = [tag("li", {}, badge(verdict), f" {n}") for verdict, n in told]
    bar = tag("div", {"class": "bar", "aria-hidden": "true"}, *parts)
    return tag("div", {"class": "count"}, tag("h3", {}, label), bar, tag("ul", {"class": "legend-list"}, *words))
