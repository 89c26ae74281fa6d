"""The ELM family's draws sifted: how many pairs were drawn for a layer, and how many of them each filter rejected.

:class:`celm.models.elm.options.WeightOptions` says what the filters are.
"""

from __future__ import annotations

from celm.models.elm.rejections import counted_draws
from celm.study.cells import Cell, Record, Split
from celm.study.families.elm_family import check_elm
from celm.study.families.family import Family
from celm.study.families.layer_family import Draw, layer_record, layer_settings

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


def run_sift(cell: Cell, split: Split) -> list[Record]:
    """One record per node count: draws and rejections of its layer, and the accuracy without a penalty."""
    return [layer_record(cell, split, L, _counted) for L in cell.n_hidden]


def _counted(draw: Draw) -> Record:
    with counted_draws() as seen:
        draw()
    return {column: seen[name] for column, name in COUNTED.items()}


ELM_SIFT = Family(1, layer_settings, check_elm, run_sift, has_curve=True)
RUNS = {"sift": {"elm": ELM_SIFT}}
