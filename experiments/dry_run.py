"""What a run would do and how long it should take: in words, in one line, or as an object for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from celm.study.cells import Cell
from experiments.run_end import duration, mode
from experiments.time_left import Experience

# Cells that a dry run lists one by one; --json has them all.
SCREEN = 50


class Expected(NamedTuple):
    """A cell that is left; ``guess``: nothing like it has run here or is published."""

    key: str
    label: str
    seconds: float
    guess: bool


class Forecast(NamedTuple):
    """What is left of a study; ``seconds`` on so many ``processes``, ``jobs`` where it is a sweep."""

    name: str
    planned: int
    cells: list[Expected]
    processes: int
    jobs: int = 1

    @property
    def seconds(self) -> float:
        """From start to end."""
        return sum(cell.seconds for cell in self.cells) / self.processes

    @property
    def guessed(self) -> int:
        """How many cells are nothing but guessed."""
        return sum(cell.guess for cell in self.cells)


def forecast(name: str, left: Sequence[Cell], planned: int, experience: Experience, processes: int) -> Forecast:
    """What is left of a study, cell by cell."""
    cells = [
        Expected(cell.key, cell.label, round(experience.expect([cell]), 2), experience.is_guess(cell)) for cell in left
    ]
    return Forecast(name, planned, cells, processes)


def joined(forecasts: Sequence[Forecast]) -> Forecast:
    """The jobs of a sweep as one."""
    names = dict.fromkeys(one.name for one in forecasts)
    cells = [cell for one in forecasts for cell in one.cells]
    planned, processes = sum(one.planned for one in forecasts), max(one.processes for one in forecasts)
    return Forecast(", ".join(names), planned, cells, processes, len(forecasts))


def listed(foreseen: Forecast) -> str:
    """A line per cell; where they are many, a line for all rounds of a model on a data set."""
    if len(foreseen.cells) > SCREEN:
        return _by_work(foreseen.cells)
    return "\n".join(f"{cell.key}  {_time(cell.seconds, cell.guess)}  {cell.label}" for cell in foreseen.cells)


def _by_work(cells: Sequence[Expected]) -> str:
    rounds: dict[str, list[Expected]] = {}
    for cell in cells:
        rounds.setdefault(cell.label.rpartition(" round ")[0] or cell.label, []).append(cell)
    return "\n".join(
        f"{len(mine):5} cells  {_time(sum(cell.seconds for cell in mine), any(cell.guess for cell in mine))}  {label}"
        for label, mine in rounds.items()
    )


def _time(seconds: float, guess: bool) -> str:
    return f"{seconds:7.1f} s {'(guess)' if guess else '':7}"


def in_one_line(foreseen: Forecast) -> str:
    """How much is left, how long it should take, and what is no more than a guess."""
    jobs = f" in {foreseen.jobs} jobs" if foreseen.jobs > 1 else ""
    processes = f"{foreseen.processes} process{'es' if foreseen.processes > 1 else ''}"
    about = f"about {duration(foreseen.seconds)} on {processes}"
    left = len(foreseen.cells)
    told = f"{foreseen.name}: {left} of {foreseen.planned} cells left{jobs}, {about}"
    if not foreseen.guessed:
        return told
    of_them = "a guess" if foreseen.guessed == left else f"a guess for {foreseen.guessed} of them"
    return f"{told}: {of_them}, nothing like them is published"


def in_json(foreseen: Forecast) -> str:
    """One object on one line, for programs."""
    told = {
        "name": foreseen.name,
        "dry_run": True,
        "planned": foreseen.planned,
        "left": len(foreseen.cells),
        "seconds": round(foreseen.seconds, 1),
        "processes": foreseen.processes,
        "guessed": foreseen.guessed,
        "jobs": foreseen.jobs,
        "cells": [cell._asdict() for cell in foreseen.cells],
    }
    return json.dumps(told, ensure_ascii=False)


def told(foreseen: Forecast, *, list_cells: bool = True) -> str:
    """A forecast as this run speaks; its cells are listed unless they have been, or the run is a quiet one."""
    if mode() == "json":
        return in_json(foreseen)
    lines = [listed(foreseen)] if list_cells and not mode() else []
    return "\n".join(filter(None, [*lines, in_one_line(foreseen)]))
