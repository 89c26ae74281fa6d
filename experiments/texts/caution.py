"""What speaks against an explanation, and how much was repeated: numbers behind the article's words of caution."""

from __future__ import annotations

from typing import Any

from celm.analysis.words import UNEXPLAINED
from celm.base.names import dataset_label
from experiments.registration.entries import registration_of
from experiments.texts.facts import Found

#: What is said where a study is not there.
NOTHING = "–"
RAW = "raw"


def cautions(found: Found) -> dict[str, str]:
    """Name -> words: of claims that were repeated, of raw inputs on all data sets, of BP on the set it fails on."""
    return {**repeated(found), **raw_inputs(found.verdict), **class_index(found.verdict)}


def repeated(found: Found) -> dict[str, str]:
    """How many claims the confirmatory run repeats, how many keep their verdict, and in how many rounds."""
    told = found.verdict.get("confirmation", {})
    entries = {name: registration_of(name) for name in found.published if name.startswith("confirm_")}
    rounds = [one.experiments[name].rounds for name, one in entries.items() if one is not None]
    return {
        "repeated": str(told.get("repeated", 0)),
        "repeated_same": str(told.get("same", 0)),
        "rounds_least": str(min(rounds, default=0)),
        "rounds_most": str(max(rounds, default=0)),
    }


def raw_inputs(verdict: dict[str, Any]) -> dict[str, str]:
    """RMS from the paper over all data sets, in points: the best protocol with raw inputs, the worst with others."""
    rms = {fit["name"]: 100 * fit["rms"] for fit in verdict.get("protocols", [])}
    raw = [value for name, value in rms.items() if name.partition("/")[0] == RAW]
    others = [value for name, value in rms.items() if name.partition("/")[0] != RAW]
    return {
        "raw_rms": f"{min(raw):.1f}" if raw else NOTHING,
        "other_rms": f"{max(others):.1f}" if others else NOTHING,
    }


def class_index(verdict: dict[str, Any]) -> dict[str, str]:
    """Numbers of BP that its nearest reading misses, as ``0.446 where the paper has 0.416 on MDD-kar``."""
    missed = [
        f"{cell['reading']['mean']:.3f} where the paper has {cell['paper']:.3f} on {dataset_label(cell['dataset'])}"
        for cell in verdict["cells"]["list"]
        if cell["model"] == "bp" and cell["verdict"] == UNEXPLAINED and cell["reading"]
    ]
    return {"bp_missed": "; ".join(missed) or NOTHING}
