"""What cells to come should take: the seconds of published cells like them, whatever experiment they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from celm.study.cells import Cell
from celm.study.store import PublishedStore, StoreError, Taken

Place = tuple[str, str]

# Task -> a column that its records alone have. Records that classify have none of them.
MARKS = {
    "embed": "kl_divergence",
    "describe": "condition_digits",
    "sift": "difference_draws",
    "time": "draw_seconds",
    "race": "fit_cpu_seconds",
    "compact": "row_seconds",
    "compare": "balanced_accuracy",
    "regress": "r2",
}
# Settings that change the work itself: where they differ, seconds tell nothing. Of models without node counts all do.
OF_THE_WORK = ("choose", "penalty", "subset", "subset_test", "n_folds", "exponents", "repeats")
# Cells whose largest node counts are further apart than this factor are not alike.
NEAR = 2.0


def published_like(store: PublishedStore, name: str, cells: Iterable[Cell]) -> dict[Place, list[float]]:
    """Data set and model -> seconds of the published cells most like these; nothing where there are none.

    ``name``: the experiment of these cells, whose own seconds are not looked for.
    """
    wanted = {(cell.dataset_name, cell.model.name): cell for cell in cells}
    manifests = _manifests(store, name) if wanted else {}
    taken: dict[str, dict[Place, Taken]] = {}
    found: dict[Place, list[float]] = {}
    for place, cell in wanted.items():
        for other in _nearest_first(cell, manifests):
            if other not in taken:
                taken[other] = store.cell_seconds(other)
            if place in taken[other] and _of_its_size(cell, taken[other]):
                found[place] = taken[other][place].seconds
                break
    return found


def _manifests(store: PublishedStore, name: str) -> dict[str, dict[str, Any]]:
    """The manifests of all other experiments; one that cannot be read tells nothing of times."""
    found: dict[str, dict[str, Any]] = {}
    for other in store.experiments():
        try:
            found |= {other: store.manifest(other)} if other != name else {}
        except StoreError:
            continue
    return found


def task_of(manifest: Mapping[str, Any]) -> str:
    """The task whose records an experiment has."""
    columns = {column for file in manifest["files"].values() for column in file["columns"]} | {*manifest["constants"]}
    return next((task for task, mark in MARKS.items() if mark in columns), "classify")


def _nearest_first(cell: Cell, manifests: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The experiments that did the work of a cell, those that differ in the fewest settings first.

    Of equals the one with the shorter name: a copy has a longer one than what it copies.
    """
    here, distances = cell.shared(), {}
    for name, manifest in manifests.items():
        if cell.dataset_name in manifest["by_dataset"] and cell.model.name in manifest["by_model"]:
            groups = manifest["by_dataset"][cell.dataset_name], manifest["by_model"][cell.model.name]
            there = {**manifest["constants"], **groups[0], **groups[1]}
            told = () if cell.n_hidden else cell.settings.keys() & there.keys()
            same_work = all(here.get(key) == there.get(key) for key in (*OF_THE_WORK, *told))
            if same_work and task_of(manifest) == cell.task:
                distances[name] = sum(here[key] != there[key] for key in here.keys() & there.keys())
    return sorted(distances, key=lambda name: (distances[name], len(name), name))


def _of_its_size(cell: Cell, taken: Mapping[Place, Taken]) -> bool:
    """Whether an experiment went about as far as a cell does, by all models on its data: one may choose few nodes."""
    largest = max(cell.n_hidden, default=0)
    nodes = max(one.nodes for (dataset, _), one in taken.items() if dataset == cell.dataset_name)
    return not largest or (largest <= NEAR * nodes and nodes <= NEAR * largest)
