"""Which data sets decide between protocols of Table I? Ranks on each, and whether one fits once a set is left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pandas as pd

from celm.analysis.protocols import ProtocolFit
from celm.analysis.protocols.crossed import TEXT
from celm.analysis.protocols.identification import Identified
from celm.analysis.protocols.left_out import LeftOut, without_each_set
from celm.analysis.protocols.likelihood import CORRELATIONS
from celm.base.names import dataset_label
from celm.render.document import Block, Code, Document, Heading, Paragraph, Table, document
from experiments.analysis import Analysis, NotComplete
from experiments.papers.celm.analyses.protocols import ASSUMED, PROTOCOLS, RUNS, TABLE, Judged

# So many protocols are shown with their ranks.
SHOWN = 10
HOW_TO_READ = (
    "Of every set two ranks: among all listed protocols by the likelihood of its numbers alone, then by that of the "
    "other sets together when it is left out. 1 is the most probable. The protocols are the ten of highest likelihood "
    "over all sets, with our correlation between models."
)


class Ranked(NamedTuple):
    """Every protocol with its ranks, the most probable first, and by assumption what each left-out set changes."""

    fits: tuple[ProtocolFit, ...]
    left_out: dict[str, tuple[LeftOut, ...]]

    @property
    def datasets(self) -> list[str]:
        """The sets of Table I."""
        return [one.dataset for one in self.left_out[CORRELATIONS[0]]]


def find(given: Mapping[str, Any]) -> Ranked:
    """From what was found of the protocols: nothing is read again."""
    if PROTOCOLS.name not in given:
        raise NotComplete(f"protocol_ranks: needs all cells of {RUNS[TEXT]}, which {PROTOCOLS.name} reads")
    judged: Judged = given[PROTOCOLS.name]
    findings = judged.findings
    told = {name: without_each_set(judged.panel, findings.cutoffs[name], name) for name in CORRELATIONS}
    return Ranked(findings.fits, told)


def ranks_block(found: Ranked) -> Table:
    """The ten best: on a set, and without it."""
    rows = [
        [Code(fit.name), *(f"{fit.ranks[name]}, {fit.ranks_without[name]}" for name in found.datasets)]
        for fit in found.fits[:SHOWN]
    ]
    return Table(["protocol: on the set, without it", *map(dataset_label, found.datasets)], rows)


def kept_words(found: Identified) -> str:
    """How many protocols are kept, and the first of them; or that none is."""
    if not found.indistinguishable:
        return "none"
    others = len(found.indistinguishable) - 1
    return found.indistinguishable[0] + (f" and {others} more" if others else "")


def left_out_block(found: Ranked) -> Table:
    """Per set: which protocols are kept without it, under both assumptions on splits."""
    rows = [
        [
            dataset_label(dataset),
            *(
                part
                for name in CORRELATIONS
                for part in (kept_words(told[name].found), told[name].found.nearest, _fails(told[name].found))
            ),
        ]
        for dataset, told in _by_set(found)
    ]
    heads = ["kept", "nearest", "it fails on"]
    splits = {"ours": "shared splits", "none": "splits not shared"}
    return Table(["left out", *(f"{head}, {splits[name]}" for name in CORRELATIONS for head in heads)], rows)


def _by_set(found: Ranked) -> Iterator[tuple[str, dict[str, LeftOut]]]:
    for place, dataset in enumerate(found.datasets):
        yield dataset, {name: found.left_out[name][place] for name in CORRELATIONS}


def _fails(found: Identified) -> str:
    return ", ".join(map(dataset_label, found.fails_on)) or "none"


def answers(found: Ranked) -> list[str]:
    """Under each assumption: without which sets a protocol fits."""
    lines = []
    for name, words in ASSUMED.items():
        freed = [dataset_label(one.dataset) for one in found.left_out[name] if one.found.indistinguishable]
        told = f"a protocol fits the others once {_or(freed)} is left out" if freed else "no set does it"
        lines.append(f"If {words}: {told}.")
    return lines


def _or(names: list[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last


def _blocks(found: Ranked) -> Iterator[Block]:
    yield Paragraph(
        "Exploratory, and asked after it was known on which set the nearest protocol fails. Would a listed protocol "
        "fit if a single data set were left out?"
    )
    for line in answers(found):
        yield Paragraph(line)
    yield left_out_block(found)
    yield Paragraph(
        "Cutoffs are those of docs/statistics.md without that set, from the same simulated papers. A protocol that "
        "fits all sets but one is not thereby the paper's: what went differently on that one stays unknown."
    )
    yield Heading("Ranks")
    yield Paragraph(HOW_TO_READ)
    yield ranks_block(found)


def told(found: Ranked) -> Document:
    """Whether a protocol fits without a set, then the ranks."""
    return document("Which data sets decide between the protocols of Table I?", _blocks(found))


def numbers(found: Ranked) -> pd.DataFrame:
    """One row per protocol and data set."""
    kept = {(name, one.dataset): one.found.indistinguishable for name in CORRELATIONS for one in found.left_out[name]}
    rows = [
        {
            "protocol": fit.name,
            "dataset": dataset,
            "rank": fit.ranks[dataset],
            "rank_without": fit.ranks_without[dataset],
            **{f"kept_without_{name}": fit.name in kept[name, dataset] for name in CORRELATIONS},
        }
        for fit in found.fits
        for dataset in found.datasets
    ]
    table: pd.DataFrame = pd.DataFrame.from_records(rows)
    return table


PROTOCOL_RANKS = Analysis(
    name="protocol_ranks",
    about="Protocols of Table I by data set: ranks on each, and whether one fits once a set is left out",
    reads=(TABLE.printed,),
    of=(PROTOCOLS,),
    find=find,
    document=told,
    numbers=numbers,
    chapter="Protocols",
)
