"""Studies that come after the paper's own: what is said of them once their records are there, and before."""

from __future__ import annotations

from celm.render.document import Items
from celm.render.markdown import block_text
from experiments.analysis import analyses
from experiments.results import Results
from experiments.texts.facts import AWAITED, awaited, found_in


def told_later() -> dict[str, list[list[str]]]:
    """Name of a study -> what its analyses answer, each a line and a list below it, or that it is not run yet."""
    found = found_in()
    missing, answers = awaited(found.published), found.verdict["answers"]
    told: dict[str, list[list[str]]] = {}
    left = [one for one in analyses().values() if one.name in answers]
    for name in AWAITED:
        words = missing[f"awaited_{name}"]
        # An analysis that reads several of these studies is told at the first of them.
        mine = [one for one in left if any(study.startswith(name) for study in one.reads)]
        left = [one for one in left if one not in mine]
        unanswered = f"Its records are there; results/report/index.html tells what they say ({name})."
        told[name] = [[words]] if words else [answers[one.name] for one in mine] or [[unanswered]]
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
    "compact": (
        "Accuracy on MNIST against kept nodes, against the time of one row and against that of a row of a batch",
        "Small models of MNIST: the most useful nodes of a layer (dotted: as many as they were drawn), and how long "
        "such a model takes for one row by itself and for one row of a batch.",
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
