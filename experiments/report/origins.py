"""The chapters of the page that tell where it comes from: provenance, how to run it again, the files beside it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments.report.claim_cards import minutes_text
from experiments.report.gather import Origin, Report
from experiments.report.markup import Html, command, join, link, section, simple_table, tag

COMMANDS = {
    "The environment, from the pinned lock": "make environment",
    "All rounds of one number": "python -m experiments.run experiment=table1 dataset=mdd_kar model=selm",
    "The same under a reading": "python -m experiments.run experiment=table1 reading=raw_values dataset=mdd_kar "
    "model=selm",
    "What is left to run, and how long it will take": "python -m experiments.run experiment=table1 dry_run=true",
    "All of Table I": "make reproduce-table1",
    "Randomly chosen published cells, compared to the last digit": "make verify-records",
    "This page, from the committed records": "make report",
}
# How long each takes: in words, or the experiment whose records say it.
MINUTES = (
    "2 minutes",
    "under a minute",
    "under a minute",
    "seconds",
    "table1",
    "15 minutes",
    "under a minute",
)
# Digits of a commit that are shown.
SHORT = 10


def provenance(report: Report) -> Html:
    """Which code, machine and seeds the records come from."""
    header = ["experiment", "cells", "records", "minutes", "seed", "BLAS threads", "commit", "machine"]
    versions = sorted({versions_text(machine) for origin in report.origins for machine in origin.machines})
    return section(
        "provenance",
        "Provenance",
        tag("p", {}, "Every number on this page is made from the published records; nothing is fitted for it."),
        tag("ul", {}, *(tag("li", {}, text) for text in versions)),
        simple_table("provenance", header, [_origin(origin) for origin in report.origins]),
    )


def versions_text(machine: Mapping[str, Any]) -> str:
    """Python, the libraries and the BLAS that made some records."""
    libraries = [f"{name} {version}" for name, version in machine.get("libraries", {}).items()]
    return ", ".join([f"Python {machine.get('python', 'unknown')}", *libraries, *machine.get("blas", [])])


def _machine(machine: Mapping[str, Any]) -> str:
    return f"{machine.get('cpu', 'unknown')}, {machine.get('cores', '?')} cores, {machine.get('platform', 'unknown')}"


def _origin(origin: Origin) -> list[str]:
    commits = dict.fromkeys(str(machine.get("commit", "unknown")) for machine in origin.machines)
    shown = [tag("code", {"title": commit}, commit[:SHORT] + "+" * ("+" in commit)) for commit in commits]
    cells = f"{origin.cells}" if origin.cells == origin.planned else f"{origin.cells} of {origin.planned}"
    machines = join(tag("div", {"class": "whole"}, text) for text in sorted({*map(_machine, origin.machines)}))
    name = tag("span", {"title": origin.title}, origin.experiment)
    words = join(part for commit in shown for part in (commit, " "))
    minutes = "–" if math.isnan(origin.minutes) else f"{origin.minutes:.0f}" if origin.minutes >= 1 else "< 1"
    return [name, cells, f"{origin.rows}", minutes, origin.seeds, origin.threads, words, machines]


def rerun(report: Report) -> Html:
    """How to run any of it again."""
    about = (
        "Open a number in the tables above for its own command. Commands are for the root of a clone, after make "
        "environment. A run computes everything anew and says at its end whether its accuracies equal the published "
        "ones."
    )
    rows = [
        part
        for (text, line), minutes in zip(COMMANDS.items(), MINUTES, strict=True)
        for part in (tag("p", {"class": "what"}, f"{text} ({_minutes(minutes, report)})"), command(line))
    ]
    return section("run-it-again", "Run it again", tag("p", {}, about), *rows)


def _minutes(minutes: str, report: Report) -> str:
    """The words for a command, or how long the records of the experiment it runs took."""
    known = {origin.experiment: origin.minutes for origin in report.origins}
    return minutes_text(known.get(minutes, math.nan)) if minutes in report.experiments else minutes


def files(report: Report) -> Html:
    """The files beside this page."""
    tables = [file for file in report.files if file.startswith("tables/")]
    page = link("../README.md", "README.md"), ", ", link("../verdict.json", "verdict.json")
    about = tag("p", {}, "Beside this page: ", *page, " and the tables as LaTeX, Markdown and CSV.")
    return section("files", "Files", about, _links(tables))


def _links(paths: Sequence[str]) -> Html:
    stems: dict[str, list[str]] = {}
    for path in paths:
        stems.setdefault(Path(path).stem, []).append(path)
    items = [
        tag("li", {}, f"{stem}:", *(part for path in found for part in (" ", link(f"../{path}", path.split(".")[-1]))))
        for stem, found in stems.items()
    ]
    return tag("ul", {"class": "files"}, *items)
