"""Studies that come after the paper's own: what is said of them once their records are there, and before."""

from __future__ import annotations

from celm.render.document import Items, plain
from experiments.analysis import analyses
from experiments.results import Records, Results
from experiments.texts.facts import AWAITED, awaited


def told_later() -> dict[str, list[str]]:
    """Name of a study -> what its analyses answer, or that it is not run yet."""
    results = Results()
    missing, records = awaited(tuple(results.published.experiments())), Records(results)
    told: dict[str, list[str]] = {}
    for name in AWAITED:
        words = missing[f"awaited_{name}"]
        told[name] = [words] if words else _answers(name, records)
    return told


def _answers(name: str, records: Records) -> list[str]:
    lines: list[str] = []
    for one in analyses().values():
        if one.answer is not None and any(study.startswith(name) for study in one.reads):
            findings = one.found(records)
            if findings is not None:
                lines += _lines(one.answer(findings))
    return lines or [f"Its records are there; results/report/index.html tells what they say ({name})."]


def _lines(items: Items) -> list[str]:
    return [line for line in map(plain, (items.lead, *items.lines)) if line]
