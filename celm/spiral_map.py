"""Which spiral the paper used: every setting of a sweep measured against its three statements on Fig 3.

The rule that ranks settings was written before the map was run (three settings were known from trials): a setting
that meets more statements is closer; among equals, the smaller sum of distances, in accuracy. No weight is tuned.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

CELMS = ("cdelm", "selm", "cselm", "rselm", "cmelm")
SETTINGS = ["turns", "noise", "scale", "inner_radius"]

# §IV.A: "perfect performance when the number of hidden nodes reaches a slight larger than 50": the next count is 60.
JUST_ABOVE_FIFTY, PERFECT = 60, 0.99
# "The test accuracy of ELM only reaches 0.8 even when the number of hidden nodes is 150."
ELM_AT, ELM_ACCURACY, ELM_MARGIN = 150, 0.8, 0.05
# "orthogonal ELM drops when the number of hidden nodes is larger than 50": by how much its mean beyond 50 lies below.
DROPS_AFTER, DROP = 50, 0.02

STATEMENTS = {
    f"Worst CELM at {JUST_ABOVE_FIFTY} nodes: perfect, at least {PERFECT:g}": ("worst_celm", "celm_distance"),
    f"ELM at {ELM_AT} nodes: {ELM_ACCURACY:g}, within {ELM_MARGIN:g}": ("elm", "elm_distance"),
    f"Orthogonal ELM falls from {DROPS_AFTER} nodes to the mean beyond, by {DROP:g} or more": (
        "orthogonal_drop",
        "drop_distance",
    ),
}
DISTANCES = [distance for _, distance in STATEMENTS.values()]
COLUMNS = [*SETTINGS, "worst_celm", "elm", "orthogonal_drop", "orthogonal_peak_at", *DISTANCES, "met", "distance"]


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
        }
        distances = {
            "celm_distance": celm_distance(measured["worst_celm"]),
            "elm_distance": elm_distance(measured["elm"]),
            "drop_distance": drop_distance(measured["orthogonal_drop"]),
        }
        total = {"met": sum(value == 0 for value in distances.values()), "distance": sum(distances.values())}
        rows.append({**dict(zip(SETTINGS, values, strict=True)), **measured, **distances, **total})
    ranked = pd.DataFrame(rows, columns=COLUMNS)
    return ranked.sort_values(["met", "distance"], ascending=[False, True], kind="stable", ignore_index=True)


def closest(scores: pd.DataFrame, *, stated_range: bool) -> pd.Series:
    """The closest setting; with ``stated_range`` among those that keep the data in [-1, 1], as the paper says."""
    return (scores[scores["scale"] == 1.0] if stated_range else scores).iloc[0]


def setting_text(row: pd.Series) -> str:
    """A setting in words."""
    return ", ".join(f"{name.replace('_', ' ')} {row[name]:g}" for name in SETTINGS)


def place_of(scores: pd.DataFrame, setting: Mapping[str, float]) -> int | None:
    """The place of a setting in the ranking, 1 for the closest; None if the map does not hold it."""
    same = (scores[SETTINGS] == pd.Series({name: setting[name] for name in SETTINGS})).all(axis=1)
    return int(same.to_numpy().argmax()) + 1 if same.any() else None


def to_markdown(scores: pd.DataFrame, rounds: int, default: Mapping[str, float]) -> str:
    """The map as Markdown: the rule, the closest settings and the default, then every setting, closest first."""
    best, stated = closest(scores, stated_range=False), closest(scores, stated_range=True)
    place = place_of(scores, default)
    in_stated_range = place_of(scores[scores["scale"] == 1.0], default)
    lines = [
        "# Which spiral? Settings against the paper's statements on Fig 3",
        "",
        f"{len(scores)} settings, {rounds} rounds each, MATLAB's pseudo-inverse cutoff. Statements (met in bold):",
        "",
        *(f"{place}. {statement}." for place, statement in enumerate(STATEMENTS, start=1)),
        "",
        "A setting that meets more statements is closer; among equals the smaller sum of distances decides. "
        "The rule was written before the map was run, when three of its settings were known from trials.",
        "",
        f"- Closest within the stated range [-1, 1]: {setting_text(stated)} ({int(stated['met'])} of 3 met).",
        f"- Closest of all: {setting_text(best)} ({int(best['met'])} of 3 met).",
        f"- The default, {setting_text(pd.Series(default))}: place {place or 'not in the map'}, "
        f"among settings in the stated range {in_stated_range or 'not in the map'}.",
        f"- Settings that meet every statement: {int((scores['met'] == len(STATEMENTS)).sum())}.",
        "",
        "| turns | noise | scale | inner radius | 1: worst CELM | 2: ELM | 3: fall (peak at) | met | distance |",
        "|---|---|---|---|---|---|---|---|---|",
        *(_line(row) for _, row in scores.iterrows()),
    ]
    return "\n".join(lines) + "\n"


def _line(row: pd.Series) -> str:
    values = {
        "celm_distance": f"{row['worst_celm']:.3f}",
        "elm_distance": f"{row['elm']:.3f}",
        "drop_distance": f"{row['orthogonal_drop']:.3f}",
    }
    texts = {name: f"**{text}**" if row[name] == 0 else text for name, text in values.items()}
    texts["drop_distance"] += f" ({row['orthogonal_peak_at']:.0f})"
    setting = [f"{row[name]:g}" for name in SETTINGS]
    return "| " + " | ".join([*setting, *texts.values(), str(int(row["met"])), f"{row['distance']:.3f}"]) + " |"


def to_csv(scores: pd.DataFrame) -> str:
    """The map with six significant digits."""
    return scores.to_csv(index=False, float_format="%.6g", lineterminator="\n")
