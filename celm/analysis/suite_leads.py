"""Many sets, many models: leads of models on every set, pooled over independent sources; tidy frame -> plain tables.

A set is known by a row of ``sets``: dataset, source (sets of one source hold the same objects), kind and tried (whether
trials had seen it before the study).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from celm.analysis.random_effects import Pooled, SourceEffect, beyond_sources, by_source, resampled_variance
from celm.analysis.statistics import Paired, overlap, paired_t

Array = npt.NDArray[np.float64]

# Scores of a study of classes and of one of numbers: the one that decides, and the one beside it.
SCORES = {"compare": ("accuracy", "balanced_accuracy"), "regress": ("r2", "rmse")}
# Two models whose R² agree this closely agree: what one test row is to accuracies.
SMALL_R2 = 1e-4


class Lead(NamedTuple):
    """The mean score of some models minus that of others."""

    id: str
    of: tuple[str, ...]
    over: tuple[str, ...]


class SetLead(NamedTuple):
    """A lead on one set in every round, what its rounds share, and the smallest spread that its score can show."""

    dataset: str
    source: str
    kind: str
    tried: bool
    rounds: Array
    shared: float
    resolution: float

    @property
    def estimate(self) -> Paired:
        """The mean over rounds, with the interval corrected for what they share."""
        return paired_t(self.rounds, self.shared)

    @property
    def variance(self) -> float:
        """The variance of the mean for the source of the rows; equal rounds have that of one test row."""
        floor = self.resolution**2 * (1.0 / len(self.rounds) + self.shared)
        return max(resampled_variance(self.rounds, self.shared), floor)


class Scores(NamedTuple):
    """One score of a study: (data set, round) × model, and of every set what its rounds share and its resolution."""

    table: pd.DataFrame
    sets: pd.DataFrame


def scores_of(frame: pd.DataFrame, sets: pd.DataFrame, score: str) -> Scores:
    """A score of the records of ``sets``; a resolution is the smallest difference that it can show: one test row."""
    table = frame.pivot_table(index=["dataset", "round"], columns="model", values=score)
    rows = []
    for dataset, mine in frame.groupby("dataset", sort=False):
        resolution = SMALL_R2 if score == "r2" else 1.0 / float(mine["n_test"].max())
        rows.append({"dataset": dataset, "shared": overlap(mine), "resolution": resolution})
    return Scores(table, sets.merge(pd.DataFrame(rows), on="dataset"))


def set_leads(scores: Scores, lead: Lead) -> list[SetLead]:
    """A lead on every set that has two rounds or more of all its models, in the order of the sets."""
    found: list[SetLead] = []
    models = {*lead.of, *lead.over}
    if not models <= set(scores.table.columns):
        return found
    table = scores.table[sorted(models)].dropna()
    gaps = table[list(lead.of)].mean(axis=1) - table[list(lead.over)].mean(axis=1)
    by_set = {str(name): mine.to_numpy(float) for name, mine in gaps.groupby(level="dataset")}
    for one in scores.sets.to_dict(orient="records"):
        rounds = by_set.get(one["dataset"], np.empty(0))
        if len(rounds) > 1:
            about = {name: one[name] for name in SetLead._fields if name != "rounds"}
            found.append(SetLead(rounds=rounds, **about))
    return found


def among(leads: Sequence[SetLead], kinds: Collection[str], tried: bool | None = None) -> list[SetLead]:
    """The sets of some kinds (all if empty); ``tried``: only those that trials had seen, or had not."""
    return [one for one in leads if (not kinds or one.kind in kinds) and (tried is None or one.tried == tried)]


def source_effects(leads: Sequence[SetLead]) -> list[SourceEffect]:
    """Effects with variances of independent sources."""
    named = {one.dataset: one.source for one in leads}
    return by_source({one.dataset: (float(one.rounds.mean()), one.variance) for one in leads}, named.__getitem__)


def pooled_lead(leads: Sequence[SetLead]) -> tuple[Pooled | None, str]:
    """Random effects over the sources of some sets, or None and the reason why nothing is pooled."""
    return beyond_sources(source_effects(leads))


def source_rounds(leads: Sequence[SetLead]) -> Array:
    """Sources × rounds: the mean over the sets of a source in every round that all sets have."""
    n_rounds = min(len(one.rounds) for one in leads)
    groups: dict[str, list[Array]] = {}
    for one in leads:
        groups.setdefault(one.source, []).append(one.rounds[:n_rounds])
    return np.array([np.mean(members, axis=0) for members in groups.values()])


# Which sets a lead is pooled over: name -> kinds, and whether trials had seen them.
PARTS: dict[str, tuple[tuple[str, ...], bool | None]] = {
    "all": ((), None),
    "tables, fresh": (("table",), False),
    "tables, seen by trials": (("table",), True),
    "images": (("image",), None),
}


def pooled_table(frame: pd.DataFrame, sets: pd.DataFrame, leads: Sequence[Lead], scores: Sequence[str]) -> pd.DataFrame:
    """One row per lead, score and part of the sets: pooled effect, intervals, heterogeneity, wins and losses of sets.

    Where sources are too few to be pooled, the effect is the mean over them, and its limits are missing.
    """
    tables = {score: scores_of(frame, sets, score) for score in scores}
    rows = []
    for lead in leads:
        for score, table in tables.items():
            every = set_leads(table, lead)
            for part, (kinds, tried) in PARTS.items():
                if chosen := among(every, kinds, tried):
                    rows.append({"lead": lead.id, "score": score, "sets": part, **_pooled_row(chosen)})
    return pd.DataFrame(rows, columns=None if rows else ["lead", "score", "sets"])


def _pooled_row(chosen: Sequence[SetLead]) -> dict[str, Any]:
    pooled, reason = pooled_lead(chosen)
    means = [float(one.rounds.mean()) for one in chosen]
    counts = {"wins": sum(mean > 0 for mean in means), "losses": sum(mean < 0 for mean in means)}
    clear = [one.estimate for one in chosen]
    surely = {"clear_wins": sum(one.low > 0 for one in clear), "clear_losses": sum(one.high < 0 for one in clear)}
    about = {"n_sets": len(chosen), **counts, **surely, "reason": reason}
    if pooled is None:
        sources = source_effects(chosen)
        return {"effect": float(np.mean([one.effect for one in sources])), "n_sources": len(sources), **about}
    names = {"sources": "n_sources"}
    return {names.get(name, name): value for name, value in pooled._asdict().items()} | about


def score_means(frame: pd.DataFrame, scores: Sequence[str]) -> pd.DataFrame:
    """One row per set and model: mean and standard deviation over rounds of the first score, mean of the second."""
    first, second = scores
    groups = frame.groupby(["dataset", "model"], sort=False)
    return groups.agg(
        **{
            f"{first}_mean": (first, "mean"),
            f"{first}_std": (first, "std"),
            f"{second.removesuffix('_accuracy')}_mean": (second, "mean"),
            "rounds": ("round", "nunique"),
        }
    ).reset_index()
