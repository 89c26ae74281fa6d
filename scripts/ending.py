"""How the scripts beside it read their words and end: in a sentence and exit code 2, as every command does.

The harness is imported when a script runs, not before: numpy then has the kernels that users of the library have.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path


def end_in_words(main: Callable[[], object]) -> None:
    """Run the main function of a script; processes that it starts are not asked for kernels of the harness."""
    from experiments.command import command
    from experiments.portable_sums import native_kernels

    native_kernels()
    command(main)


def count(text: str) -> int:
    """Reads a whole number of at least 1."""
    from experiments.command import at_least

    return at_least(1)(text)


def positive(text: str) -> float:
    """Reads a finite number above 0."""
    from experiments.command import above_zero

    return above_zero("a number")(text)


def place(text: str) -> Path:
    """Reads where a file will be written, which must be possible: known before the work, not after it."""
    from celm.base.files import check_place

    path = Path(text)
    try:
        if not text or path.is_dir():
            raise IsADirectoryError(f"{text!r} is a folder")
        check_place(path.parent)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"no file can be written at {text!r}: {error.strerror or error}") from error
    return path
