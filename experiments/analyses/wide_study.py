"""The wide studies on a hundred sets as tables, figures and words; :mod:`suite_judged` says what they find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from celm.analysis.statistics import cliques
from celm.analysis.summary import to_csv
from celm.base.names import model_label
from celm.render.document import Document, Items, document
from celm.render.figures import draw_forest, draw_ranks
from celm.render.latex import latex_table
from experiments.analyses.suite_judged import Wide, find_classes, find_numbers
from experiments.analyses.suite_weights import sources_of, weights_document
from experiments.analyses.suite_words import (
    LEAD_WORDS,
    answer_lines,
    blocks,
    hypotheses_rows,
    hypotheses_table,
    leads_table,
    left_out,
    registered,
)
from experiments.analysis import Analysis, Picture

# What the figure shows: scale, directions at a chosen scale, labels.
PANELS = {
    "suite": ("lead_scale", "lead_covariance", "lead_labels_ciw"),
    "suite_regression": ("lead_scale", "lead_covariance", "lead_labels_sums"),
}
# Groups of sets in the figure: title -> kind, whether trials had seen them, and the part that is pooled below them.
GROUPS: dict[str, tuple[str, bool | None, str]] = {
    "images": ("image", None, "images"),
    "tables, fresh": ("table", False, "tables, fresh"),
    "tables, seen by trials": ("table", True, "tables, seen by trials"),
    "made up": ("synthetic", None, ""),
}
EDGES = ("effect", "low", "high")
PREDICTED = ("predicted_low", "predicted_high")
COLUMNS = ("dataset", "source", "n_rows", "n_features", "n_classes", "kind", "model")


def means_table(found: Wide) -> pd.DataFrame:
    """A row per set and model: where the set comes from, what it is like, means over rounds."""
    about = found.sets.rename(columns={"source": "group", "package": "source", "tried": "seen_by_trials"})
    joined = found.means.merge(about, on="dataset", how="left")
    order = {name: place for place, name in enumerate(found.sets["dataset"])}
    joined = joined.sort_values("dataset", key=lambda names: names.map(order), kind="stable", ignore_index=True)
    shown = [name for name in COLUMNS if name != "n_classes" or found.study == "suite"]
    measured = [name for name in found.means if name not in ("dataset", "model")]
    table: pd.DataFrame = joined[[*shown, *measured, "group", "seen_by_trials"]]
    return table


def forest_numbers(found: Wide) -> pd.DataFrame:
    """What the figure plots: leads of sets by group, largest first by the second panel, and the pooled lead of each."""
    rows: list[dict[str, Any]] = []
    panels = PANELS[found.study]
    order = {one.dataset: -one.estimate.mean for one in found.by_set[panels[1]]}
    for group, (kind, tried, part) in GROUPS.items():
        for lead in panels:
            mine = [one for one in found.by_set[lead] if one.kind == kind and tried in (None, one.tried)]
            for one in sorted(mine, key=lambda one: order.get(one.dataset, 0.0)):
                at = one.estimate
                rows.append(
                    {"lead": lead, "group": group, "dataset": one.dataset, **dict(zip(EDGES, at, strict=False))}
                )
            pooled = found.pooled
            chosen = pooled[(pooled["lead"] == lead) & (pooled["score"] == found.scores[0]) & (pooled["sets"] == part)]
            for _, row in chosen.iterrows():
                edges = {name: row.get(name) for name in (*EDGES, *PREDICTED)}
                rows.append({"lead": lead, "group": group, "dataset": "pooled", **edges})
    numbers: pd.DataFrame = pd.DataFrame(rows, columns=["lead", "group", "dataset", *EDGES, *PREDICTED])
    return numbers


def forest(found: Wide) -> Picture:
    """Leads set by set."""
    numbers = forest_numbers(found)
    return Picture(draw_forest(numbers, {lead: LEAD_WORDS[lead] for lead in PANELS[found.study]}), numbers)


def ranks(found: Wide) -> Picture:
    """The critical-difference diagram over independent sources."""
    test = found.ranks
    groups = cliques(test.ranks, test.critical_difference)
    title = f"Mean rank over {test.datasets} independent sources of data"
    ordered = sorted(test.ranks.items(), key=lambda pair: pair[1])
    numbers = pd.DataFrame(ordered, columns=["model", "mean_rank"]).assign(
        critical_difference=test.critical_difference, p_iman_davenport=test.p_F, sources=test.datasets
    )
    return Picture(draw_ranks(test.ranks, test.critical_difference, groups, title), numbers)


def files(found: Wide) -> dict[str, str]:
    """Leads, hypotheses, moderators and traits as CSV; hypotheses and leads for an article."""
    start = f"tables/{found.study}"
    tex = latex_table(hypotheses_table(found), "Hypotheses of the wide study and what became of them.")
    tex += latex_table(leads_table(found), "Leads pooled over independent sources of data, in points.")
    traits = found.traits.reset_index() if len(found.traits) else found.traits
    return {
        f"{start}.tex": tex,
        f"{start}_leads.csv": to_csv(found.pooled),
        f"{start}_hypotheses.csv": to_csv(pd.DataFrame(hypotheses_rows(found))),
        f"{start}_moderators.csv": to_csv(found.moderators),
        f"{start}_traits.csv": to_csv(traits),
        f"{start}_left_out.csv": to_csv(pd.DataFrame(left_out(found), columns=["dataset", "model", "reason"])),
    }


def plain_values(value: Any) -> Any:
    """Plain data without a number that is none."""
    if isinstance(value, dict):
        return {name: plain_values(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_values(one) for one in value]
    if isinstance(value, float):
        return None if value != value else round(value, 6)
    return value


def as_verdict(found: Wide) -> dict[str, Any]:
    """What verdict.json says: sizes, pooled leads, hypotheses with verdicts and whether each was registered."""
    leads = [
        {name: value for name, value in row.items() if name != "reason" or value}
        for row in found.pooled.astype(object).to_dict(orient="records")
    ]
    hypotheses = [{**one.document(), **registered(found.study, one.hypothesis.id)} for one in found.hypotheses]
    rounds = found.means["rounds"]
    content = {
        "sets": int(found.means["dataset"].nunique()),
        "sources": sources_of(found),
        "models": int(found.means["model"].nunique()),
        "rounds": [int(rounds.min()), int(rounds.max())],
        "left_out": left_out(found),
        "hypotheses": hypotheses,
        "weights": weights_document(found),
        "leads": leads,
        "mean_ranks": dict(sorted(found.ranks.ranks.items(), key=lambda pair: pair[1])),
        "critical_difference": found.ranks.critical_difference,
    }
    cleaned: dict[str, Any] = plain_values(content)
    return cleaned


def told(found: Wide) -> Document:
    """The study on one page."""
    words = {"suite": "classification", "suite_regression": "regression"}[found.study]
    return document(f"The wide study: {words}", blocks(found))


def ranks_told(found: Wide) -> Document:
    """Mean ranks as a list."""
    ordered = sorted(found.ranks.ranks.items(), key=lambda pair: pair[1])
    lines = [f"{model_label(model)}: {rank:.2f}" for model, rank in ordered]
    lead = (
        f"Mean ranks over {found.ranks.datasets} independent sources, 1 is best; ranks that differ by "
        f"{found.ranks.critical_difference:.2f} or more differ significantly (Nemenyi, 5 %)."
    )
    return document("Ranks of the wide study", [Items(lines, lead)])


def _analyses(study: str, words: str, find: Callable[..., Wide]) -> tuple[Analysis[Wide], Analysis[Wide]]:
    """The two analyses of a study: all that it says, and the ranks."""
    main = Analysis(
        name=study,
        about=f"The wide study, {words}: where the gain comes from, and on which problems",
        reads=(study,),
        find=find,
        document=told,
        numbers=means_table,
        picture=forest,
        files=files,
        answer=lambda found: Items(answer_lines(found), f"The hypotheses of the wide study, {words}:"),
        judged=as_verdict,
        chapter="Wide study",
    )
    ranked = Analysis(
        name=f"{study}_ranks",
        about=f"The wide study, {words}: mean ranks over independent sources with the critical difference",
        reads=(study,),
        find=find,
        document=ranks_told,
        picture=ranks,
        chapter="Wide study",
    )
    return main, ranked


SUITE = _analyses("suite", "classification", find_classes)
SUITE_REGRESSION = _analyses("suite_regression", "regression", find_numbers)
