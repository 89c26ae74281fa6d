"""Everything that any choice of node count and λ could read, as one record: the surface of the ELM family."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.search import ELMClassifierCV
from celm.models.elm.surfaces import chosen_with_tests, plain_hits
from celm.study.cells import Cell, Record, Split


def surface_record(cell: Cell, split: Split, model: ELMClassifier, search: ELMClassifierCV) -> Record:
    """The joint choice of a round, with the surfaces that other choices are read from afterwards.

    counts : the node counts. held_out, tested : held-out and test rows classified correctly, count after count with
    all λ of each. plain : test rows classified correctly without a penalty, by count: the curve of a figure. The
    three are numbers with blanks between them, which read and compress faster than nested lists.
    """
    tested = chosen_with_tests(search, *split[:4])
    plain = plain_hits(model, cell.n_hidden, *split[:4], nested=cell.settings["nested"], seed=cell.role_seed("nodes"))
    i, j = divmod(int(np.argmax(search.surface_)), search.surface_.shape[1])
    return {
        "n_hidden": int(search.n_hidden_),
        "lam": search.lam_,
        "accuracy": int(tested[i, j]) / len(split.y_test),
        "cv_accuracy": search.cv_accuracy_,
        "lam_at_edge": search.lam_at_edge_,
        "chosen": True,
        "counts": list(cell.n_hidden),
        "held_out": _blank_separated(search.surface_.ravel().tolist()),
        "tested": _blank_separated(tested.ravel().tolist()),
        "plain": _blank_separated(plain),
    }


def _blank_separated(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))
