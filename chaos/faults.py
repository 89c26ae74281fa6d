"""A study on a machine that fails in other ways than by killing: each fault is survived and told in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from chaos.runs import Ended, content, end, run, start


def wrong_end(name: str, ended: Ended, code: int, words: str) -> list[str]:
    """What is wrong with the end of a run that should have that exit code and say these words."""
    told = words in ended.output and "Traceback" not in ended.output
    return [] if ended.code == code and told else [f"{name}: exit code {ended.code}: {ended.output[-400:]}"]


def _completed(name: str, store: Path, expected: str) -> list[str]:
    """What is wrong with a store after the study was run again on a machine that works."""
    ended = run(store)
    if ended.code != 0 or content(store) != expected:
        return [f"{name}: the run after it ended with {ended.code} or other numbers: {ended.output[-300:]}"]
    return []


def full_disk(folder: Path, expected: str) -> list[str]:
    """The disk takes two cells and no more; then there is room again."""
    wrong = wrong_end("full disk", run(folder, fault="full:2"), 1, "finished cells are kept")
    return wrong + _completed("full disk", folder, expected)


def read_only(folder: Path, expected: str) -> list[str]:
    """A read-only disk: refused before the start, and read when all is finished."""
    wrong = wrong_end("read-only", run(folder, fault="read-only"), 2, "cannot be written")
    wrong += _completed("read-only", folder, expected)
    return wrong + wrong_end("read-only, finished", run(folder, fault="read-only"), 0, "0 to run")


def two_runners(folder: Path, expected: str) -> list[str]:
    """Two runs of one study on one store at once: both end well, with the same cells."""
    both = [end(process) for process in [start(folder), start(folder)]]
    wrong = [fault for ended in both for fault in wrong_end("two runners", ended, 0, "written")]
    return wrong if content(folder) == expected else [*wrong, "two runners: other numbers"]


def clock_back(folder: Path, expected: str) -> list[str]:
    """The clock is set back again and again during a run."""
    wrong = wrong_end("clock", run(folder, fault="clock"), 0, "written")
    return wrong if content(folder) == expected else [*wrong, "clock: other numbers"]


FAULTS: dict[str, Callable[[Path, str], list[str]]] = {
    "full disk": full_disk,
    "read-only disk": read_only,
    "two runners on one store": two_runners,
    "clock set back": clock_back,
}
