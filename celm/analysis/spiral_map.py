"""Which spiral the paper used: every setting of a sweep measured against its four statements on Fig 3.

A setting that meets more statements is closer; among equals, the smaller sum of distances, in accuracy. No weight is
tuned. The rule and the first three statements were written before the map was run (three settings were known from
trials). The fourth, the sentence for which the figure is drawn, was added when the map had been seen: without it the
closest setting is one where ELM does as well as the CELMs.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from celm.base.names import CELMS

SETTINGS = ["turns", "noise", "scale", "inner_radius"]

# §IV.A: "perfect performance when the number of hidden nodes reaches a slight larger than 50": the next count is 60.
JUST_ABOVE_FIFTY, PERFECT = 60, 0.99
# "The test accuracy of ELM only reaches 0.8 even when the number of hidden nodes is 150."
ELM_AT, ELM_ACCURACY, ELM_MARGIN = 150, 0.8, 0.05
# "orthogonal ELM drops when the number of hidden nodes is larger than 50": by how much its mean beyond 50 lies below.
DROPS_AFTER, DROP = 50, 0.02

# "The test accuracies of CELMs are above those of orthogonal ELM and ELM all the time": their mean lead beyond 50.
LEAD = 0.02

STATEMENTS = {
    f"Worst CELM at {JUST_ABOVE_FIFTY} nodes: perfect, at least {PERFECT:g}": ("worst_celm", "celm_distance"),
    f"ELM at {ELM_AT} nodes: {ELM_ACCURACY:g}, within {ELM_MARGIN:g}": ("elm", "elm_distance"),
    f"Orthogonal ELM falls from {DROPS_AFTER} nodes to the mean beyond, by {DROP:g} or more": (
        "orthogonal_drop",
        "drop_distance",
    ),
    f"Worst CELM above ELM and orthogonal ELM beyond {DROPS_AFTER} nodes, by {LEAD:g} or more in the mean": (
        "lead",
        "lead_distance",
    ),
}
DISTANCES = [distance for _, distance in STATEMENTS.values()]
COLUMNS = [
    *SETTINGS,
    "worst_celm",
    "elm",
    "orthogonal_drop",
    "orthogonal_peak_at",
    "lead",
    *DISTANCES,
    "met",
    "distance",
]


def celm_distance(accuracy: float) -> float:
    """How far the worst CELM is from perfect; 0 from :data:`PERFECT` on."""
    return max(0.0, 1.0 - accuracy) if accuracy < PERFECT else 0.0


def elm_distance(accuracy: float) -> float:
    """How far ELM is from the stated accuracy; 0 within :data:`ELM_MARGIN`."""
    distance = abs(accuracy - ELM_ACCURACY)
    return distance if distance > ELM_MARGIN else 0.0


def drop_distance(drop: float) -> float:
    """How much of the fall of orthogonal ELM is missing; 0 from a fall of :data:`DROP` on."""
    return max(0.0, DROP - drop)


def lead_distance(lead: float) -> float:
    """How much of the lead of the worst CELM is missing; 0 from a lead of :data:`LEAD` on."""
    return max(0.0, LEAD - lead)


def mean_lead(means: pd.Series) -> float:
    """The worst CELM minus the better of ELM and orthogonal ELM, averaged over node counts beyond 50.

    ``means`` is accuracy by model and n_hidden.
    """
    by_model = means.unstack("model")
    beyond = by_model[by_model.index > DROPS_AFTER]
    return float((beyond[list(CELMS)].min(axis=1) - beyond[["elm", "orthogonal_elm"]].max(axis=1)).mean())


def scored(frame: pd.DataFrame) -> pd.DataFrame:
    """One row per setting, closest first. ``frame``: records with the columns dataset_turns, dataset_noise, …"""
    frame = frame.rename(columns={f"dataset_{name}": name for name in SETTINGS}).sort_values("round", kind="stable")
    rows = []
    for values, group in frame.groupby(SETTINGS):
        means = group.groupby(["model", "n_hidden"])["accuracy"].mean()
        orthogonal = means["orthogonal_elm"]
        measured = {
            "worst_celm": min(means[model, JUST_ABOVE_FIFTY] for model in CELMS),
            "elm": means["elm", ELM_AT],
            "orthogonal_drop": orthogonal[DROPS_AFTER] - orthogonal[orthogonal.index > DROPS_AFTER].mean(),
            "orthogonal_peak_at": orthogonal.idxmax(),
            "lead": mean_lead(means),
        }
        distances = {
            "celm_distance": celm_distance(measured["worst_celm"]),
            "elm_distance": elm_distance(measured["elm"]),
            "drop_distance": drop_distance(measured["orthogonal_drop"]),
            "lead_distance": lead_distance(measured["lead"]),
        }
        total = {"met": sum(value == 0 for value in distances.values()), "distance": sum(distances.values())}
        rows.append({**dict(zip(SETTINGS, values, strict=True)), **measured, **distances, **total})
    ranked = pd.DataFrame(rows, columns=COLUMNS)
    return ranked.sort_values(["met", "distance"], ascending=[False, True], kind="stable", ignore_index=True)


def closest(scores: pd.DataFrame, *, stated_range: bool) -> pd.Series:
    """The closest setting; with ``stated_range`` among those that keep the data in [-1, 1], as the paper says."""
    return (scores[scores["scale"] == 1.0] if stated_range else scores).iloc[0]


def place_of(scores: pd.DataFrame, setting: Mapping[str, float]) -> int | None:
    """The place of a setting in the ranking, 1 for the closest; None if the map does not hold it."""
    same = (scores[SETTINGS] == pd.Series({name: setting[name] for name in SETTINGS})).all(axis=1)
    return int(same.to_numpy().argmax()) + 1 if same.any() else None
