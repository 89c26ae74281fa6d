"""The numbers of the findings, each under one name: README, documentation and article say them in these words."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from celm.analysis.causes import at_largest_count
from celm.analysis.statistics import LEVEL
from celm.analysis.words import FAILS, HOLDS, NOT_RUN, OPEN, VACUOUS
from celm.base.names import CELMS, dataset_label
from experiments.papers import papers
from experiments.report.gaps import gaps_listed, gaps_of, gaps_text
from experiments.results import Results

ELM, SQUARED, GAUSSIAN = "elm", "random/squared/uniform", "gaussian/squared/uniform"
TABLES = {name: table.title for name, table in papers()["celm"].tables.items()}
#: What is compared at a scale that folds choose -> the name of its fact.
SPREADS = {
    (("elm_scaled",), ("elm",)): "spread_scale",
    (("covariance_scaled",), ("elm_scaled",)): "spread_covariance",
    (("selm_scaled",), ("elm_scaled",)): "spread_samples",
}
#: A share of the gap that counts as nearly closed, as the study of causes has it.
NEARLY = 0.8
#: A verdict on sentences as the end of a sentence: of one, of several.
VERBS = {
    HOLDS: ("holds", "hold"),
    FAILS: ("fails", "fail"),
    OPEN: ("is open", "are open"),
    VACUOUS: ("is vacuous", "are vacuous"),
    NOT_RUN: ("was not run", "were not run"),
}
#: The cores of the machine whose times are told.
CORES = 2
#: Studies that a text tells of, and what it says as long as their records are not there.
AWAITED = {
    "causes_spread": "The study of directions at equal spreads of pre-activations is not run yet.",
    "suite": "The wide study over data sets that nobody had tried before is not run yet.",
    "protocols": "The study of whole protocols in a hundred rounds is not run yet.",
    "confirm": "The confirmatory run with a new master seed is not run yet.",
    "ciw": "The second paper, CIW-ELM on MNIST, is not run yet.",
    "compact": "How few nodes of which model reach an accuracy on MNIST is not run yet.",
}


class Found(NamedTuple):
    """What the harness found: the verdict on every number and sentence, and the effects of the factors."""

    verdict: dict[str, Any]
    causes: pd.DataFrame
    published: tuple[str, ...]


def found_in(folder: Path | None = None) -> Found:
    """What a results folder holds."""
    results = Results() if folder is None else Results(folder)
    verdict = json.loads((results.folder / "verdict.json").read_text(encoding="utf-8"))
    causes = pd.read_csv(results.folder / "tables" / "causes.csv", keep_default_na=False, na_values=[""])
    return Found(verdict, at_largest_count(causes), tuple(results.published.experiments()))


def facts(folder: Path | None = None) -> dict[str, str]:
    """Name -> words, for every number that a text may say."""
    found = found_in(folder)
    told = {**counts(found.verdict), **leads(found.verdict), **shares(found.causes), **awaited(found.published)}
    told |= wide(found.verdict) | equal_spreads(found.verdict) | own_papers(found.verdict) | gaps(found.verdict)
    return told | budget(Results() if folder is None else Results(folder))


def counts(verdict: dict[str, Any]) -> dict[str, str]:
    """How many numbers and sentences have each verdict: ``cells_reproduced``, ``claims_partly``."""
    told = {
        f"{kind}_{word}": str(number)
        for kind in ("cells", "claims")
        for word, number in verdict[kind].items()
        if isinstance(number, int)
    }
    claims = verdict["claims"]["list"]
    words = Counter(claim["verdict"] for claim in claims)
    return {
        **told,
        "cells_equivalent": str(verdict["cells"]["default"]["equivalent"]),
        "cells_different": str(verdict["cells"]["default"]["different"]),
        "cells_open": str(verdict["cells"]["default"]["open"]),
        "margin": margin_words(verdict["cells"]["margins"]),
        "chance_table1": f"{100 * verdict['cells']['exploratory']['chance_rates']['table1']:.0f}",
        "claims_told": ", ".join(f"{number} {word}" for word, number in words.most_common()),
        "claims_said": _said(words),
        "claims_held": str(words[HOLDS]),
        "claims_failed": str(words[FAILS]),
        "claims_registered": str(sum(claim["registered"] for claim in claims)),
    }


def margin_words(margins: Mapping[str, float]) -> str:
    """``1 point (1.5 on WDBC)``."""
    default = 100 * margins["default"]
    others = [f"{100 * width:g} on {dataset_label(name)}" for name, width in margins.items() if name != "default"]
    return f"{default:g} point{'s' * (default != 1)}" + (f" ({', '.join(others)})" if others else "")


def _said(words: Counter[str]) -> str:
    """``36 hold, 18 fail and 1 is vacuous``."""
    *first, last = [f"{number} {VERBS[word][number > 1]}" for word, number in words.most_common()] or ["none is judged"]
    return f"{', '.join(first)} and {last}" if first else last


def wide(verdict: dict[str, Any]) -> dict[str, str]:
    """What the wide study found in points, as ``+0.0 (-0.1 to +0.1)``; nothing while it is not run."""
    study = verdict.get("suite", {})
    judged = {one["id"]: one["parts"] for one in study.get("hypotheses", [])}
    if not judged:
        return {}
    celms = next(part for part in judged["suite_tables_scale"] if len(part["of"]) > 1)
    (images,), (drawn,) = judged["suite_images_directions"], judged["suite_tables_lead"]
    told = {"wide_sources": str(celms["sources"]), "wide_image_sets": str(images["sets"])}
    found = {"wide_celms": celms, "wide_images": images, "wide_drawn": drawn}
    for one in study.get("weights", []):
        if (one["hypothesis"], one["part"]) == ("suite_tables_scale", celms["name"]):
            found["wide_alike"] = one["alike"]
            told |= {"wide_heaviest": dataset_label(one["heaviest"]), "wide_share": f"{100 * one['share']:.0f}"}
    return told | {name: _in_points(part) for name, part in found.items()} | {"wide_drawn_verdict": drawn["verdict"]}


def _in_points(part: dict[str, Any]) -> str:
    effect, low, high = (f"{100 * part[limit]:+.1f}" for limit in ("effect", "low", "high"))
    return f"{effect} points ({low} to {high})"


def gaps(verdict: dict[str, Any]) -> dict[str, str]:
    """What moves the lead over ELM among whole protocols of Table I; that they are not run while they are not."""
    fits = verdict.get("protocols", [])
    if not fits:
        return {"gaps_told": AWAITED["protocols"], "gaps_listed": "not run yet"}
    found = gaps_of([(fit["name"], fit["gap"]) for fit in fits], fits[0]["paper_gap"])
    return {"gaps_told": gaps_text(found), "gaps_listed": gaps_listed(found)}


def equal_spreads(verdict: dict[str, Any]) -> dict[str, str]:
    """What is left of every ingredient once folds choose the scale; nothing while that is not run."""
    parts = [part for one in verdict.get("causes_spread", {}).get("hypotheses", []) for part in one["parts"]]
    found = {(tuple(part["of"]), tuple(part["over"])): part for part in parts if part.get("effect") is not None}
    if not SPREADS.keys() <= found.keys():
        return {}
    told = {name: f"{100 * found[pair]['effect']:+.1f}" for pair, name in SPREADS.items()}
    return told | {"spread_sets": str(max(part["sets"] for part in found.values()))}


def own_papers(verdict: dict[str, Any]) -> dict[str, str]:
    """Papers that our default wrote itself: how many, in how many it is refused, and how probable that is by chance."""
    told = verdict.get("own_papers")
    if not told:
        return {}
    papers, words = int(told["papers"]), {"own_papers": str(told["papers"])}
    for name, held in told["held"].items():
        refused = papers - int(held)
        words[f"own_refused_{name}"] = str(refused)
        words[f"own_chance_{name}"] = f"{float(stats.binom.sf(refused - 1, papers, 1 - LEVEL)):.2f}"
    return words


def lead_of(verdict: dict[str, Any], table: str, column: str) -> float:
    """Mean lead of the CELMs over ELM in a table, in points: of the "paper" or "ours"."""
    cells = [cell for cell in verdict["cells"]["list"] if cell["table"] == table]
    elm = {_column(cell): cell[column] for cell in cells if cell["model"] == ELM}
    return 100 * fmean(cell[column] - elm[_column(cell)] for cell in cells if cell["model"] in CELMS)


def _column(cell: dict[str, Any]) -> tuple[str, str | None]:
    """The column of a table: a data set, in Table II at a node count, which Table I leaves open."""
    return cell["dataset"], cell["n_hidden"] if cell["table"] == "table2" else None


def leads(verdict: dict[str, Any]) -> dict[str, str]:
    """``lead_table1_paper`` and ``lead_table1_ours``: how far the CELMs are above ELM, in points."""
    return {
        f"lead_{table}_{column}": f"{lead_of(verdict, table, column):.1f}"
        for table in TABLES
        for column in ("paper", "ours")
    }


def shares(causes: pd.DataFrame) -> dict[str, str]:
    """What closes how much of the gap between ELM and the best CELM, over the data sets that have a gap."""
    gaps = causes[causes["kind"] == "gap"]
    wide = gaps[gaps["low"] > 0]
    told = {
        "gap_sets": str(len(wide)),
        "causes_sets": str(len(gaps)),
        "gap_least": f"{100 * wide['effect'].min():.1f}",
        "gap_most": f"{100 * wide['effect'].max():.1f}",
    }
    changes = causes[(causes["kind"] == "change") & causes["dataset"].isin(wide["dataset"])]
    for name, model in (("scale", SQUARED), ("covariance", GAUSSIAN)):
        share = 100 * changes.loc[changes["name"] == model, "share"]
        told |= {f"{name}_least": f"{share.min():.0f}", f"{name}_most": f"{share.max():.0f}"}
        told[f"{name}_mean"] = f"{share.mean():.0f}"
        told[f"{name}_sure"] = str(int((changes.loc[changes["name"] == model, "share_low"] >= NEARLY).sum()))
    for step in ("samples", "labels"):
        rows = causes[(causes["kind"] == "step") & (causes["name"] == step)]
        told[f"{step}_least"] = f"{100 * rows['effect'].min():+.1f}"
        told[f"{step}_most"] = f"{100 * rows['effect'].max():+.1f}"
    told["causes_names"] = ", ".join(dataset_label(name) for name in gaps["dataset"])
    return told


def awaited(published: tuple[str, ...]) -> dict[str, str]:
    """What is to be said of studies that may not be there yet: ``awaited_suite``; empty once they are."""
    there = {name: any(study.startswith(name) for study in published) for name in AWAITED}
    return {f"awaited_{name}": "" if there[name] else words for name, words in AWAITED.items()}


def budget(results: Results) -> dict[str, str]:
    """What was computed and how long it took, as the records say; those of a few cells hold no times."""
    names = results.published.experiments()
    manifests = {name: results.published.manifest(name) for name in names}
    minutes = {name: float(np.nan_to_num(results.minutes(name))) for name in names}
    told = {
        "studies": str(len(names)),
        "cells_computed": f"{sum(one['cells'] for one in manifests.values()):,}",
        "records": f"{sum(one['rows'] for one in manifests.values()):,}",
        "hours": f"{sum(minutes.values()) / 60:.0f}",
        "cores": str(CORES),
    }
    if "table1" in names:
        told["table1_minutes"] = str(math.ceil(minutes["table1"] / CORES))
        told["table1_cells"], told["table1_records"] = (str(manifests["table1"][key]) for key in ("cells", "rows"))
    return told
