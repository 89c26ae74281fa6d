"""Scaling × selection × weights as whole protocols, from the records of the runs that hold them all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd

from celm.analysis.protocols.panel import COLUMNS
from celm.analysis.protocols.selections import selected
from celm.base.validation import check_choice

# Weights as the text describes them, and as the authors' published code draws them.
TEXT, CODE = "text", "code"
KEPT = [*COLUMNS, "n_hidden", "lam"]


class ProtocolName(NamedTuple):
    """A protocol of Table I: how inputs are scaled, how node count and λ are chosen, where the weights come from."""

    scaling: str
    selection: str
    weights: str

    def __str__(self) -> str:
        return "/".join(self)


def protocol_name(text: str) -> ProtocolName:
    """``per_feature/joint/text`` taken apart.

    Examples
    --------
    >>> protocol_name("per_feature/joint/text").selection
    'joint'
    """
    parts = text.split("/")
    if len(parts) != 3:
        raise ValueError(f"protocol_name: a protocol is scaling/selection/weights; got {text!r}.")
    return ProtocolName(*parts)


def crossed(records: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """One row per protocol, data set, model and round from the records of each kind of weights.

    Parameters
    ----------
    records : mapping from "text" and "code" to frames
        Each has the surfaces of every scaling (column ``features``), see
        :func:`celm.analysis.protocols.selections.selected`. Models that the authors' code draws as the text does are
        in the first alone and stand for both.

    Returns
    -------
    DataFrame with the columns protocol, dataset, model, round, accuracy, n_hidden, lam.
    """
    check_choice(TEXT, "weights", records, "crossed")
    parts = []
    for weights, frame in records.items():
        whole = _with_unchanged_models(frame, records[TEXT])
        for scaling, rows in whole.groupby("features", sort=False):
            found = selected(rows)
            names = {one: str(ProtocolName(str(scaling), one, weights)) for one in found["selection"].unique()}
            parts.append(found.assign(protocol=found["selection"].map(names))[KEPT])
    return pd.concat(parts, ignore_index=True)


def _with_unchanged_models(frame: pd.DataFrame, text: pd.DataFrame) -> pd.DataFrame:
    """A frame with the models that it does not have taken from the text's, in the text's order of models."""
    missing = text[~text["model"].isin(frame["model"]) & text["features"].isin(frame["features"])]
    return pd.concat([frame, missing], ignore_index=True) if len(missing) else frame
