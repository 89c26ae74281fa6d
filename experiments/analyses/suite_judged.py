"""The wide studies judged: means, leads, hypotheses, moderators and ranks; nothing here says how they are shown."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import pandas as pd
from omegaconf import OmegaConf

from celm.analysis.random_effects import independent_ranks
from celm.analysis.statistics import Friedman
from celm.analysis.suite_hypotheses import Hypothesis, HypothesisVerdict, hypothesis_of, judge_hypothesis
from celm.analysis.suite_leads import SCORES, Lead, SetLead, pooled_table, score_means, scores_of, set_leads
from celm.analysis.suite_moderators import moderators_table, traits_table
from celm.analysis.summary import chosen_rows
from celm.datasets import suite_names, tried_before
from celm.datasets.suite import suite_table
from experiments.analysis import Frames, NotComplete
from experiments.results import PAPERS

FILE = PAPERS / "celm" / "hypotheses.yaml"
# The studies: experiment -> its task, and what its sets are called in celm/datasets/suite.csv.
STUDIES = {"suite": ("compare", "classification"), "suite_regression": ("regress", "regression")}
# The leads whose moderators are asked for.
MODERATED = ("lead_celms", "lead_scale", "lead_covariance", "lead_labels_sums")


class Wide(NamedTuple):
    """All that one of the studies says."""

    study: str
    scores: tuple[str, str]
    sets: pd.DataFrame
    means: pd.DataFrame
    leads: tuple[Lead, ...]
    pooled: pd.DataFrame
    by_set: dict[str, list[SetLead]]
    hypotheses: list[HypothesisVerdict]
    traits: pd.DataFrame
    moderators: pd.DataFrame
    ranks: Friedman


@cache
def written() -> tuple[tuple[Hypothesis, ...], tuple[dict[str, Any], ...]]:
    """The hypotheses, and the leads without a margin as they stand in the file."""
    content: Any = OmegaConf.to_container(OmegaConf.load(FILE))
    return tuple(hypothesis_of(entry) for entry in content["hypotheses"]), tuple(content["leads"])


def leads_of(study: str) -> tuple[Lead, ...]:
    """The leads without a margin that a study knows."""
    return tuple(
        Lead(entry["id"], tuple(entry["of"]), tuple(entry["over"])) for entry in written()[1] if study in entry["reads"]
    )


def sets_of(task: str) -> pd.DataFrame:
    """Every set of a task: where it comes from, with which others it shares its objects, what it is like."""
    names = suite_names(task)
    rows = [
        {
            "dataset": row.name,
            "package": row.package,
            "source": row.group,
            "n_rows": row.rows,
            "n_features": row.features,
            "n_classes": len(row.classes),
            "kind": row.kind,
            "tried": tried_before(row.name),
        }
        for row in suite_table()
        if row.name in names and row.task == task
    ]
    table: pd.DataFrame = pd.DataFrame(rows)
    return table


def judged(study: str, frame: pd.DataFrame, sets: pd.DataFrame) -> Wide:
    """What the records of a study say of its sets."""
    task, _ = STUDIES[study]
    scores, rows, leads = SCORES[task], chosen_rows(frame), leads_of(study)
    means = score_means(rows, scores)
    table = means.pivot(index="dataset", columns="model", values=f"{scores[0]}_mean").dropna()
    source = dict(zip(sets["dataset"], sets["source"], strict=True))
    if len({source[str(name)] for name in table.index}) < 2:
        raise NotComplete(f"{study}: needs all models on two independent sets or more")
    first = scores_of(rows, sets, scores[0])
    moderated = [lead for lead in leads if lead.id in MODERATED]
    pooled_scores = scores if task == "compare" else scores[:1]
    return Wide(
        study=study,
        scores=scores,
        sets=sets,
        means=means,
        leads=leads,
        pooled=pooled_table(rows, sets, leads, pooled_scores),
        by_set={lead.id: set_leads(first, lead) for lead in leads},
        hypotheses=[judge_hypothesis(one, rows, sets) for one in written()[0] if study in one.reads],
        traits=traits_table(rows, sets),
        moderators=moderators_table(rows, sets, moderated, scores[0]),
        ranks=independent_ranks(table, lambda name: source[name]),
    )


def find_classes(frames: Frames) -> Wide:
    """The study of classes."""
    return judged("suite", frames["suite"], sets_of("classification"))


def find_numbers(frames: Frames) -> Wide:
    """The study of numbers."""
    return judged("suite_regression", frames["suite_regression"], sets_of("regression"))
