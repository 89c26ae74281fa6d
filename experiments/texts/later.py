"""Studies that come after the paper's own: what is said of them once their records are there, and before."""

from __future__ import annotations

from celm.render.document import Items, plain
from celm.render.markdown import block_text
from experiments.analysis import analyses
from experiments.results import Records, Results
from experiments.texts.facts import AWAITED, awaited


def told_later() -> dict[str, list[list[str]]]:
    """Name of a study -> what its analyses answer, each a line and a list below it, or that it is not run yet."""
    results = Results()
    missing, records = awaited(tuple(results.published.experiments())), Records(results)
    told: dict[str, list[list[str]]] = {}
    for name in AWAITED:
        words = missing[f"awaited_{name}"]
        told[name] = [[words]] if words else _answers(name, records)
    return told


def later_text() -> dict[str, str]:
    """The same as Markdown, a list below every line: ``later_suite``."""
    told = {}
    for name, groups in told_later().items():
        parts = [block_text(Items(lines[1:], lines[0])) if lines[1:] else lines[0] for lines in groups]
        told[f"later_{name}"] = "\n\n".join(parts)
    return told


# Figures of these studies in the documentation: what they show, for those who cannot see it, and the words below.
FIGURES = {
    "causes_spread": (
        "Accuracy against the standard deviation of pre-activations for five directions, with models marked at theirs",
        "Accuracy against the spread of pre-activations. Lines are directions, marks are models at the spread that "
        "their normalisation gives them or that folds chose. Bands are 95 per cent intervals over rounds.",
    ),
}


def drawn(results: Results | None = None) -> list[str]:
    """The figures that are there: a study that is not published yet has none."""
    folder = (results or Results()).folder / "figures"
    return [name for name in FIGURES if (folder / f"{name}.svg").exists()]


def drawn_later(results: Results | None = None) -> dict[str, str]:
    """The figures as blocks of a page in a folder of docs/: ``drawn_causes_spread``; empty until they are drawn."""
    there, blocks = drawn(results), {}
    for name, (seen, caption) in FIGURES.items():
        block = f"```{{figure}} ../../results/figures/{name}.png\n:alt: {seen}\n:width: 100%\n\n{caption}\n```"
        blocks[f"drawn_{name}"] = block if name in there else ""
    return blocks


def which_one(results: Results | None = None) -> str:
    """The advice that follows from the wide studies, without its title, or that they are not run yet."""
    path = (results or Results()).folder / "tables" / "which_one.md"
    if not path.exists():
        return f"{AWAITED['suite']}\n"
    return path.read_text(encoding="utf-8").partition("\n")[2].lstrip()


def _answers(name: str, records: Records) -> list[list[str]]:
    told: list[list[str]] = []
    for one in analyses().values():
        if one.answer is not None and any(study.startswith(name) for study in one.reads):
            findings = one.found(records)
            if findings is not None:
                told.append(_lines(one.answer(findings)))
    return told or [[f"Its records are there; results/report/index.html tells what they say ({name})."]]


def _lines(items: Items) -> list[str]:
    return [line for line in map(plain, (items.lead, *items.lines)) if line]
