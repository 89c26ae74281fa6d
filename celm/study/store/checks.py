"""What no cell can say, whatever its digest: values out of range, records missing, doubled or of another cell."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from celm.base.files import cell_key
from celm.study.store.documents import Document, Row, place


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _is_share(value: Any) -> bool:
    return _is_number(value) and 0 <= value <= 1


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_time(value: Any) -> bool:
    return _is_number(value) and value >= 0


Rule = tuple[str, Callable[[Any], bool]]
SHARE: Rule = ("a share from 0 to 1", _is_share)
FLAG: Rule = ("true or false", _is_flag)
COUNT: Rule = ("a whole number of at least 1", _is_count)
WHOLE: Rule = ("a whole number of at least 0", lambda value: value == 0 or _is_count(value))
TIME: Rule = ("seconds of at least 0", _is_time)

# Tasks whose cells choose among their node counts and keep the record of the one they chose.
CHOOSING = ("compare", "regress")
# What a record is a record of: one of these it must have.
SCORES = ("accuracy", "r2")
# Column of a record -> what it may say; a column that is not here must be finite where it is a number.
RULES: dict[str, Rule] = {
    "accuracy": SHARE,
    "balanced_accuracy": SHARE,
    "cv_accuracy": SHARE,
    "r2": ("a number of at most 1", lambda value: _is_number(value) and value <= 1),
    "rmse": ("a number of at least 0", _is_time),
    "trustworthiness": SHARE,
    "chosen": FLAG,
    "lam_at_edge": FLAG,
    "n_train": COUNT,
    "n_test": COUNT,
    "stage": COUNT,
    "epochs": COUNT,
    "rank": WHOLE,
    "difference_draws": WHOLE,
    "sum_draws": WHOLE,
    "rejected_short": WHOLE,
    "rejected_parallel": WHOLE,
    "rejected_long": WHOLE,
    "rejected_vanishing": WHOLE,
    "given_up": WHOLE,
    "n_hidden": (
        "a node count, or several joined by hyphens",
        lambda value: isinstance(value, str) or _is_count(value),
    ),
    "lam": ("a positive number", lambda value: _is_number(value) and value > 0),
    "kl_divergence": ("a number of at least 0", _is_time),
    "fit_repeats": COUNT,
    "predict_repeats": COUNT,
    "load": ("a number of at least 0", _is_time),
    "others_busy": ("a number of at least 0", _is_time),
}
FINITE: Rule = ("a finite number", _is_number)


def _rule(column: str, value: Any) -> Rule | None:
    if column in RULES:
        return RULES[column]
    if column.endswith("_seconds"):
        return TIME
    return FINITE if isinstance(value, float) else None


def _column_fault(column: str, values: Sequence[Any]) -> str | None:
    """The first value of a column that is out of range; values that are all the same are looked at once."""
    for value in values[:1] if values.count(values[0]) == len(values) else values:
        rule = None if value is None else _rule(column, value)
        if rule is not None and not rule[1](value):
            return f"{column} must be {rule[0]}, it is {value!r}"
    return None


def records_fault(records: Any) -> str | None:
    """What is wrong with the records of a finished cell, as a sentence; None when they can be believed."""
    if not isinstance(records, list) or not records or not all(isinstance(record, dict) for record in records):
        return "its records are not a list of at least one"
    if any(all(record.get(score) is None for score in SCORES) for record in records):
        return f"a record has no {' or '.join(SCORES)}"
    for column in {name for record in records for name in record}:
        if fault := _column_fault(column, [record.get(column) for record in records]):
            return fault
    places = [place(record) for record in records]
    if len(set(places)) < len(places):
        return "a record stands in it twice"
    chosen = [record.get("chosen") for record in records]
    if False in chosen and chosen.count(True) != 1:
        return f"one of its records must be the chosen one, {chosen.count(True)} are"
    return None


# Field of a document -> its type.
FIELDS: dict[str, type | tuple[type, ...]] = {
    "experiment": str,
    "key": str,
    "status": str,
    "seconds": (int, float),
    "identity": dict,
    "shared": dict,
    "records": list,
    "provenance": dict,
}


def _shape_fault(document: Any) -> str | None:
    if not isinstance(document, dict):
        return "it is not a cell"
    for name, kind in FIELDS.items():
        if not isinstance(document.get(name), kind) or isinstance(document[name], bool):
            return f"it has no {name} of the right kind"
    if document["status"] not in ("ok", "failed"):
        return f"its status is {document['status']!r}"
    if not isinstance(document.get("code", ""), (str, type(None))):
        return f"its code is {document['code']!r}"
    return None if _is_time(document["seconds"]) else f"its seconds are {document['seconds']!r}"


def _identity_fault(document: Document) -> str | None:
    """Whether the key, the shared columns and the node counts of the records are those of the cell's identity."""
    identity, shared = document["identity"], document["shared"]
    if cell_key(identity) != document["key"]:
        return "its key is not that of its identity"
    model = identity.get("model")
    named = {**identity, "model": model.get("name") if isinstance(model, dict) else model}
    for column in ("dataset", "model", "round", "seed"):
        told = shared.get(column)
        for value in (told, *(record.get(column, told) for record in document["records"])):
            if column in named and value != named[column]:
                return f"its {column} is {value!r}, by its identity {named[column]!r}"
    for column, value in shared.items():
        if isinstance(value, float) and not math.isfinite(value):
            return f"{column} must be {FINITE[0]}, it is {value!r}"
    planned = identity.get("n_hidden") or []
    fault = _chosen_fault if identity.get("task") in CHOOSING else _counts_fault
    return fault(planned, document["records"])


def _chosen_fault(planned: Sequence[Any], records: Sequence[Row]) -> str | None:
    """One record, that of the chosen model, with no more nodes than the largest count that it could choose."""
    if len(records) != 1:
        return f"it has {len(records)} records, a cell that chooses has one"
    count = records[0].get("n_hidden")
    if planned and not (isinstance(count, int) and 1 <= count <= max(planned)):
        return f"it chose {count!r} nodes, planned were {', '.join(map(str, planned))}"
    return None


def _counts_fault(planned: Sequence[Any], records: Sequence[Row]) -> str | None:
    """One record per node count, or one that holds the surface of all of them (``counts``)."""
    found = {count for record in records for count in record.get("counts", [record.get("n_hidden")])}
    if planned and found != set(planned):
        return f"it has records of {len(found)} node counts, planned were {len(planned)}"
    return None


# Field of a manifest -> its type.
MANIFEST: dict[str, type] = {
    "experiment": str,
    "cells": int,
    "rows": int,
    "constants": dict,
    "by_dataset": dict,
    "by_model": dict,
    "provenance": list,
    "files": dict,
    "cell_digests": dict,
}
DESCRIBED: dict[str, type] = {"sha256": str, "rows": int, "columns": list}


def manifest_fault(manifest: Mapping[str, Any]) -> str | None:
    """What a manifest lacks, as the end of a sentence; None when it says all that reading its files needs."""
    for name, kind in MANIFEST.items():
        if not isinstance(manifest.get(name), kind):
            return f"has no {name} of the right kind"
    for file, described in manifest["files"].items():
        for name, kind in DESCRIBED.items():
            if not isinstance(described, dict) or not isinstance(described.get(name), kind):
                return f"has no {name} of the right kind for {file}"
    groups = [*manifest["by_dataset"].values(), *manifest["by_model"].values(), *manifest["provenance"]]
    return None if all(isinstance(group, dict) for group in groups) else "has a group of rows that says nothing"


def document_fault(document: Any) -> str | None:
    """What is wrong with the document of a cell, as a sentence; None when it can be believed."""
    if fault := _shape_fault(document):
        return fault
    if document["status"] == "failed":
        return None
    return records_fault(document["records"]) or _identity_fault(document)
