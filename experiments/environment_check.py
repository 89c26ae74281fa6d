"""What is checked before anything large is imported: that the environment is there, and who answers an early Ctrl-C."""

import os
import signal
import sys
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType

from experiments.streams import sturdy_streams

#: What a run imports first; they are installed together.
NEEDED = ("numpy", "scipy", "sklearn", "pandas", "hydra", "omegaconf", "tqdm", "matplotlib")

ROOT = Path(__file__).resolve().parents[1]
#: The packages of a clone whose modules are started by python -m.
PACKAGES = ("experiments", "bench", "chaos", "fuzz")

#: How a process ends that a Ctrl-C stopped.
STOPPED = 128 + signal.SIGINT


def expect_environment() -> None:
    """End with a sentence where the libraries of the study are missing; a Ctrl-C while they load ends in a word."""
    if starting():
        _expect_command()
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


def _expect_command() -> None:
    """End with a sentence where a module is started that is none: it would do nothing, and say that all is well."""
    words = sys.orig_argv
    name = words[words.index("-m") + 1] if "-m" in words[1:-1] else ""
    package = name.partition(".")[0]
    folder = ROOT / name.replace(".", "/")
    path = folder / "__main__.py" if folder.is_dir() else folder.with_suffix(".py")
    if package in PACKAGES and not is_command(path):
        told = "is no command, commands import it" if path.is_file() or folder.is_dir() else "is not there"
        print(f"error: {name} {told}. Python's -m takes {', '.join(commands(package))}.", file=sys.stderr)
        raise SystemExit(2)


def is_command(path: Path) -> bool:
    """Whether a file does something when it is started."""
    return path.is_file() and '\nif __name__ == "__main__"' in path.read_text(encoding="utf-8")


def commands(package: str) -> list[str]:
    """The modules of a package that python -m takes."""
    found = (path.relative_to(ROOT) for path in sorted((ROOT / package).rglob("*.py")) if is_command(path))
    return [".".join(path.with_suffix("").parts).removesuffix(".__main__") for path in found]


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
