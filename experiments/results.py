"""Records as tidy frames: what passes from studies to analyses, each experiment read once."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, cast

import pandas as pd

from celm.analysis.claims.judging import minutes_of
from celm.datasets import official_split
from celm.study.store import LocalStore, PublishedStore, column_frame, load_frame, merged
from celm.study.study_config import StudyConfig
from experiments.config.entries import ROOT, conf_file, options
from experiments.config.studies import composed_study
from experiments.config.study_names import Identity

# Where a study looks for published records, below the root.
RECORDS = Path(StudyConfig.published)
PAPERS = Path(__file__).resolve().parent / "papers"

Found = TypeVar("Found")


class Results:
    """A folder of results: records, and the tables, figures and report that are made from them."""

    def __init__(self, folder: Path = ROOT / RECORDS.parent, runs: Path = ROOT / StudyConfig.store) -> None:
        self.folder, self.runs = folder, runs

    @cached_property
    def published(self) -> PublishedStore:
        """The records that are committed."""
        return PublishedStore(self.folder / RECORDS.name)

    @cached_property
    def local(self) -> LocalStore:
        """The finished cells of this machine."""
        return LocalStore(self.runs)

    def minutes(self, experiment: str) -> float:
        """How long the published cells of an experiment took one after the other; see :func:`minutes_of`."""
        path = self.published.folder / f"{experiment}.csv"
        return minutes_of(pd.read_csv(path, usecols=lambda column: column in ("cell", "seconds"), low_memory=False))


class Records:
    """The records of a store: "published", "local", or "both" (published cells first)."""

    def __init__(self, results: Results, store: str = "published") -> None:
        self.results, self.store = results, store
        self._frames: dict[tuple[str, bool], pd.DataFrame] = {}
        self._found: dict[tuple[Any, ...], Any] = {}

    @property
    def folder(self) -> Path:
        """Where what is made of them lies: under results/ only what is made of published ones alone."""
        return self.results.folder if self.store == "published" else self.results.runs

    def frame(self, name: str, *, chosen_alone: bool = False) -> pd.DataFrame:
        """The records of an experiment, or the printed table ``PAPER/TABLE``; no rows where it is not complete.

        ``chosen_alone`` takes the rounds that exist, however few, without node counts that were tried but not chosen.
        """
        if "/" in name:
            return printed(name)
        if (name, chosen_alone) not in self._frames:
            frame = self._read(name, chosen_alone)
            whole = chosen_alone or not self._lacks_cells(name, frame)
            self._frames[name, chosen_alone] = with_split(frame if whole else frame.iloc[:0])
        return self._frames[name, chosen_alone]

    def once(self, key: tuple[Any, ...], find: Callable[[], Found]) -> Found:
        """What was found under ``key``, which names all that it follows from: analyses may share it."""
        if key not in self._found:
            self._found[key] = find()
        return cast(Found, self._found[key])

    def _read(self, name: str, chosen_alone: bool) -> pd.DataFrame:
        """The cells of an experiment that exist."""
        if self.store == "published":
            return column_frame(name, self.results.published.columns(name, chosen_alone=chosen_alone))
        kept = self.results.published.documents(name, chosen_alone=True) if self.store == "both" else {}
        here = self.results.local.documents(name)
        return load_frame((merged(kept, here, planned_keys(name)) if here else kept).values())

    def _lacks_cells(self, name: str, frame: pd.DataFrame) -> bool:
        """Whether some cells of an experiment are there and others are not; told on the terminal."""
        if frame.empty:
            return False
        by_store = self.store == "published"
        planned = self.results.published.manifest(name)["planned_cells"] if by_store else len(planned_keys(name))
        if (there := frame["cell"].nunique()) < planned:
            print(f"{name}: only {there} of {planned} cells are in the {self.store} store")
        return bool(there < planned)


def add_store_option(parser: argparse.ArgumentParser) -> None:
    """Let a command line say which records are read."""
    parser.add_argument("--store", choices=["published", "local"], default="published", help="where to read from")


def with_split(frame: pd.DataFrame) -> pd.DataFrame:
    """Records that say whether their split is official; of earlier ones the data set says it."""
    if frame.empty:
        return frame
    declared = frame["dataset"].map({name: official_split(name) for name in frame["dataset"].unique()})
    told = declared if "official_split" not in frame else frame["official_split"].where(lambda c: c.notna(), declared)
    complete: pd.DataFrame = frame.assign(official_split=told.astype(bool))
    return complete


def planned_keys(experiment: str) -> set[str]:
    """The keys of all cells of an experiment that conf/ names."""
    return {cell.key for cell in composed_study(experiment).plan()}


def printed(name: str) -> pd.DataFrame:
    """A table as a paper prints it, ``celm/table1``: a number has one round and stands for itself."""
    paper, _, table = name.partition("/")
    path = PAPERS / paper / f"{table}.csv"
    if not path.exists():
        raise ValueError(f"{name}: no such table; {path.name} is not under experiments/papers/{paper}.")
    found: pd.DataFrame = pd.read_csv(path, dtype={"n_hidden": str}).assign(experiment=name)
    return found


def title_of(experiment: str) -> str:
    """The title that conf/ gives an experiment or a sweep; its name where it has none."""
    name = Identity.parse(experiment).name
    for group in ("experiment", "sweep"):
        if name in options(group):
            return str(conf_file(group, name).get("title", experiment))
    return experiment


def together(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The tables of several experiments as one, each row naming its own."""
    rows = [table.assign(experiment=name) for name, table in tables.items()]
    joined: pd.DataFrame = pd.concat(rows, ignore_index=True)
    return joined
