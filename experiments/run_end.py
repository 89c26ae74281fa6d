"""The end of a run: what ran, how long, which model is best, where the files are, what next; in words or as JSON."""

from __future__ import annotations

import io
import json
import logging
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import Any, NamedTuple

import pandas as pd

from celm.base.names import dataset_label, model_label

#: Flag of the command line -> how a run speaks. Anything but the last words then goes to stderr, or nowhere.
MODES = {"--quiet": "quiet", "--json": "json"}
VARIABLE = "CELM_OUTPUT"
# Beyond so many data sets the last words count instead of naming each.
FEW_SETS = 6


class Ending(NamedTuple):
    """What is known when a study has run."""

    name: str
    planned: int
    finished: int
    ran: int
    failed: list[str]
    seconds: float
    best: dict[str, tuple[str, float]]
    folder: str
    compared: str


def with_mode(arguments: Sequence[str]) -> list[str]:
    """The arguments without --quiet and --json, which processes of a sweep inherit by their environment."""
    asked = [MODES[word] for word in arguments if word in MODES]
    if asked:
        os.environ[VARIABLE] = asked[-1]
    left = [word for word in arguments if word not in MODES]
    return [*left, "progress=false"] if mode() and not any(word.startswith("progress=") for word in left) else left


def mode() -> str:
    """How this run speaks: "", "quiet" or "json"."""
    said = os.environ.get(VARIABLE, "")
    if said not in ("", *MODES.values()):
        raise ValueError(f"{VARIABLE} must be quiet or json, or not be set; got {said!r}.")
    return said


def logs_aside() -> None:
    """Where the last words are all that is asked for, logs go to stderr."""
    if mode():
        for handler in logging.getLogger().handlers:
            if isinstance(handler, logging.StreamHandler) and handler.stream is sys.stdout:
                handler.setStream(sys.stderr)


@contextmanager
def hushed() -> Iterator[None]:
    """Inside it, a quiet run prints nothing; any other run is as it is."""
    if not mode():
        yield
        return
    with redirect_stdout(io.StringIO()):
        yield


def best_of(summary: pd.DataFrame) -> dict[str, tuple[str, float]]:
    """Data set -> its best model and that one's mean accuracy; nothing where a summary has no accuracies."""
    if summary.empty or "accuracy_mean" not in summary:
        return {}
    rows = summary.loc[summary.groupby("dataset", sort=False)["accuracy_mean"].idxmax()]
    return {row["dataset"]: (row["model"], float(row["accuracy_mean"])) for _, row in rows.iterrows()}


def in_words(end: Ending) -> str:
    """A few lines, each of which answers a question that a reader has now."""
    lines = [
        f"{end.name}: {end.finished} of {end.planned} cells are done, {end.ran} ran now in {duration(end.seconds)}."
    ]
    if end.best:
        lines.append(f"Best: {_best_in_words(end.best)}.")
    lines.append(f"Files: {end.folder}")
    return "\n".join([*lines, f"Next: {_next(end)}"])


def _best_in_words(best: Mapping[str, tuple[str, float]]) -> str:
    """The best model of every data set; of many sets how often each is the best."""
    if len(best) <= FEW_SETS:
        found = [(dataset_label(name), model_label(model), score) for name, (model, score) in best.items()]
        return ", ".join(f"{model} {score:.3f} on {name}" for name, model, score in found)
    counted = Counter(model for model, _ in best.values()).most_common()
    return ", ".join(f"{model_label(model)} on {n}" for model, n in counted) + f" of {len(best)} data sets"


def _next(end: Ending) -> str:
    if end.failed:
        return "the same command runs the failed cells again."
    if end.finished < end.planned:
        return "the same command without only= runs the models that are left."
    if "is not published" in end.compared:
        return "rounds=N runs more rounds, reading=NAME another reading, --json prints this for programs."
    return "open results/report/index.html, where every published number has its command."


def in_json(end: Ending) -> str:
    """One object on one line, for programs."""
    told: dict[str, Any] = end._asdict()
    told["best"] = {name: {"model": model, "accuracy": value} for name, (model, value) in end.best.items()}
    return json.dumps({**told, "seconds": round(end.seconds, 1)}, ensure_ascii=False)


def in_one_line(end: Ending) -> str:
    """What a quiet run says."""
    failed = f", {len(end.failed)} failed" if end.failed else ""
    return f"{end.name}: {end.finished} of {end.planned} cells in {duration(end.seconds)}{failed}"


def last_words(end: Ending) -> str:
    """The end as this run speaks."""
    return {"": in_words, "quiet": in_one_line, "json": in_json}[mode()](end)


def duration(seconds: float) -> str:
    """``12 s``, ``3 min 20 s``, ``1 h 05 min``: as exact as one plans by.

    Examples
    --------
    >>> [duration(seconds) for seconds in (12.4, 200, 3900)]
    ['12 s', '3 min 20 s', '1 h 05 min']
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
