"""What the second paper says of its layers, and how far its numbers lie from ours, by limits over draws of weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd
from omegaconf import OmegaConf

from celm.analysis.intervals import Estimate, mean_estimate
from celm.analysis.suite_hypotheses import HypothesisVerdict, hypothesis_of, judge_hypothesis
from celm.analysis.verdicts import MARGIN, contains
from celm.base.names import model_label
from celm.render.document import Block, Bold, Document, Items, Line, Paragraph, Table, document
from celm.render.numbers import points
from experiments.analyses.suite_words import answer_of, asked, found_text
from experiments.analysis import Analysis, Frames
from experiments.papers import papers
from experiments.results import PAPERS

PAPER = papers()["ciw"]
TABLE = PAPER.tables["ciw_mnist"]
FILE = PAPERS / PAPER.name / "hypotheses.yaml"
SETS = pd.DataFrame([{"dataset": "mnist", "source": "mnist", "kind": "image", "tried": True}])
STANDING = "Its margins were committed before its records; it is not registered."


class Difference(NamedTuple):
    """A published number, and our mean over draws of the weights minus it, with the interval of the mean."""

    model: str
    nodes: int
    paper: float
    rounds: int
    away: Estimate

    @property
    def inside(self) -> bool:
        """Whether our interval holds the published number, as far as it is printed."""
        return contains(self.paper + self.away.low, self.paper + self.away.high, self.paper)


class Layers(NamedTuple):
    """The sentences judged, and every published number beside ours."""

    hypotheses: list[HypothesisVerdict]
    differences: list[Difference]


def find(frames: Frames) -> Layers:
    """Every sentence at the node count that they speak of, every number at its own."""
    content: Any = OmegaConf.to_container(OmegaConf.load(FILE))
    frame = frames[TABLE.name]
    at = frame[frame["n_hidden"] == content["nodes"]]
    judged = [judge_hypothesis(hypothesis_of(entry), at, SETS) for entry in content["hypotheses"]]
    return Layers(judged, list(_differences(frame, frames[TABLE.printed])))


def _differences(frame: pd.DataFrame, printed: pd.DataFrame) -> Iterator[Difference]:
    for row in printed.to_dict("records"):
        mine = frame[(frame["model"] == row["model"]) & (frame["n_hidden"] == int(row["n_hidden"]))]["accuracy"]
        away = mean_estimate(mine.to_numpy(float) - row["accuracy"])
        yield Difference(row["model"], int(row["n_hidden"]), float(row["accuracy"]), len(mine), away)


def _blocks(found: Layers) -> Iterator[Block]:
    rows: list[list[Line]] = []
    for one in found.hypotheses:
        for part, result in zip(one.hypothesis.parts, one.parts, strict=True):
            rows.append([one.hypothesis.says, asked(part), found_text(result), Bold(result.verdict)])
    about = "Leads in points of accuracy, paired by round; intervals at 95 % over draws of the weights."
    yield Paragraph(f"{about} {STANDING}")
    yield Table(["the paper says", "asked, points", "found (95 %)", "verdict"], rows)
    smallest = min(1 - one.paper for one in found.differences)
    yield Paragraph(
        'Published are numbers that the headers of the authors\' scripts give, most of them with the word "about" and '
        f"none with a spread. A margin of {100 * MARGIN:.0f} point says little where the smallest published error is "
        f"{100 * smallest:.1f}: what tells is our interval, which has the error of our draws alone."
    )
    header = ["model", "nodes", "paper", "ours − paper, points (95 %)", "draws", "the paper's number in our interval"]
    yield Table(header, [_row(one) for one in found.differences])


def _row(one: Difference) -> list[Line]:
    away, inside = points(one.away.mean, one.away.low, one.away.high), "yes" if one.inside else "no"
    return [model_label(one.model), f"{one.nodes}", f"{one.paper:.3f}", away, f"{one.rounds}", inside]


def told(found: Layers) -> Document:
    """A row per sentence, then one per number."""
    return document("What the layers gain, and how near the numbers are", _blocks(found))


def answered(found: Layers) -> Items:
    """Numbers and sentences in short."""
    inside = sum(one.inside for one in found.differences)
    away = [100 * one.away.mean for one in found.differences]
    numbers = (
        f"{inside} of {len(away)} published numbers lie in our 95 % intervals over draws of the weights; ours lie "
        f"{min(away):+.1f} to {max(away):+.1f} points from them."
    )
    lines: list[Line] = [numbers, *map(answer_of, found.hypotheses)]
    return Items(lines, f"A second paper through the same harness, {TABLE.short}. {STANDING}")


def as_verdict(found: Layers) -> dict[str, Any]:
    """What verdict.json says."""
    numbers = [
        {
            "model": one.model,
            "n_hidden": one.nodes,
            "paper": one.paper,
            "rounds": one.rounds,
            "difference": one.away.mean,
            "low": None if one.rounds < 2 else one.away.low,
            "high": None if one.rounds < 2 else one.away.high,
            "inside": one.inside,
        }
        for one in found.differences
    ]
    return {"hypotheses": [one.document() for one in found.hypotheses], "numbers": numbers, "registered": False}


LEADS = Analysis(
    name="ciw_leads",
    about="CIW-ELM: what receptive fields and a combination of layers gain",
    reads=(TABLE.printed, TABLE.name),
    find=find,
    document=told,
    answer=answered,
    judged=as_verdict,
    chapter=PAPER.chapter,
)
