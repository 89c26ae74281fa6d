"""What is checked before anything large is imported: that the environment is there, and who answers an early Ctrl-C."""

import os
import signal
import sys
from importlib.util import find_spec
from types import TracebackType

from experiments.streams import sturdy_streams

#: What a run imports first; they are installed together.
NEEDED = ("numpy", "scipy", "sklearn", "pandas", "hydra", "omegaconf", "tqdm", "matplotlib")

#: How a process ends that a Ctrl-C stopped.
STOPPED = 128 + signal.SIGINT


def expect_environment() -> None:
    """End with a sentence where the libraries of the study are missing; a Ctrl-C while they load ends in a word."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        print(
            f"error: {sys.executable} has no {', '.join(missing)}: run make environment, then use .venv/bin/python.",
            file=sys.stderr,
        )
        raise SystemExit(2)
    if starting():
        sys.excepthook = _in_a_word
        sturdy_streams()


def starting() -> bool:
    """Whether a command of ours is being started, rather than a module imported."""
    return sys.argv[:1] == ["-m"]


def interrupted(error: BaseException | None) -> bool:
    """Whether an error came of a Ctrl-C: a library that was stopped half way may end in an error of its own."""
    if error is None or isinstance(error, KeyboardInterrupt):
        return error is not None
    return interrupted(error.__cause__) or interrupted(error.__context__)


def _in_a_word(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if interrupted(error):
        print("stopped", file=sys.stderr, flush=True)
        if not issubclass(kind, KeyboardInterrupt):  # which Python itself ends as a signal does
            os._exit(STOPPED)
    elif issubclass(kind, MemoryError):
        print("error: the memory of this machine, or what ulimit leaves of it, is full", file=sys.stderr, flush=True)
    else:
        sys.__excepthook__(kind, error, trace)
