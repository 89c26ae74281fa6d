"""What the authors' filters of drawn pairs do: how many draws each rejects, and of how many nodes one gives up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from celm.base.names import DATASETS, MODELS, dataset_label, in_order, model_label
from celm.render.document import Block, Document, Heading, Paragraph, Table, document
from experiments.analysis import Analysis, Frames

NAME = "filter_facts"


class Filter(NamedTuple):
    """A filter: the reading that has it, what it rejects, and the columns of its rejections and of all such draws."""

    reading: str
    rejects: str
    rejected: str
    draws: str
    may_give_up: bool = False


FILTERS = (
    Filter("small_norm_filter", "Short differences", "rejected_short", "difference_draws"),
    Filter("cosine_filter", "Differences nearly parallel to an earlier one", "rejected_parallel", "difference_draws"),
    Filter("small_norm_filter", "Long sums", "rejected_long", "sum_draws", may_give_up=True),
)


def study_of(reading: str) -> str:
    """The records of a reading."""
    return f"{NAME}+{reading}"


def find(frames: Frames) -> pd.DataFrame:
    """One row per filter, data set and model: draws, rejected ones, nodes, and nodes that it gave up, of all rounds."""
    rows = []
    for one in FILTERS:
        for (dataset, model), group in frames[study_of(one.reading)].groupby(["dataset", "model"], sort=False):
            draws, rejected = int(group[one.draws].sum()), int(group[one.rejected].sum())
            if draws:
                named = {"rejects": one.rejects, "reading": one.reading, "dataset": dataset, "model": model}
                vanishing, gave_up = int(group["rejected_vanishing"].sum()), int(group["given_up"].sum())
                counts = {"draws": draws, "rejected": rejected, "rejected_vanishing": vanishing}
                further = {"given_up": gave_up if one.may_give_up else 0, "rounds": group["round"].nunique()}
                rows.append({**named, **counts, **further, "share": rejected / draws})
    found: pd.DataFrame = pd.DataFrame(rows)
    return found


def _of(counts: pd.DataFrame, one: Filter) -> pd.DataFrame:
    found: pd.DataFrame = counts[counts["rejects"] == one.rejects]
    return found


def verdict(rows: pd.DataFrame, one: Filter) -> str:
    """What a filter did in one or two sentences."""
    draws, rejected, gave_up = (int(rows[column].sum()) for column in ("draws", "rejected", "given_up"))
    told = f"{rejected:,} of {draws:,} draws were rejected"
    if not rejected:
        return f"{told}: with this filter every weight is what it is without, and a claim about its effect is vacuous."
    if one.may_give_up and gave_up == draws - rejected:
        return (
            f"{told}, every one that the filter judged. It gave up on all {gave_up:,} nodes: after as many attempts as "
            "there are classes the next draw is kept unseen. Layers differ from those without it by chance alone."
        )
    gives_up = f"; it gave up on {gave_up:,} nodes" if one.may_give_up else ""
    share = rows.groupby("dataset")[["rejected", "draws"]].sum()
    shares = 100 * share["rejected"] / share["draws"]
    return f"{told}, {shares.min():.1f} % to {shares.max():.1f} % of those of a data set{gives_up}."


def _table(rows: pd.DataFrame) -> Table:
    sets, models = in_order(rows["dataset"].unique(), DATASETS), in_order(rows["model"].unique(), MODELS)
    at = rows.set_index(["model", "dataset"])

    def cell(model: str, dataset: str) -> str:
        if (model, dataset) not in at.index:
            return "–"
        row = at.loc[(model, dataset)]
        return f"{row['rejected']:,} of {row['draws']:,} ({100 * row['share']:.1f} %)"

    lines = [[model_label(model), *(cell(model, dataset) for dataset in sets)] for model in models]
    return Table(["rejected of drawn", *map(dataset_label, sets)], lines)


def _blocks(counts: pd.DataFrame) -> Iterator[Block]:
    yield Paragraph(
        "The paper leaves out two processes of an earlier one, since they improve little (§III.A); the authors' code "
        "has such filters. Counted are the pairs drawn for the weights of a layer at the largest node count of a data "
        f"set, over {counts['rounds'].max()} rounds: a rejected draw is drawn again, and may be rejected again."
    )
    for one in FILTERS:
        rows = _of(counts, one)
        if len(rows):
            yield Heading(f"{one.rejects} ({one.reading})")
            yield Paragraph(verdict(rows, one))
            yield _table(rows)
    vanishing = counts.drop_duplicates(["reading", "dataset", "model"])["rejected_vanishing"].sum()
    yield Paragraph(f"Draws that vanish, which are rejected without any filter: {vanishing:,}.")


def told(counts: pd.DataFrame) -> Document:
    """Every filter with what it rejected."""
    return document("How many draws the filters reject", _blocks(counts))


FILTER_FACTS = Analysis(
    name=NAME,
    about="How many draws of pairs the authors' filters reject: short or parallel differences, long sums",
    reads=tuple(dict.fromkeys(study_of(one.reading) for one in FILTERS)),
    find=find,
    document=told,
    numbers=lambda counts: counts,
    chapter="Claims",
)
