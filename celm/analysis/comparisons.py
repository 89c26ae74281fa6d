"""Pairwise tests of methods on every data set, and their ranks over all of them: tidy frame -> tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from celm.analysis.statistics import holm, overlap, paired_t, wilcoxon_p
from celm.analysis.summary import chosen_rows
from celm.base.names import CELMS, DATASETS, MODELS, dataset_label, in_order

# Every CELM is held against these and against the best of all other methods.
BASELINES = ("elm", "orthogonal_elm")
COLUMNS = ["dataset", "n_hidden", "model", "baseline", "best_baseline", "difference", "low", "high", "p_corrected",
           "p_wilcoxon", "p_holm", "rounds"]  # fmt: skip

Rounds = dict[str, pd.Series]


def _blocks(frame: pd.DataFrame) -> Iterator[tuple[str, int | None, pd.DataFrame]]:
    """The rows compared with one another: those of a data set, or of one of its node counts where all are chosen."""
    rows = chosen_rows(frame)
    for dataset in in_order(list(rows["dataset"].unique()), DATASETS):
        block = rows[rows["dataset"] == dataset]
        if not block.groupby("cell").size().gt(1).any():
            yield dataset, None, block
            continue
        own = block.groupby("cell")["n_hidden"].transform("nunique") > 1
        for count in sorted(block.loc[own, "n_hidden"].unique()):
            yield dataset, int(count), block[~own | (block["n_hidden"] == count)]


def _rounds(block: pd.DataFrame) -> Rounds:
    """Accuracies by model and round."""
    table = block.pivot(index="round", columns="model", values="accuracy")
    models = in_order([str(model) for model in table.columns], MODELS)
    return {model: table[model].dropna() for model in models}


def _differences(first: pd.Series, second: pd.Series, official: bool) -> npt.NDArray[np.float64]:
    """By the rounds that both have; a single round on an official split stands for all of them."""
    if official and len(second) == 1:
        return first.to_numpy(float) - float(second.iloc[0])
    return (first - second).dropna().to_numpy(float)


def pairwise(frame: pd.DataFrame, models: Sequence[str] = CELMS) -> pd.DataFrame:
    """One row per data set, model and baseline: mean difference by round, corrected interval and p, Wilcoxon's p.

    Methods are paired in the rounds that both have. Baselines are ELM, orthogonal ELM and the best other method by mean
    accuracy (marked; a choice on test rows that favours the baseline). Holm's correction of Wilcoxon's p is over the
    models held against one baseline on one data set.
    """
    rows = []
    for dataset, count, block in _blocks(frame):
        rounds = _rounds(block)
        others = [model for model in rounds if model not in models]
        best = max(others, key=lambda model: float(rounds[model].mean()), default=None)
        shared = overlap(block)
        for baseline in dict.fromkeys(model for model in [*BASELINES, best] if model in others):
            own = [model for model in rounds if model in models]
            gaps = [_differences(rounds[model], rounds[baseline], shared == 0) for model in own]
            ps = [wilcoxon_p(gap) for gap in gaps]
            for model, gap, p, adjusted in zip(own, gaps, ps, holm(ps), strict=True):
                test = paired_t(gap, shared)
                where = [dataset, count, model, baseline, baseline == best]
                rows.append([*where, test.mean, test.low, test.high, test.p, p, adjusted, test.rounds])
    return pd.DataFrame(rows, columns=COLUMNS)


def mean_accuracies(frame: pd.DataFrame, models: Sequence[str] | None = None) -> pd.DataFrame:
    """Data sets × models: mean accuracy on the data sets that all the models have; of several counts the largest."""
    means = {}
    for dataset, _, block in _blocks(frame):
        means[dataset_label(dataset)] = {model: float(values.mean()) for model, values in _rounds(block).items()}
    table = pd.DataFrame(means).T
    wanted = list(table.columns) if models is None else [model for model in models if model in table]
    return table[in_order(wanted, MODELS)].dropna(axis=0)
