"""Everything that any choice of node count and λ could read, as one record: the surface of the ELM family."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.node_curves import pseudo_inverse_rows, ridge_surface
from celm.models.elm.search import ELMClassifierCV
from celm.study.cells import Cell, Record, Split


def surface_record(cell: Cell, split: Split, model: ELMClassifier, search: ELMClassifierCV) -> Record:
    """The joint choice of a round, with the surfaces that other choices are read from afterwards.

    counts : the node counts. held_out, tested : held-out and test rows classified correctly, count after count with
    all λ of each. plain : test rows classified correctly without a penalty, by count: the curve of a figure. The
    three are numbers with blanks between them, which read and compress faster than nested lists.
    """
    fitted = search.choose_candidate(split.X, split.y)
    tested = ridge_surface(fitted, *split[:4])
    curve = pseudo_inverse_rows(
        model, cell.n_hidden, *split[:4], nested=cell.settings["nested"], seed=cell.role_seed("nodes")
    )
    i, j = divmod(int(np.argmax(fitted.surface_)), fitted.surface_.shape[1])
    return {
        "n_hidden": int(fitted.n_hidden_),
        "lam": fitted.lam_,
        "accuracy": int(tested[i, j]) / len(split.y_test),
        "cv_accuracy": fitted.cv_accuracy_,
        "lam_at_edge": fitted.lam_at_edge_,
        "chosen": True,
        "counts": list(cell.n_hidden),
        "held_out": _blank_separated(fitted.surface_.ravel().tolist()),
        "tested": _blank_separated(tested.ravel().tolist()),
        "plain": _blank_separated([row.correct for row in curve]),
    }


def _blank_separated(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))
