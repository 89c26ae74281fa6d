"""The wide studies in words and tables: hypotheses, leads, models, moderators, sets."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import pandas as pd

from celm.analysis.suite_hypotheses import HypothesisVerdict, Part, PartVerdict
from celm.analysis.suite_leads import PARTS
from celm.base.names import MODELS, dataset_label, in_order, model_label, short_label
from celm.render.document import Block, Bold, Heading, Items, Line, Paragraph, Table
from celm.render.numbers import missing, p_text, points, points_span
from experiments.analyses.suite_judged import Wide
from experiments.analyses.suite_weights import sources_of, weights_told
from experiments.config.entries import conf_file
from experiments.registration.standing import status

JUDGE = "experiments.analyses.suite_judged"
LEAD_WORDS = {
    "lead_celms": "the paper's CELMs over ELM",
    "lead_scale": "ELM: chosen scale over its own",
    "lead_celms_beyond_scale": "the paper's CELMs over ELM at a chosen scale",
    "lead_samples": "samples over random directions, chosen scale",
    "lead_covariance": "covariance over random directions",
    "lead_swim": "SWIM over ELM at a chosen scale",
    "lead_ciw": "CIW without labels over ELM at a chosen scale",
    "lead_labels_ciw": "labels: CIW over CIW without",
    "lead_labels_sums": "labels: CSELM over RSELM",
    "lead_over_linear": "covariance at a chosen scale over linear ridge",
    "lead_over_svm": "covariance at a chosen scale over the linear SVM",
    "lead_over_kernel": "covariance at a chosen scale over the RBF kernel",
    "lead_over_boosting": "covariance at a chosen scale over gradient boosting",
}
MODERATOR_WORDS = {
    "intercept": "at the mean of all",
    "log10_rows": "rows, log",
    "log10_features": "features, log",
    "log2_classes": "classes, log",
    "variance_share": "share of variance in three components",
    "overlap": "overlap of classes or roughness of the target",
}
# Models whose score stands in the table of sets; the CSV has all.
SHOWN = ("elm", "elm_scaled", "cselm", "selm_scaled", "covariance_scaled", "linear_ridge", "rbf_nystroem", "boosting")


def registered(study: str, hypothesis: str) -> dict[str, Any]:
    """Whether a hypothesis, and the source that judges it, were fixed before the first record."""
    return status(study, by=JUDGE, claim=hypothesis).document()


def asked(part: Part) -> str:
    """``at most +0.5``: where a lead must lie, in points."""
    edges = {"at least": part.at_least, "at most": part.at_most}
    return ", ".join(f"{word} {100 * edge:+.1f}" for word, edge in edges.items() if math.isfinite(edge))


def found_text(part: PartVerdict) -> str:
    """The lead with its interval, in hundredths of a point where it is small."""
    if part.effect is None or part.low is None or part.high is None:
        return part.reason or "–"
    return f"{100 * part.effect:+.2f} ({100 * part.low:+.2f} to {100 * part.high:+.2f})"


def _predicted(part: PartVerdict) -> str:
    return "–" if part.predicted_low is None or part.predicted_high is None else points_span(
        part.predicted_low, part.predicted_high
    )  # fmt: skip


def _told_registered(told: Mapping[str, Any]) -> str:
    return {True: "yes", False: "no"}.get(told["registered"], str(told["registered"]))


def hypotheses_rows(found: Wide) -> list[dict[str, Any]]:
    """A row per part, fresh sets and those seen by trials apart, for programs."""
    rows = []
    for one in found.hypotheses:
        for part, result in zip(one.hypothesis.parts, one.parts, strict=True):
            for label, shown in (("tested", result), ("exploratory", result.exploratory)):
                if shown is not None:
                    values = {
                        name: getattr(shown, name) for name in shown.__dataclass_fields__ if name != "exploratory"
                    }
                    edges = {"at_least": part.at_least, "at_most": part.at_most}
                    rows.append({"hypothesis": one.hypothesis.id, "role": label, **values, **edges})
    return rows


def hypotheses_table(found: Wide) -> Table:
    """A row per part; the verdict on the whole stands at its first part."""
    rows: list[list[Line]] = []
    for one in found.hypotheses:
        first = _told_registered(registered(found.study, one.hypothesis.id))
        for place, (part, result) in enumerate(zip(one.hypothesis.parts, one.parts, strict=True)):
            head: list[Line] = [one.hypothesis.says, Bold(one.verdict), first] if place == 0 else ["", "", ""]
            counts = f"{result.holds}/{result.fails}/{result.open}"
            beside = found_text(result.exploratory) if result.exploratory is not None else "–"
            middle: list[Line] = [part.name, asked(part), found_text(result), _predicted(result), counts]
            rows.append([*head[:1], *middle, result.verdict, *head[1:], beside])
    header = [
        "hypothesis",
        "lead of",
        "asked, points",
        "found (95 %)",
        "a further set",
        "sets hold/fail/open",
        "verdict",
    ]
    return Table([*header, "together", "registered", "exploratory: sets seen by trials"], rows)


def leads_table(found: Wide) -> Table:
    """Pooled leads in points: a row per lead, a column per part of the sets."""
    pooled = found.pooled[found.pooled["score"] == found.scores[0]]
    parts = [part for part in PARTS if part in set(pooled["sets"])]
    rows: list[list[Line]] = []
    for lead in found.leads:
        cells: list[Line] = [LEAD_WORDS.get(lead.id, lead.id)]
        for part in parts:
            mine = pooled[(pooled["lead"] == lead.id) & (pooled["sets"] == part)]
            cells.append("–" if mine.empty else _lead_cell(mine.iloc[0]))
        rows.append(cells)
    return Table(["lead", *parts], rows)


def _lead_cell(row: pd.Series) -> str:
    low, high = row.get("low", math.nan), row.get("high", math.nan)
    text = points(row["effect"], low, high)
    if not missing(row.get("predicted_low")):
        text += f"; further {points_span(row['predicted_low'], row['predicted_high'])}"
    return f"{text}; {row['wins']:.0f}:{row['losses']:.0f}"


def models_table(found: Wide) -> Table:
    """A row per model: mean scores over sets, and its mean rank over independent sources."""
    names = [str(name) for name in found.means.columns if str(name).endswith("_mean")]
    shown = [name for name in names if name != "rmse_mean"]
    means = found.means.groupby("model")[shown].mean()
    best = found.means.loc[found.means.groupby("dataset")[names[0]].idxmax(), "model"].value_counts()
    rows = []
    for model in sorted(means.index, key=lambda name: found.ranks.ranks.get(name, math.inf)):
        rank = found.ranks.ranks.get(model)
        scores = [f"{means.loc[model, name]:.3f}" for name in shown]
        rows.append([model_label(model), "–" if rank is None else f"{rank:.2f}", *scores, f"{best.get(model, 0)}"])
    words = {"accuracy_mean": "accuracy", "balanced_mean": "balanced accuracy", "r2_mean": "R²"}
    return Table(["model", "mean rank", *(words[name] for name in shown), "best on sets"], rows)


def moderators_told(found: Wide) -> Iterator[Block]:
    """What a lead gains per standard deviation of a trait."""
    if found.moderators.empty:
        yield Paragraph("Too few sources for moderators.")
        return
    leads = list(dict.fromkeys(found.moderators["lead"]))
    rows = []
    for name in dict.fromkeys(found.moderators["moderator"]):
        cells = [MODERATOR_WORDS.get(str(name), str(name))]
        for lead in leads:
            mine = found.moderators[(found.moderators["lead"] == lead) & (found.moderators["moderator"] == name)]
            row = mine.iloc[0] if len(mine) else None
            told = (
                "–" if row is None else f"{points(row['effect'], row['low'], row['high'])}, p {p_text(row['p_holm'])}"
            )
            cells.append(told)
        rows.append(cells)
    yield Table(["points per standard deviation", *(LEAD_WORDS[lead] for lead in leads)], rows)


def sets_table(found: Wide) -> Table:
    """A row per set: what it is like, and the mean score of some models."""
    score = f"{found.scores[0]}_mean"
    table = found.means.pivot(index="dataset", columns="model", values=score)
    models = in_order([model for model in SHOWN if model in table], MODELS)
    rows = []
    for _, about in found.sets.iterrows():
        name = about["dataset"]
        if name in table.index:
            size = f"{about['n_rows']}×{about['n_features']}" + (f"×{about['n_classes']}" if about["n_classes"] else "")
            scores = ["–" if pd.isna(table.loc[name, model]) else f"{table.loc[name, model]:.3f}" for model in models]
            rows.append([dataset_label(name), about["package"], about["kind"], size, *scores])
    return Table(["set", "source", "kind", "size", *map(short_label, models)], rows)


def left_out(found: Wide) -> list[dict[str, str]]:
    """Every set and model without a record, and the reason that the study's file gives for it."""
    reasons = conf_file("experiment", found.study).grid.get("without") or {}
    known = set(zip(found.means["dataset"], found.means["model"], strict=True))
    pairs = product(dict.fromkeys(found.means["dataset"]), dict.fromkeys(found.means["model"]))
    return [
        {"dataset": name, "model": model, "reason": str(reasons.get(f"{name} {model}", "no reason is recorded"))}
        for name, model in pairs
        if (name, model) not in known
    ]


def _left_out_told(found: Wide) -> Iterator[Block]:
    holes = left_out(found)
    if holes:
        lines = [f"{dataset_label(one['dataset'])}, {model_label(one['model'])}: {one['reason']}" for one in holes]
        yield Items(lines, "Not run:")


def how_to_read(found: Wide) -> str:
    """What was done, in numbers."""
    rounds = found.means["rounds"]
    span = f"{rounds.min()}" if rounds.min() == rounds.max() else f"{rounds.min()} to {rounds.max()}"
    unit = "accuracy" if found.study == "suite" else "R²"
    return (
        f"{found.means['dataset'].nunique()} sets of {sources_of(found)} independent sources, "
        f"{found.means['model'].nunique()} models, {span} rounds each. Points are hundredths of {unit}; leads are "
        "paired by round. Pooled leads are random effects over independent sources (REML, Hartung and Knapp's 95 % "
        "interval); "
        "sets of the same objects are one source; rounds of a set share rows, which its variance counts. A further "
        "set: the 95 % prediction interval. A hypothesis is judged by limits, on sets that no trial had seen where "
        "there are any. w:l counts the sets on which the lead is above and below zero."
    )


def blocks(found: Wide) -> Iterator[Block]:
    """Hypotheses, leads, models, moderators, sets."""
    yield Paragraph(how_to_read(found))
    yield Heading("Hypotheses")
    yield hypotheses_table(found)
    yield from weights_told(found)
    yield Heading("Leads in points, pooled over sets; w:l")
    yield leads_table(found)
    yield Heading("Models over all sets")
    yield models_table(found)
    yield Heading("On which problems a lead is large, all moderators at once")
    yield from moderators_told(found)
    yield Heading("Sets")
    yield sets_table(found)
    yield from _left_out_told(found)


def answer_lines(found: Wide) -> list[Line]:
    """A line per hypothesis: its verdict, what it says, what was found."""
    return [answer_of(one) for one in found.hypotheses]


def answer_of(one: HypothesisVerdict) -> Line:
    """A hypothesis in one line: its verdict, what it says, what was found."""
    parts = "; ".join(f"{part.name} {found_text(part)}" for part in one.parts)
    return Bold(one.verdict), f": {one.hypothesis.says} In points: {parts}."
