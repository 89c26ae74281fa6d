"""The causes in words: measured effects (see :mod:`celm.analysis.causes`) -> verdict sentences, Markdown, CSV."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from celm.analysis.causes import CELMS, CHANGES, ELM, STEPS, at_largest_count, notable_interactions
from celm.base.names import dataset_label, model_label

# A change closes the gap nearly when it closes this share of it: stated before ten rounds were run.
NEARLY = 0.8
# The changes that the sentences are about.
TOLD_CHANGES = ("random/squared/uniform", "gaussian/none/uniform", "samples/none/uniform", "gaussian/squared/uniform")


def points(row: pd.Series) -> str:
    """``+3.4 (2.9 to 3.9)``: a difference of accuracy in points."""
    text = f"{100 * row['effect']:+.1f}"
    return text if np.isnan(row["low"]) else f"{text} ({100 * row['low']:+.1f} to {100 * row['high']:+.1f})"


def percent(row: pd.Series) -> str:
    """``93 % (88 to 97)``: a share of the gap, or a dash where there is no gap to share."""
    if np.isnan(row["share"]):
        return "–"
    return f"{100 * row['share']:.0f} % ({100 * row['share_low']:.0f} to {100 * row['share_high']:.0f})"


def _of(measured: pd.DataFrame, dataset: str, kind: str) -> pd.DataFrame:
    return measured[(measured["dataset"] == dataset) & (measured["kind"] == kind)].set_index("name")


def verdict(measured: pd.DataFrame, dataset: str) -> str:
    """One sentence on what closes the gap of a data set, from rows of one node count."""
    gap = _of(measured, dataset, "gap").iloc[0]
    best = model_label(CELMS[str(gap.name)])
    head = f"**{dataset_label(dataset)}**, {gap['n_hidden']} nodes: {best} is {points(gap)} points above ELM"
    if np.isnan(gap["low"]):
        return f"{head}; one round has no interval, so the gap is not shared out."
    if not gap["low"] > 0:
        return f"{head}: not distinguishable from no gap, so there is nothing to share out."
    changes, steps = _of(measured, dataset, "change"), _of(measured, dataset, "step")
    closes = {model: f"{CHANGES[model]} closes {percent(changes.loc[model])}" for model in TOLD_CHANGES}
    scale, covariance, samples, both = closes.values()
    return (
        f"{head}. Of this gap {scale}, {covariance}, {samples}; {both}, without a sample or a label. "
        f"Samples in the place of that Gaussian add {points(steps.loc['samples'])} points, labels after them "
        f"{points(steps.loc['labels'])}."
    )


def headline(measured: pd.DataFrame) -> list[str]:
    """Counts over data sets: on how many each change alone nearly closes the gap."""
    sets = list(dict.fromkeys(measured["dataset"]))
    gaps = {name: _of(measured, name, "gap").iloc[0] for name in sets}
    open_sets = [name for name in sets if gaps[name]["low"] > 0]
    lines = [f"{len(open_sets)} of {len(sets)} data sets have a gap between ELM and the best constrained ELM."]
    for model in TOLD_CHANGES:
        shares = {name: _of(measured, name, "change")["share"][model] for name in open_sets}
        closed = [dataset_label(name) for name, share in shares.items() if share >= NEARLY]
        lines.append(
            f"- {CHANGES[model]} (`{model}`): closes at least {100 * NEARLY:.0f} % of it on {len(closed)} of "
            f"{len(open_sets)}{': ' + ', '.join(closed) if closed else ''}."
        )
    return lines


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in [header, ["---"] * len(header), *rows]]


def _shares_table(measured: pd.DataFrame, sets: Sequence[str]) -> list[str]:
    rows = []
    for model, words in CHANGES.items():
        name = f"{words} ({model_label(CELMS[model])})" if model in CELMS else words
        rows.append([name, *(percent(_of(measured, dataset, "change").loc[model]) for dataset in sets)])
    return _table(["changed in ELM", *map(dataset_label, sets)], rows)


def _points_table(measured: pd.DataFrame, sets: Sequence[str], kind: str, head: str) -> list[str]:
    tables = {dataset: _of(measured, dataset, kind) for dataset in sets}
    names = list(next(iter(tables.values())).index)
    rows = [[name, *(points(table.loc[name]) for table in tables.values())] for name in names]
    return _table([head, *map(dataset_label, sets)], rows)


def _by_count_table(measured: pd.DataFrame) -> list[str]:
    rows = []
    for (dataset, count), group in measured.groupby(["dataset", "n_hidden"], sort=False):
        gap, changes = _of(group, str(dataset), "gap").iloc[0], _of(group, str(dataset), "change")
        shares = [percent(changes.loc[model]) for model in TOLD_CHANGES]
        rows.append([dataset_label(str(dataset)), str(count), model_label(CELMS[str(gap.name)]), points(gap), *shares])
    return _table(["data set", "nodes", "best", "gap", *(CHANGES[model] for model in TOLD_CHANGES)], rows)


def _interaction_lines(measured: pd.DataFrame) -> list[str]:
    found = notable_interactions(measured)
    rows = [[dataset_label(row["dataset"]), row["name"], points(row)] for _, row in found.iterrows()]
    return _table(["data set", "together", "beyond their sum"], rows) if rows else ["None."]


def to_markdown(measured: pd.DataFrame) -> str:
    """The study on one page: counts, a verdict per data set, then the tables behind them."""
    largest = at_largest_count(measured)
    sets = list(dict.fromkeys(largest["dataset"]))
    steps = " → ".join(STEPS)
    lines = [
        "# What the lead of constrained ELMs is made of",
        "",
        f"ELM is `{ELM}`; the best of {', '.join(model_label(name) for name in CELMS.values())} sets the gap. "
        "Rounds are paired; intervals are 95 %, corrected where rounds are random splits of the same rows; shares by "
        "Fieller's theorem, a dash where no gap is distinguishable from zero. Points are hundredths of accuracy.",
        "",
        *headline(largest),
        "",
        *(f"- {verdict(largest, dataset)}" for dataset in sets),
        "",
        "## Share of the gap that a change of ELM closes, at the largest node count",
        "",
        *_shares_table(largest, sets),
        "",
        f"## One ingredient after the other, in points: {steps}",
        "",
        *_points_table(largest, sets, "step", "added"),
        "",
        "## Main effects in points, against ELM's level and averaged over the other two factors",
        "",
        *_points_table(largest, sets, "main effect", "level"),
        "",
        "## Interactions of at least one point whose interval leaves out zero",
        "",
        *_interaction_lines(largest),
        "",
        "## By node count",
        "",
        *_by_count_table(measured),
    ]
    return "\n".join(lines) + "\n"


def to_csv(measured: pd.DataFrame) -> str:
    """Every effect at every node count, six significant digits."""
    return measured.to_csv(index=False, float_format="%.6g", lineterminator="\n")
