"""Pairwise tests of methods on every data set, and their ranks over all of them: tidy frame -> tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from celm.analysis.statistics import Friedman, holm, overlap, paired_t, wilcoxon_p
from celm.analysis.summary import chosen_rows
from celm.base.names import CELMS, DATASETS, MODELS, dataset_label, in_order, short_label

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
        shared = overlap(dataset, float(block["n_train"].max()), float(block["n_test"].max()))
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


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def friedman_text(test: Friedman) -> str:
    """The test and the mean ranks in a paragraph."""
    ordered = sorted(test.ranks.items(), key=lambda pair: pair[1])
    ranks = ", ".join(f"{short_label(model)} {rank:.2f}" for model, rank in ordered)
    return (
        f"Friedman over {test.datasets} data sets: χ² = {test.chi2:.2f} (p {_p(test.p_chi2)}), Iman and Davenport "
        f"F = {test.F:.2f} (p {_p(test.p_F)}). Mean ranks, 1 is best: {ranks}. Ranks that differ by "
        f"{test.critical_difference:.2f} or more differ significantly (Nemenyi, 5 %)."
    )


def to_markdown(table: pd.DataFrame, title: str) -> str:
    """The pairwise tests of one experiment as a Markdown table."""
    lines = [
        f"## {title}",
        "",
        "| data set | model | against | difference, points | 95 % interval | p, corrected t | p, Wilcoxon | Holm |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for _, row in table.iterrows():
        where = dataset_label(row["dataset"]) + (f", {row['n_hidden']:.0f} nodes" if pd.notna(row["n_hidden"]) else "")
        rival = short_label(row["baseline"]) + (" (best other)" if row["best_baseline"] else "")
        span = "–" if np.isnan(row["low"]) else f"{100 * row['low']:+.1f} to {100 * row['high']:+.1f}"
        ps = [_p(row[column]) for column in ("p_corrected", "p_wilcoxon", "p_holm")]
        cells = [where, short_label(row["model"]), rival, f"{100 * row['difference']:+.1f}", span, *ps]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


HOW_TO_READ = (
    "Differences of test accuracies paired by round. On random splits the interval and p are those of the corrected "
    "resampled t-test (Nadeau and Bengio: variance factor 1/n + n_test/n_train, as training rows of rounds overlap); "
    "on official splits, whose rounds differ in their draws alone, of the plain paired t-test. Wilcoxon's signed-rank "
    "p is exact; Holm corrects it over the methods held against one baseline on one data set. Best other: the method "
    "outside the CELMs with the highest mean test accuracy."
)
