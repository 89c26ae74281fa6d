"""The ELM family made small: what its most useful nodes reach, and as many nodes as they were drawn, and how fast."""

from __future__ import annotations

from celm.base.identity import named
from celm.models.elm.node_paths import ORDERS, NodePath
from celm.study.cells import Cell, Record, Split
from celm.study.families.elm_family import check_elm, make_elm
from celm.study.families.family import Family, Settings
from celm.study.families.times_family import LAM, median_seconds
from celm.study.study_config import StudyConfig

# Nodes drawn for each that may be kept, how often a time is taken, and the rows of a batch.
SURPLUS, REPEATS, BATCH_ROWS = 2, 9, 1000


def compact_settings(study: StudyConfig) -> Settings:
    """The readings of the ELM family, how many nodes there are to choose from, and how times are taken."""
    return {**named(study.elm), "lam": LAM, "surplus": SURPLUS, "repeats": REPEATS}


def run_compact(cell: Cell, split: Split) -> list[Record]:
    """One record per node count: test accuracy of the most useful and of the first nodes, seconds to predict."""
    most, rows = cell.n_hidden[-1], (split.X, split.y)
    whole = make_elm(cell.model, cell.settings).set_params(
        n_hidden=cell.settings["surplus"] * most, random_state=cell.role_seed("nodes")
    )
    whole.fit(*rows)
    paths = {order: NodePath(whole, *rows, n_max=most, order=order) for order in ORDERS}
    curves = {order: path.scores_by_count(split.X_test, split.y_test) for order, path in paths.items()}
    records = []
    for n in cell.n_hidden:
        reached = {order: float(curve[n - 1]) for order, curve in curves.items()}
        accuracies = {"accuracy": reached["useful"], "drawn_accuracy": reached["drawn"]}
        records.append({"n_hidden": n, **accuracies, "chosen": True, **_seconds(paths["useful"], n, cell, split)})
    return records


def _seconds(path: NodePath, n_hidden: int, cell: Cell, split: Split) -> Record:
    """How long a small machine takes for one row, and for a batch of them."""
    small, repeats = path.pruned(n_hidden), cell.settings["repeats"]
    row, batch = split.X_test[:1], split.X_test[:BATCH_ROWS]
    return {
        "batch_rows": len(batch),
        "row_seconds": median_seconds(lambda: small.predict(row), repeats),
        "batch_seconds": median_seconds(lambda: small.predict(batch), repeats),
    }


ELM_COMPACT = Family(1, compact_settings, check_elm, run_compact, has_curve=True)
RUNS = {"compact": {"elm": ELM_COMPACT}}
