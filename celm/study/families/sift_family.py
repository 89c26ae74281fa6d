"""The ELM family's draws sifted: how many pairs were drawn for a layer, and how many of them each filter rejected.

:class:`celm.models.elm.options.WeightOptions` says what the filters are.
"""

from __future__ import annotations

from celm.base.identity import named
from celm.base.validation import encode_labels
from celm.models.elm.drawing import draw_layer
from celm.models.elm.rejections import counted_draws
from celm.study.cells import Cell, Record, Split
from celm.study.families.elm_family import check_elm, make_elm
from celm.study.families.family import Family, Settings, test_accuracy
from celm.study.study_config import StudyConfig

# Column of a record -> what a draw notes under that name.
COUNTED = {
    "difference_draws": "differences",
    "sum_draws": "sums",
    "rejected_short": "short",
    "rejected_parallel": "parallel",
    "rejected_long": "long",
    "rejected_vanishing": "vanishing",
    "given_up": "given_up",
}


def sift_settings(study: StudyConfig) -> Settings:
    """The readings of the ELM family."""
    return named(study.elm)


def run_sift(cell: Cell, split: Split) -> list[Record]:
    """One record per node count: draws and rejections of its layer, and the accuracy without a penalty."""
    return [_sifted(cell, split, L) for L in cell.n_hidden]


def _sifted(cell: Cell, split: Split, n_hidden: int) -> Record:
    _, codes = encode_labels(split.y, "sift")
    seed = cell.role_seed("nodes")
    model = make_elm(cell.model, cell.settings).set_params(n_hidden=n_hidden, random_state=seed)
    with counted_draws() as seen:
        draw_layer(split.X, codes, model.strategy, n_hidden, seed, model.weight_options())
    counts = {column: seen[name] for column, name in COUNTED.items()}
    accuracy = test_accuracy(model.fit(split.X, split.y), split)
    return {"n_hidden": n_hidden, "accuracy": accuracy, "chosen": True, **counts}


ELM_SIFT = Family(1, sift_settings, check_elm, run_sift, has_curve=True)
RUNS = {"sift": {"elm": ELM_SIFT}}
