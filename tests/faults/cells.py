"""Three cells of a study, small enough to be damaged by hand."""

from celm.base.files import cell_key

# What is told of a file whose digest is missing or another.
NO_DIGEST, OTHER_DIGEST = "carries no digest", "its content is not what its digest says"


def cell(name, model="elm", round_=0):
    identity = {"name": name, "dataset": "wdbc", "model": {"name": model}, "round": round_, "seed": 1}
    identity["n_hidden"] = [5, 10]
    shared = {"dataset": "wdbc", "model": model, "round": round_, "seed": 1, "threads": 1}
    record = {"cv_accuracy": 0.5, "lam": 1.0, "lam_at_edge": False, "fit_seconds": 0.1, "n_train": 20, "n_test": 10}
    surface = {"cv_correct": [3, 4 + round_], "test_correct": [1 + len(model), 2]}
    return {
        "experiment": "table1",
        "key": cell_key(identity),
        "label": name,
        "identity": identity,
        "status": "ok",
        "seconds": 0.25,
        "code": "3.11 abc",
        "shared": shared,
        "records": [
            {**record, **surface, "n_hidden": 5, "accuracy": 0.5, "chosen": False},
            {**record, **surface, "n_hidden": 10, "accuracy": 0.75 - round_ / 8, "chosen": True},
        ],
        "provenance": {"cpu": "a", "commit": "c"},
    }


CELLS = {doc["key"]: doc for doc in (cell("one"), cell("two", "cdelm"), cell("three", round_=1))}
ONE, TWO, THREE = CELLS
