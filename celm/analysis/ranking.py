"""Which reading comes nearest to the paper? Every reading of an experiment beside the default on the same cells."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import pandas as pd

from celm.analysis.verdicts import Row, Rows, by_model, contains, published_cells, reached, reread, row_of
from celm.base.names import dataset_label

COLUMNS = ["experiment", "reading", "cells", "rounds", "nodes", "distance", "default_distance", "gain", "nearer_on",
           "explains", "sees_test"]  # fmt: skip


def ranking(
    paper: pd.DataFrame,
    default: pd.DataFrame,
    readings: Mapping[str, pd.DataFrame],
    base: pd.DataFrame | None = None,
    *,
    sees_test: Collection[str] = (),
) -> pd.DataFrame:
    """One row per reading, the one that comes nearest first; a reading without records has none of the numbers.

    distance: mean |accuracy − paper| over the cells that the reading changes. default_distance: the same of the
    default on the same cells. gain: how much nearer the reading is, the median over cells; readings are ranked by it,
    since they change different cells, and one collapsed baseline must not decide. nearer_on: data sets with a gain.
    explains: cells that the default does not reach and whose published value the reading's interval holds.
    nodes: the node count of the runs where it is not the published one.
    """
    rows = []
    cells, ours, plain = published_cells(paper), by_model(default), None if base is None else by_model(base)
    for name, summary in readings.items():
        found = _compared(cells, ours, by_model(summary), plain)
        rows.append({"reading": name, **_measures(found), "sees_test": name in sees_test})
    ranked = pd.DataFrame(rows, columns=COLUMNS[1:])
    return ranked.sort_values("gain", ascending=False, kind="stable", na_position="last", ignore_index=True)


def _compared(cells: list[Row], default: Rows, reading: Rows, base: Rows | None) -> pd.DataFrame:
    """The published cells that default and reading both have; those carried only for a model that has no others."""
    rows = []
    for cell in cells:
        plain, changed = row_of(default, cell), reread(cell, default, reading, base)
        if plain is None or changed is None:
            continue
        published = cell["paper"]
        rows.append(
            {
                "dataset": cell["dataset"],
                "model": cell["model"],
                "nodes": changed["nodes"],
                "rounds": changed["rounds"],
                "distance": abs(changed["accuracy_mean"] - published),
                "default_distance": abs(plain["accuracy_mean"] - published),
                "explains": not reached(plain, published)
                and contains(changed["ci_low"], changed["ci_high"], published),
            }
        )
    met = {(row["dataset"], row["model"]) for row in rows if not row["nodes"]}
    return pd.DataFrame([row for row in rows if not row["nodes"] or (row["dataset"], row["model"]) not in met])


def _measures(found: pd.DataFrame) -> dict[str, Any]:
    if found.empty:
        return {"cells": 0, "rounds": 0, "nodes": "", "nearer_on": "", "explains": 0}
    gain = found["default_distance"] - found["distance"]
    by_set = gain.groupby(found["dataset"], sort=False).median()
    return {
        "cells": len(found),
        "rounds": int(found["rounds"].min()),
        "nodes": ", ".join(sorted({nodes for nodes in found["nodes"] if nodes})),
        **found[["distance", "default_distance"]].mean(),
        "gain": gain.median(),
        "nearer_on": ", ".join(dataset_label(name) for name in by_set.index[by_set > 0]),
        "explains": int(found["explains"].sum()),
    }
