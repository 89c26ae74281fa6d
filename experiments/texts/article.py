"""The article: its numbers are written from the findings, then it is set: python -m experiments.texts.article."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from omegaconf import OmegaConf

from celm import __version__
from celm.analysis.causes import CHANGES, NAMED
from celm.analysis.words import FAILS, NOT_RUN, UNEXPLAINED, VACUOUS
from celm.base.files import write_whole
from celm.base.names import MODELS, dataset_label, in_order, model_label
from celm.render.numbers import percent, points
from celm.study.reading_config import ORIGINS
from experiments.command import command
from experiments.config.entries import ROOT, options
from experiments.config.origins import calibrated, default_origins, origins_of
from experiments.config.readings import reading_about
from experiments.config.schema import register
from experiments.config.studies import composed_study
from experiments.papers import papers
from experiments.report.signs import MARKS
from experiments.results import Results
from experiments.texts.answer import answer, headline_rows, plain_conclusion
from experiments.texts.caution import cautions
from experiments.texts.facts import Found, facts, found_in
from experiments.texts.later import drawn, told_later

SOURCE = ROOT / "article" / "article.typ"
FOLDER = Results().folder / "article"

Rows = list[list[str]]


def numbers() -> dict[str, Any]:
    """All that the article is given: facts, and its tables as rows of text."""
    found, told = found_in(), facts()
    rows = headline_rows(found)
    return {
        **told,
        **cautions(found),
        "version": __version__,
        "answer": answer(told),
        "conclusion": plain_conclusion(told),
        "headline": [list(rows[0]), *(list(row.values()) for row in rows)],
        "table1": accuracies(found, "table1"),
        "table2": accuracies(found, "table2"),
        "table3": accuracies(found, "table3"),
        "open": open_cells(found),
        "failed": [[c["section"], c["says"], checked_on(c), judged(c)] for c in failed(found)],
        "claims": [[c["section"], said(c), c["verdict"], effect_of(c)] for c in found.verdict["claims"]["list"]],
        "steps": steps(found),
        "changes": changes(found),
        "defaults": defaults(),
        "readings": readings(),
        "origins": [[word, about] for word, about in ORIGINS.items()],
        "calibrated": fitted(),
        "machine": machine(),
        "later": told_later(),
        "drawn": drawn(),
    }


def accuracies(found: Found, table: str) -> Rows:
    """Ours, the paper's in brackets, the sign of the verdict: a row per model, a column per data set or count."""
    cells = [cell for cell in found.verdict["cells"]["list"] if cell["table"] == table]
    place = [(cell["model"], column_of(cell)) for cell in cells]
    at = dict(zip(place, cells, strict=True))
    columns, models = list(dict.fromkeys(column for _, column in place)), in_order({m for m, _ in place}, MODELS)
    body = [[model_label(m), *(cell_text(at.get((m, column))) for column in columns)] for m in models]
    return [["", *columns], *body]


def column_of(cell: dict[str, Any]) -> str:
    """A data set, with its node count where the paper gives several."""
    name = dataset_label(cell["dataset"])
    return f"{name}, {cell['n_hidden']}" if cell["table"] == "table2" else name


def cell_text(cell: dict[str, Any] | None) -> str:
    """``0.965 (0.974) ✓``."""
    if cell is None:
        return ""
    ours = "–" if cell["ours"] is None else f"{cell['ours']:.3f}"
    return f"{ours} ({cell['paper']:.3f}) {MARKS[cell['verdict']]}"


def open_cells(found: Found) -> Rows:
    """The published numbers that neither the default nor a reading gives."""
    return [
        [dataset_label(cell["dataset"]), model_label(cell["model"]), f"{cell['paper']:.3f}", f"{cell['ours']:.3f}"]
        for cell in found.verdict["cells"]["list"]
        if cell["verdict"] == UNEXPLAINED
    ]


def failed(found: Found) -> list[dict[str, Any]]:
    """The claims that the records speak against."""
    return [claim for claim in found.verdict["claims"]["list"] if claim["verdict"] == FAILS]


def said(claim: dict[str, Any]) -> str:
    """A sentence of the paper, and what it is checked on where it does not say so, with what is told beside it."""
    return f"{claim['says']} ({beside})" if (beside := checked_on(claim)) else str(claim["says"])


def checked_on(claim: dict[str, Any]) -> str:
    """What a claim was checked on, and what is told beside its verdict."""
    return "; ".join(filter(None, [claim["where"], claim.get("marks", "")]))


def judged(claim: dict[str, Any]) -> str:
    """What was found and asked, without the comparison that lies farthest; the page has all of them."""
    found = str(claim["sentence"]).partition(" Farthest: ")[0].removesuffix(".")
    return f"{found.replace('; asked is ', '; the sentence asks for ')}."


def effect_of(claim: dict[str, Any]) -> str:
    """The first half of a claim's sentence: what was measured."""
    if claim["verdict"] in (NOT_RUN, VACUOUS):
        return "–"
    return str(claim["sentence"]).partition("; asked")[0].partition(": table1+")[0]


def _sets(found: Found) -> list[str]:
    return list(dict.fromkeys(found.causes["dataset"]))


def steps(found: Found) -> Rows:
    """One ingredient after the other, in points."""
    rows = found.causes[found.causes["kind"] == "step"]
    heads = ["added", *map(dataset_label, _sets(found))]
    return [heads, *([name, *_along(rows[rows["name"] == name], found, _points)] for name in rows["name"].unique())]


def changes(found: Found) -> Rows:
    """Share of the gap that every change of ELM closes."""
    rows = found.causes[found.causes["kind"] == "change"]
    named = {name: words if name not in NAMED else model_label(NAMED[name]) for name, words in CHANGES.items()}
    heads = ["changed in ELM", *map(dataset_label, _sets(found))]
    return [heads, *([words, *_along(rows[rows["name"] == name], found, _share)] for name, words in named.items())]


def _along(rows: pd.DataFrame, found: Found, words: Any) -> list[str]:
    by_set = rows.set_index("dataset")
    return [words(by_set.loc[name]) if name in by_set.index else "–" for name in _sets(found)]


def _points(row: pd.Series) -> str:
    return points(row["effect"], row["low"], row["high"])


def _share(row: pd.Series) -> str:
    return percent(row["share"], row["share_low"], row["share_high"])


def defaults() -> Rows:
    """Choice, default, origin: those of article/defaults.yaml, with the origins that the configs give their keys."""
    rows: Any = OmegaConf.to_container(OmegaConf.load(SOURCE.parent / "defaults.yaml"))
    return [[row["choice"], row["default"], origin_of(row)] for row in rows]


def origin_of(row: Mapping[str, Any]) -> str:
    """Where the default of a listed choice comes from: of its keys, or as the row says where no key sets it.

    Raises
    ------
    ValueError
        If its keys have no origin, or different ones.
    """
    if "keys" not in row:
        return str(row["origin"])
    known = origins_of(composed_study(row["study"])) if "study" in row else default_origins()
    found = {known[key].origin if key in known else "none" for key in row["keys"]}
    if len(found) > 1 or "none" in found or "origin" in row:
        raise ValueError(f"article: {row['choice']!r} must have keys of one origin and none of its own; got {found}.")
    return found.pop()


def fitted() -> list[str]:
    """What was chosen by looking at the published results, over all tables and figures that mirror the paper's."""
    mirrored = [name for name in options("experiment") if name.startswith("fig")]
    return list(dict.fromkeys(words for name in (*papers()["celm"].tables, *mirrored) for words in calibrated(name)))


def readings() -> Rows:
    """Readings that the paper, its authors' code or a fit suggests: what they are, and what they explain."""
    measured = pd.read_csv(Results().folder / "tables" / "readings.csv")
    explained = measured.groupby("reading")["explains"].sum()
    gains = measured.groupby("reading")["gain"].max()
    rows = []
    for name in options("reading"):
        about = reading_about(name)
        if name in explained.index and (about.origin != "practice" or explained[name]):
            gain = f"{100 * gains[name]:+.2f}"
            rows.append([name, about.about, about.origin, str(int(explained[name])), gain])
    return sorted(rows, key=lambda row: (-int(row[3]), row[0]))


def machine() -> dict[str, str]:
    """Where Table I was computed."""
    origin = Results().published.manifest("table1")["provenance"][0]
    libraries = ", ".join(f"{name} {version}" for name, version in origin["libraries"].items())
    return {"cpu": origin["cpu"], "platform": origin["platform"], "python": origin["python"], "libraries": libraries}


def write_numbers(given: Mapping[str, Any], folder: Path = FOLDER) -> Path:
    """numbers.json, which the article reads."""
    path = folder / "numbers.json"
    write_whole(path, json.dumps(given, indent=1, ensure_ascii=False) + "\n")
    return path


def main() -> None:
    """Write results/article/numbers.json and article.pdf."""
    import typst

    register()
    write_numbers(numbers())
    target = FOLDER / "article.pdf"
    typst.compile(str(SOURCE), output=str(target), root=str(ROOT))
    print(f"written: {target.relative_to(ROOT)}")


if __name__ == "__main__":
    command(main, __doc__)
