"""Cells as tidy frames for pandas, and the cells of a plan from both stores."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

import pandas as pd

from celm.study.store.documents import Document, rows_of
from celm.study.store.published import PublishedStore
from celm.study.store.row_text import Columns


def load_frame(documents: Iterable[Document]) -> pd.DataFrame:
    """One tidy row per cell and node count, failed cells left out."""
    rows = [
        {**row, "experiment": doc["experiment"], "cell": doc["key"], "seconds": doc["seconds"]}
        for doc in documents
        if doc["status"] == "ok"
        for row in rows_of(doc)
    ]
    return pd.DataFrame(rows)


def published_frame(
    experiment: str, folder: str | Path = "results/records", *, chosen_alone: bool = True
) -> pd.DataFrame:
    """The published records of an experiment, their digests checked: one row per round, as the tables read them.

    Parameters
    ----------
    experiment : str
        Its name, such as ``table1`` or ``table1+raw_values``: a file ``<experiment>.csv`` of the folder.
    folder : str or path
        The published store; ``results/records`` of the current folder unless told.
    chosen_alone : bool
        Leave out the node counts that were tried and not chosen. A mean over those is a mean over node counts.

    Returns
    -------
    pandas.DataFrame
        The columns are explained in ``docs/records.md``.

    Examples
    --------
    >>> from celm.study.store import published_frame
    >>> published_frame("table1").groupby(["dataset", "model"])["accuracy"].mean()  # doctest: +SKIP
    """
    store = PublishedStore(folder)
    columns = store.columns(experiment, chosen_alone=chosen_alone)
    if not columns:
        known = ", ".join(store.experiments()) or "none"
        raise ValueError(f"published_frame: no records of {experiment!r} in {folder}; there are {known}.")
    return column_frame(experiment, columns)


def column_frame(experiment: str, columns: Columns) -> pd.DataFrame:
    """Published columns as :func:`load_frame` would show their documents."""
    about = ("code", "provenance")
    frame = pd.DataFrame({name: values for name, values in columns.items() if name not in about})
    return frame.assign(experiment=experiment)


def merged(
    published: Mapping[str, Document], local: Mapping[str, Document], keys: Collection[str]
) -> dict[str, Document]:
    """Finished cells of a plan (``keys``): the published one where there is one, else the local one.

    A published cell is not replaced by a rerun with the same accuracies: its times would only churn the file.
    """
    chosen = {}
    for key in keys:
        for doc in (published.get(key), local.get(key)):
            if doc is not None and doc["status"] == "ok":
                chosen[key] = doc
                break
    return chosen
