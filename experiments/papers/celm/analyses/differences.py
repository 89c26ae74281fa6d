"""Are the differences of the tables more than chance? Pairwise tests by data set, ranks over data sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from celm.analysis.comparisons import mean_accuracies, pairwise
from celm.analysis.statistics import Friedman, cliques, friedman
from celm.base.names import CELMS, dataset_label, model_label, short_label
from celm.render.document import Block, Document, Heading, Paragraph, Table, document
from celm.render.figures import draw_ranks
from celm.render.numbers import p_text, points_span
from experiments.analysis import Analysis, Frames, Picture
from experiments.results import title_of, together

TABLES = ("table1", "table2", "table3")
# The methods that all of them have.
RANKED = ("elm", "orthogonal_elm", *CELMS)
HOW_TO_READ = (
    "Differences of test accuracies paired by round. On random splits the interval and p are those of the corrected "
    "resampled t-test (Nadeau and Bengio: variance factor 1/n + n_test/n_train, as training rows of rounds overlap); "
    "on official splits, whose rounds differ in their draws alone, of the plain paired t-test. Wilcoxon's signed-rank "
    "p is exact; Holm corrects it over the methods held against one baseline on one data set. Best other: the method "
    "outside the CELMs with the highest mean test accuracy. The five MDD views are one source of data: a test over "
    "data sets counts them as five."
)


class Compared(NamedTuple):
    """The pairwise tests of one table, and its ranks where it has more than two data sets."""

    pairs: pd.DataFrame
    ranks: Friedman | None


class Ranked(NamedTuple):
    """Mean ranks over the data sets of several tables."""

    test: Friedman
    datasets: list[str]


def find(frames: Frames) -> dict[str, Compared]:
    """Every table that is complete."""
    found = {}
    for name, frame in frames.items():
        means = mean_accuracies(frame)
        found[name] = Compared(pairwise(frame), friedman(means) if len(means) > 2 else None)
    return found


def ranked(frames: Frames) -> Ranked:
    """ELM, orthogonal ELM and the CELMs over all data sets of the tables that are complete."""
    means = pd.concat([mean_accuracies(frame, RANKED) for frame in frames.values()])
    return Ranked(friedman(means), list(means.index))


def pairs_table(pairs: pd.DataFrame) -> Table:
    """One line per data set, model and baseline."""
    rows = []
    for _, row in pairs.iterrows():
        where = dataset_label(row["dataset"]) + (f", {row['n_hidden']:.0f} nodes" if pd.notna(row["n_hidden"]) else "")
        rival = model_label(row["baseline"]) + (" (best other)" if row["best_baseline"] else "")
        ps = [p_text(row[column]) for column in ("p_corrected", "p_wilcoxon", "p_holm")]
        gap = [f"{100 * row['difference']:+.1f}", points_span(row["low"], row["high"])]
        rows.append([where, short_label(row["model"]), rival, *gap, *ps])
    header = ["data set", "model", "against", "difference, points", "95 % interval", "p, corrected t", "p, Wilcoxon"]
    return Table([*header, "Holm"], rows)


def friedman_text(test: Friedman) -> str:
    """The test and the mean ranks in a paragraph."""
    ordered = sorted(test.ranks.items(), key=lambda pair: pair[1])
    ranks = ", ".join(f"{short_label(model)} {rank:.2f}" for model, rank in ordered)
    return (
        f"Friedman over {test.datasets} data sets: χ² = {test.chi2:.2f} (p {p_text(test.p_chi2)}), Iman and Davenport "
        f"F = {test.F:.2f} (p {p_text(test.p_F)}). Mean ranks, 1 is best: {ranks}. Ranks that differ by "
        f"{test.critical_difference:.2f} or more differ significantly (Nemenyi, 5 %)."
    )


def _blocks(found: dict[str, Compared]) -> Iterator[Block]:
    yield Paragraph(HOW_TO_READ)
    for name, compared in found.items():
        yield Heading(title_of(name))
        yield pairs_table(compared.pairs)
        if compared.ranks is not None:
            yield Paragraph(friedman_text(compared.ranks))


def told(found: dict[str, Compared]) -> Document:
    """All tables after each other."""
    return document("Are the differences more than chance?", _blocks(found))


def drawn(found: Ranked) -> Picture:
    """The critical-difference diagram."""
    test = found.test
    groups = cliques(test.ranks, test.critical_difference)
    title = f"Mean rank over {test.datasets} data sets: {', '.join(found.datasets)}"
    numbers = pd.DataFrame(
        {
            "model": model,
            "mean_rank": rank,
            "critical_difference": test.critical_difference,
            "p_iman_davenport": test.p_F,
            "not_different_from": " ".join(sorted({other for group in groups if model in group for other in group})),
        }
        for model, rank in sorted(test.ranks.items(), key=lambda pair: pair[1])
    )
    return Picture(draw_ranks(test.ranks, test.critical_difference, groups, title), numbers)


READ: dict[str, Any] = {"reads": TABLES, "needs": TABLES[:1], "chapter": "Statistics"}
RANKS = Analysis(
    "critical_difference", "Mean ranks over data sets with the critical difference", find=ranked, picture=drawn, **READ
)
STATISTICS = Analysis(
    name="statistics",
    about="Tests over data sets and rounds",
    find=find,
    document=told,
    numbers=lambda found: together({name: compared.pairs for name, compared in found.items()}),
    **READ,
)
