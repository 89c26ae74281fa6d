"""What is checked before anything large is imported: that the environment is there, and who answers an early Ctrl-C."""

import sys
from importlib.util import find_spec
from types import TracebackType

from experiments.streams import sturdy_streams

#: What a run imports first; they are installed together.
NEEDED = ("numpy", "scipy", "sklearn", "pandas", "hydra", "omegaconf", "tqdm", "matplotlib")


def expect_environment() -> None:
    """End with a sentence where the libraries of the study are missing; a Ctrl-C while they load ends in a word."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        print(
            f"error: {sys.executable} has no {', '.join(missing)}: run make environment, then use .venv/bin/python.",
            file=sys.stderr,
        )
        raise SystemExit(2)
    if sys.argv[:1] == ["-m"]:  # a command of ours is being started, not imported
        sys.excepthook = _in_a_word
        sturdy_streams()


def _in_a_word(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        print("stopped", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)
