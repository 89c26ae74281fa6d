"""A data set is one file: added to a copy of the tree, it is there for the command line, its parameters too."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent

MOONS = '''"""Two moons of scikit-learn: the data set of this test."""

from dataclasses import dataclass

from sklearn.datasets import make_moons

from celm.base.validation import check_number
from celm.datasets.dataset import Arrays, as_dataset
from celm.datasets.entry import Entry


@dataclass(frozen=True)
class MoonsParams:
    """How far points stray from the moons."""

    noise: float = 0.1

    def __post_init__(self) -> None:
        check_number(self.noise, "noise", "moons", 0.0)


def load_moons(params, _order, _cache):
    """200 points."""
    arrays = Arrays(*make_moons(200, noise=params.noise, random_state=0))
    return as_dataset("moons", arrays, ("up", "down"), "generated")


ENTRIES = (
    Entry("moons", ("generated",), load_moons, lambda _cache: [("generated", True, "made")], params=MoonsParams),
)
'''


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the tree with one file more."""
    folder = tmp_path_factory.mktemp("tree")
    for name in ("celm", "experiments", "conf"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "celm" / "datasets" / "moons.py").write_text(MOONS)
    return folder


def run(tree, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    command = [sys.executable, "-m", "experiments.run", "dataset=moons", "model=elm", "rounds=1", "n_hidden=[10]"]
    return subprocess.run(
        [*command, "store=runs", "progress=false", *arguments],
        cwd=tree, env=environment, check=False, capture_output=True, text=True, timeout=120,
    )  # fmt: skip


def test_the_shipped_command_line_runs_it_with_its_parameters(tree):
    done = run(tree, "dataset.noise=0.05")
    assert done.returncode == 0, done.stderr
    assert "moons" in done.stdout
    (document,) = (tree / "runs").rglob("*.json")
    assert '"dataset_noise": 0.05' in document.read_text()
