"""How every command of ours ends: an error that says all is a sentence and exit code 2, never a traceback."""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Callable

from celm.base.clusters import ClusterError
from celm.datasets import DatasetError
from experiments.environment_check import STOPPED, interrupted
from experiments.registration.history import NoHistory
from experiments.streams import check_printed

# Errors whose message says all that a user needs to mend them.
MENDABLE = (ValueError, DatasetError, ClusterError, NoHistory)

# What a command is about that reads its words itself.
TAKES_WORDS = "…"


def at_least(least: int) -> Callable[[str], int]:
    """Reads a whole number of a command line that must not be smaller."""

    def read(text: str) -> int:
        if not text.lstrip("-").isdecimal() or len(text) > 18 or int(text) < least:
            raise argparse.ArgumentTypeError(f"it must be a whole number of at least {least}; got {text!r}")
        return int(text)

    return read


def above_zero(what: str) -> Callable[[str], float]:
    """Reads a finite number of a command line that must be above zero; ``what`` says of what it is a number."""

    def read(text: str) -> float:
        try:
            found = float(text)
        except ValueError:
            found = math.nan
        if not 0 < found < math.inf:
            raise argparse.ArgumentTypeError(f"it must be {what} above 0; got {text!r}")
        return found

    return read


def end_in_words(error: Exception, told: str, foreseen: bool) -> None:
    """End the process with an error as a sentence: code 2 where its message says all, else 1 and the way to more.

    ``HYDRA_FULL_ERROR=1`` shows the traceback. An error that came of a Ctrl-C is told as one.
    """
    if interrupted(error):
        print("stopped", file=sys.stderr)
        raise SystemExit(STOPPED) from None
    if os.environ.get("HYDRA_FULL_ERROR") == "1":
        raise error
    if isinstance(error, FileNotFoundError) and error.errno is not None and error.filename is None:
        told = "the folder in which this was started is not there any more; go to one that is"
    way = "" if foreseen else f" ({type(error).__name__}, not foreseen: HYDRA_FULL_ERROR=1 shows where)"
    print(f"error: {told}{way}", file=sys.stderr)
    raise SystemExit(2 if foreseen else 1) from None


def command(main: Callable[[], object], about: str | None = TAKES_WORDS) -> None:
    """Run the main function of a command to an end in words.

    One that takes no words says what it is ``about`` (None where Python was told to leave out docstrings): --help shows
    it, and any word is refused instead of ignored.
    """
    if about is not TAKES_WORDS:
        argparse.ArgumentParser(description=about).parse_args()
    try:
        main()
    except Exception as error:
        end_in_words(error, str(error) or type(error).__name__, isinstance(error, (*MENDABLE, OSError)))
    check_printed()
