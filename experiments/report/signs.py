"""Verdicts as signs, colours and counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from celm.analysis import cell_equivalence, words
from experiments.report.markup import Html, tag

# A sign for every verdict, so that nothing is told by colour alone.
MARKS = {
    words.REPRODUCED: "✓",
    words.EXPLAINED: "≈",
    words.UNEXPLAINED: "✗",
    cell_equivalence.EQUIVALENT: "=",
    cell_equivalence.DIFFERENT: "≠",
    words.HOLDS: "✓",
    words.FAILS: "✗",
    words.OPEN: "?",
    words.VACUOUS: "∅",
    words.NOT_RUN: "–",
    words.OURS_ALONE: "",
}
# Whether one comparison of a claim holds, in words with its sign.
DECIDED = {True: "✓ holds", False: "✗ fails", None: "? open"}
MEANINGS = {
    words.REPRODUCED: "the published number lies in our interval or within the margin",
    words.EXPLAINED: "neither, but in the interval of a reading that was run; picked for each cell, so exploratory",
    words.UNEXPLAINED: "neither, and in that of no reading",
    cell_equivalence.EQUIVALENT: "ours and the published number surely differ by less than the margin",
    cell_equivalence.DIFFERENT: "they surely differ by more",
    words.HOLDS: "the whole interval lies where the claim asks",
    words.FAILS: "the whole interval lies outside of it",
    words.OPEN: "the interval crosses the edge: the rounds cannot tell",
    words.VACUOUS: "nothing could have spoken against it",
    words.NOT_RUN: "records are missing",
}


def legend(shown: Iterable[str]) -> Html:
    """What the signs of some verdicts mean."""
    items = [tag("li", {}, badge(word), f" {MEANINGS[word]}") for word in shown]
    return tag("ul", {"class": "legend-list quiet"}, *items)


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
