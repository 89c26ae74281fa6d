"""Small cells as the runner makes them, for the tests of the stores."""

import pytest

from celm.base.files import cell_key


def make_document(name="k1", dataset="wdbc", model="elm", round_=0, accuracies=((5, 0.5), (10, 0.75)), **more):
    """A finished cell; ``name`` stands for what tells it from others, its key follows from its identity."""
    counts = sorted({count for count, _ in accuracies})
    identity = {"name": name, "dataset": dataset, "model": {"name": model}, "round": round_, "n_hidden": counts}
    return {
        "experiment": "table1",
        "key": cell_key(identity),
        "label": f"{dataset} {model} round {round_}",
        "identity": identity,
        "status": "ok",
        "seconds": 0.25,
        "shared": {"dataset": dataset, "model": model, "round": round_, "threads": 1, "features": "per_feature"},
        "records": [{"n_hidden": L, "accuracy": a, "chosen": L == 10, "rank": None} for L, a in accuracies],
        "provenance": {"cpu": "a", "commit": "c"},
        **more,
    }


@pytest.fixture
def document():
    """Makes one finished cell, see :func:`make_document`."""
    return make_document


@pytest.fixture
def documents():
    """Makes finished cells by key, from the words of each."""

    def made(*cells):
        return {doc["key"]: doc for doc in (make_document(**cell) for cell in cells)}

    return made
