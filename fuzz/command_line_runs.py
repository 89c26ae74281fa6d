"""Feeds drawn command lines and files to the harness: each runs, or is refused in a sentence with exit code 2.

python -m fuzz.command_line_runs --inputs 2000
"""

from __future__ import annotations

import argparse
import contextlib
import io
import logging
import math
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any, NamedTuple

from hydra.core.global_hydra import GlobalHydra
from omegaconf import OmegaConf

from experiments.command import at_least, command
from experiments.config.value_types import fits, known_types
from experiments.run import console
from fuzz.command_lines import CommandLine, command_line
from fuzz.tried import Tried, try_all

# Seconds of the processor that refusing or planning may take.
MOST_SECONDS = 30
# Nothing is run: what is tried is what is accepted.
ALWAYS = ["dry_run=true", "progress=false"]
CODES = {0: "accepted", 2: "refused"}
# Command lines between two notes of the counts.
BLOCK = 50


class Outcome(NamedTuple):
    """How a command line ended."""

    code: int | None
    output: str
    error: str
    seconds: float


class Fault(NamedTuple):
    """What the harness did that it must not do."""

    index: int
    line: CommandLine
    error: str


@contextlib.contextmanager
def _as_a_process(words: list[str]) -> Iterator[io.StringIO]:
    """Arguments, environment and logging as a fresh process has them; yields what it prints."""
    arguments, environment = sys.argv, dict(os.environ)
    handlers, level = logging.root.handlers[:], logging.root.level
    printed = io.StringIO()
    sys.argv = ["experiments.run", *words]
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            yield printed
    finally:
        sys.argv = arguments
        os.environ.clear()
        os.environ.update(environment)
        logging.root.handlers[:] = handlers
        logging.root.setLevel(level)
        GlobalHydra.instance().clear()


def run(line: CommandLine, folder: Path) -> Outcome:
    """The end of one command line, within this process; its store and its file are under ``folder``."""
    words = [*line.words, *(word for word in ALWAYS if word.split("=")[0] not in {w.split("=")[0] for w in line.words})]
    words += [f"store={folder / 'runs'}", f"hydra.sweep.dir={folder / 'hydra'}"]
    if line.file is not None:
        (folder / "experiment").mkdir(exist_ok=True)
        (folder / "experiment" / "own.yaml").write_text(line.file, encoding="utf-8")
        words += ["--config-dir", str(folder)]
    return ended(words)


def ended(words: list[str]) -> Outcome:
    """How a command line ends within this process, which saves the start of one, and what it prints."""
    started, code, error = time.process_time(), 0, ""
    with _as_a_process(words) as printed:
        try:
            console(words)
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
        except BaseException as unexpected:
            code, error = 1, f"{type(unexpected).__name__}: {unexpected}"
    return Outcome(code, printed.getvalue(), error, time.process_time() - started)


def _forbidden(words: list[str]) -> str:
    """A value on an accepted command line that the schema forbids; nothing when there is none."""
    for word in words:
        key, _, text = word.lstrip("+").partition("=")
        kinds = known_types().get(key, ())
        # A section is named by a file of its group.
        if (
            kinds
            and not any(is_dataclass(kind) for kind in kinds)
            and "," not in text
            and "(" not in text
            and "$" not in text
        ):
            try:
                value: Any = OmegaConf.create(f"value: {text}").value
            except Exception:
                continue
            plain = OmegaConf.to_container(value) if OmegaConf.is_config(value) else value
            # YAML reads more words as flags and numbers than a command line does.
            strict = (
                not isinstance(plain, (bool, int, float)) or text in ("true", "false") or text.lstrip("-").isdigit()
            )
            if strict and not any(fits(plain, kind) for kind in kinds):
                return f"{word} was accepted"
            if isinstance(plain, float) and not math.isfinite(plain):
                return f"{word} was accepted"
    return ""


def fault_of(line: CommandLine, outcome: Outcome) -> str:
    """What was wrong with the end of a command line; nothing when it ran or was refused in words."""
    if outcome.error:
        return outcome.error
    if outcome.code not in CODES:
        return f"exit code {outcome.code}: {outcome.output[-300:]}"
    if "Traceback" in outcome.output:
        return f"a traceback: {outcome.output[-300:]}"
    if outcome.code == 2 and not outcome.output.strip():
        return "refused without a word"
    if outcome.seconds > MOST_SECONDS:
        return f"it took {outcome.seconds:.0f} seconds"
    return _forbidden(line.words) if outcome.code == 0 else ""


def fuzz(seed: int, numbers: range) -> tuple[Counter[str], list[Fault]]:
    """How often a command line of these numbers was accepted or refused, and the faults."""
    outcomes: Counter[str] = Counter()
    faults = []
    for index in numbers:
        line = command_line(seed, index)
        with tempfile.TemporaryDirectory() as folder:
            outcome = run(line, Path(folder))
        wrong = fault_of(line, outcome)
        outcomes[CODES.get(outcome.code or 0, "other")] += 1
        faults += [Fault(index, line, wrong)] if wrong else []
    return outcomes, faults


def main() -> None:
    """Command line: python -m fuzz.command_line_runs [--inputs N] [--seed K] [--keep FILE]."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.command_line_runs", description=__doc__)
    parser.add_argument("--inputs", type=at_least(1), default=2000)
    parser.add_argument("--seed", type=at_least(0), default=0)
    parser.add_argument("--keep", type=Path, help="count in this file and go on from what it holds")
    arguments = parser.parse_args()
    parts = {"command lines": arguments.inputs}
    try_all(Tried(arguments.keep), parts, BLOCK, lambda _, numbers: fuzz(arguments.seed, numbers))


if __name__ == "__main__":
    command(main)
