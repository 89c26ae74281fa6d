"""The ELM family's hidden layer described: how ill-conditioned its outputs are, how many of its nodes are saturated."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from celm.base.identity import named
from celm.base.validation import encode_labels
from celm.models.elm.drawing import draw_layer
from celm.study.cells import Cell, Record, Split
from celm.study.families.elm_family import check_elm, make_elm
from celm.study.families.family import Family, Settings, test_accuracy
from celm.study.study_config import StudyConfig

Array = npt.NDArray[np.float64]
# Draws W and b; what is said of such a draw.
Draw = Callable[[], tuple[Array, Array]]
Facts = Callable[[Draw], Record]

# Beyond this the sigmoid is within 2 % of its ends.
SATURATED = 4.0


def layer_settings(study: StudyConfig) -> Settings:
    """The readings of the ELM family."""
    return named(study.elm)


def condition_digits(H: Array) -> float:
    """log10 of the condition number of H, its largest singular value over its smallest; at most that of 1/eps."""
    values = np.linalg.svd(H, compute_uv=False)
    least = max(float(values[-1]), float(values[0]) * np.finfo(float).eps)
    return float(np.log10(values[0] / least))


def run_layer(cell: Cell, split: Split) -> list[Record]:
    """One record per node count: facts of the layer on the training rows, and the accuracy without a penalty."""
    return [_described(cell, split, L) for L in cell.n_hidden]


def layer_record(cell: Cell, split: Split, n_hidden: int, facts_of: Facts) -> Record:
    """The record of one node count: what ``facts_of`` says of a draw of its layer, and the accuracy of its model."""
    _, codes = encode_labels(split.y, "layer")
    seed = cell.role_seed("nodes")
    model = make_elm(cell.model, cell.settings).set_params(n_hidden=n_hidden, random_state=seed)
    facts = facts_of(lambda: draw_layer(split.X, codes, model.strategy, n_hidden, seed, model.weight_options()))
    accuracy = test_accuracy(model.fit(split.X, split.y), split)
    return {"n_hidden": n_hidden, "accuracy": accuracy, "chosen": True, **facts}


def _described(cell: Cell, split: Split, n_hidden: int) -> Record:
    def facts(draw: Draw) -> Record:
        W, b = draw()
        Z = split.X @ W + b
        return {
            "condition_digits": condition_digits(1.0 / (1.0 + np.exp(-Z))),
            "saturated": float(np.mean(np.abs(Z) > SATURATED)),
        }

    return layer_record(cell, split, n_hidden, facts)


ELM_LAYER = Family(1, layer_settings, check_elm, run_layer, has_curve=True)
RUNS = {"describe": {"elm": ELM_LAYER}}
