"""What the second paper says of its layers, judged by limits over draws of the weights."""

from __future__ import annotations

from typing import Any

import pandas as pd
from omegaconf import OmegaConf

from celm.analysis.suite_hypotheses import HypothesisVerdict, hypothesis_of, judge_hypothesis
from celm.render.document import Bold, Document, Line, Paragraph, Table, document
from experiments.analyses.suite_words import asked, found_text
from experiments.analysis import Analysis, Frames
from experiments.papers import papers
from experiments.results import PAPERS

FILE = PAPERS / "ciw" / "hypotheses.yaml"
SETS = pd.DataFrame([{"dataset": "mnist", "source": "mnist", "kind": "image", "tried": True}])


def find(frames: Frames) -> list[HypothesisVerdict]:
    """Every sentence at the node count that they speak of."""
    content: Any = OmegaConf.to_container(OmegaConf.load(FILE))
    frame = frames["ciw_mnist"]
    at = frame[frame["n_hidden"] == content["nodes"]]
    return [judge_hypothesis(hypothesis_of(entry), at, SETS) for entry in content["hypotheses"]]


def told(found: list[HypothesisVerdict]) -> Document:
    """A row per sentence."""
    rows: list[list[Line]] = []
    for one in found:
        for part, result in zip(one.hypothesis.parts, one.parts, strict=True):
            rows.append([one.hypothesis.says, asked(part), found_text(result), Bold(result.verdict)])
    about = "Leads in points of accuracy, paired by round; intervals at 95 % over draws of the weights."
    table = Table(["the paper says", "asked, points", "found (95 %)", "verdict"], rows)
    return document("What the layers gain", [Paragraph(about), table])


LEADS = Analysis(
    name="ciw_leads",
    about="CIW-ELM: what receptive fields and a combination of layers gain",
    reads=("ciw_mnist",),
    find=find,
    document=told,
    judged=lambda found: {"hypotheses": [one.document() for one in found]},
    chapter=papers()["ciw"].chapter,
)
