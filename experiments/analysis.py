"""An analysis is one object: what it reads, a pure function from frames to findings, and how findings are shown.

A file under experiments/analyses or experiments/papers/PAPER/analyses that holds one is all there is to add: the page,
results/README.md, ``python -m experiments.publish``, ``make help`` and the tests find it by themselves.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import pandas as pd

from celm.render.document import Document, Items
from experiments.report.markup import Html
from experiments.results import Records

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROOT = Path(__file__).resolve().parent
# Where analyses are found, below experiments/.
PLACES = ("analyses", "papers/*/analyses")

Findings = TypeVar("Findings")
# The records of every experiment that is there, by its name.
Frames = Mapping[str, pd.DataFrame]


class NotComplete(Exception):
    """An experiment that an analysis needs is not complete in the store."""


class Picture(NamedTuple):
    """A figure, its plotted numbers, and other tables it shows (ending of the file name -> table)."""

    figure: Figure
    numbers: pd.DataFrame
    others: Mapping[str, pd.DataFrame] = {}


@dataclass(frozen=True)
class Analysis(Generic[Findings]):
    """Name, what it reads, how it finds, how it shows.

    Parameters
    ----------
    name : str
        Its files are results/tables/NAME.md and .csv, and results/figures/NAME.*.
    about : str
        What it tells, in one line: its caption, its line in the summary and in ``make help``.
    reads : tuple of str
        Experiments (``table1+raw_values``) and printed tables of a paper (``celm/table1``).
    find : callable
        Frames by name -> findings: plain data. Pure: it reads nothing else and fits nothing.
    of : tuple of Analysis, optional
        Those whose findings, where there are any, ``find`` is given by their names beside the frames.
    needs : tuple of str, optional
        Which of ``reads`` must be there; all of them by default, any one for ``()``.
    unfinished : bool
        Whether it reads the rounds that exist, chosen rows alone, instead of experiments that are complete.
    document, numbers, picture, section, files : callable, optional
        Findings -> blocks for Markdown and the page; the CSV beside them; a picture; what the page shows in the place
        of picture and blocks; further texts by their path below results/.
    answer : callable, optional
        Findings -> the list that the page tells of it among what else was found.
    judged : callable, optional
        Findings -> plain data: what verdict.json says under its name.
    chapter : str
        The chapter of the page that shows it, by its title, an existing one or a new one; none if empty.
    """

    name: str
    about: str
    reads: tuple[str, ...]
    find: Callable[[Any], Findings]
    of: tuple[Analysis[Any], ...] = ()
    needs: tuple[str, ...] | None = None
    unfinished: bool = False
    document: Callable[[Findings], Document] | None = None
    numbers: Callable[[Findings], pd.DataFrame] | None = None
    picture: Callable[[Findings], Picture] | None = None
    section: Callable[[Findings], Html] | None = None
    files: Callable[[Findings], Mapping[str, str]] | None = None
    answer: Callable[[Findings], Items] | None = None
    judged: Callable[[Findings], Mapping[str, Any]] | None = None
    chapter: str = ""

    def findings(self, records: Records) -> Findings:
        """What it finds in some records; :class:`NotComplete` says which of them are missing."""
        found = {name: records.frame(name, chosen_alone=self.unfinished) for name in self.reads}
        frames = {name: frame for name, frame in found.items() if not frame.empty}
        needed = self.reads if self.needs is None else self.needs
        lacking = [name for name in needed if name not in frames] or ([] if frames or not self.reads else self.reads)
        if lacking:
            word = " or " if self.needs == () else ", "
            raise NotComplete(f"{self.name}: needs all cells of {word.join(lacking)} in the {records.store} store")
        others = {one.name: one.found(records) for one in self.of}
        given = {name: value for name, value in {**frames, **others}.items() if value is not None}
        return records.once((self.find, self.unfinished, *frames), lambda: self.find(given))

    def found(self, records: Records) -> Findings | None:
        """As :meth:`findings`, nothing where records are missing."""
        try:
            return self.findings(records)
        except NotComplete:
            return None


def analyses() -> dict[str, Analysis[Any]]:
    """Every analysis there is by its name, in the order of their files.

    Raises
    ------
    ValueError
        If two have one name.
    """
    found: dict[str, Analysis[Any]] = {}
    for module in _modules():
        for one in _in_module(vars(importlib.import_module(module))):
            if found.setdefault(one.name, one) is not one:
                raise ValueError(
                    f"analyses: {one.name!r} is the name of two, the second in {module}; names must differ."
                )
    return found


def _modules() -> list[str]:
    files = [path for place in PLACES for path in sorted(ROOT.glob(f"{place}/*.py")) if path.stem != "__init__"]
    return [".".join(("experiments", *path.relative_to(ROOT).with_suffix("").parts)) for path in files]


def _in_module(names: Mapping[str, Any]) -> Iterator[Analysis[Any]]:
    """The analyses among the names of a module, alone or in a tuple, each once."""
    for value in names.values():
        if isinstance(value, Analysis):
            yield value
        elif isinstance(value, tuple) and value and all(isinstance(one, Analysis) for one in value):
            yield from value
