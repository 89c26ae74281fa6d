"""The libraries of the benchmark and the throw-away environments that they run in; none is a dependency of ours."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path


class CannotInstall(RuntimeError):
    """A library could not be had; the message goes into its rows."""


@dataclass(frozen=True)
class Library:
    """A library, what pip is asked for (nothing: the Python that runs the benchmark), and the room that it needs.

    ``only`` is the one kind of work that it is measured on, where it is not measured on all.
    """

    name: str
    requirements: tuple[str, ...] = ()
    dtypes: tuple[str, ...] = ("float64",)
    gigabytes: float = 1.0
    only: str = ""


BOTH = ("float64", "float32")

# hpelm and scikit-elm are older than numpy 2, and import pkg_resources.
LIBRARIES = (
    Library("celm", dtypes=("float64", "mixed", "auto")),
    Library("limit"),
    Library("one fit", only="choice_lambda"),
    Library("validation", only="predict_one_row"),
    Library("naive", dtypes=BOTH),
    Library("sklearn RBFSampler", dtypes=BOTH),
    Library("sklearn RBFSampler leave-one-out", only="choice_lambda"),
    Library("sklearn Nystroem", dtypes=BOTH),
    Library("sklearn MLP", dtypes=BOTH),
    Library("hpelm", ("hpelm==1.0.10", "numpy<1.24", "scipy<1.12", "setuptools<70"), dtypes=BOTH),
    Library("scikit-elm", ("scikit-elm==0.21a0", "dask", "distributed", "pandas", "pyarrow", "setuptools<70")),
    Library("pyoselm", ("pyoselm==1.2.0",)),
    Library("intelelm", ("intelelm==1.3.0",)),
    Library("graforvfl", ("graforvfl==2.2.0",)),
    Library("swimnetworks", ("swimnetworks==0.0.2",)),
    Library("rfflearn", ("rfflearn==2024.10.28",)),
    Library("TfELM", ("TfELM==1.1",), dtypes=("float32",), gigabytes=4.0),
    Library("pyrcn", ("pyrcn",), gigabytes=8.0),
)


def python_of(library: Library, folder: Path) -> Path:
    """The Python that has the library, in an environment under ``folder`` that is made when it is not there."""
    if not library.requirements:
        return Path(sys.executable)
    home = folder / library.name
    python = home / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    if (home / ".ready").exists():
        return python
    folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free / 1e9
    if free < 2 * library.gigabytes:
        raise CannotInstall(f"needs {library.gigabytes:g} GB and as much again to unpack; {free:.1f} GB are free")
    venv.create(home, with_pip=True, clear=True)
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *library.requirements]
    ended = subprocess.run(command, capture_output=True, text=True)
    if ended.returncode:
        reasons = [line for line in ended.stderr.splitlines() if line.strip() and not line.startswith("WARNING")]
        raise CannotInstall("pip: " + (reasons[-1] if reasons else f"exit code {ended.returncode}")[:200])
    (home / ".ready").touch()
    return python
