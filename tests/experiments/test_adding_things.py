"""Adding a thing takes one file (a family two): a copy of the tree with one more of each, by the shipped commands."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from celm.datasets.registry import REGISTRY
from celm.models.elm.strategies import STRATEGIES
from celm.study.families import FAMILIES
from experiments.analysis import analyses
from experiments.config.entries import options

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("celm", "conf", "experiments")

STRATEGY = '''"""Weights of one: a weight strategy in one file."""

import numpy as np

from celm.models.elm.strategy import Strategy

STRATEGY = Strategy(lambda X, codes, n_hidden, rng, options: (np.ones((X.shape[1], n_hidden)), rng.random(n_hidden)))
'''

DATASET = '''"""Two moons of scikit-learn: a data set in one file."""

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

READING = """# @package _global_
readings:
  five_folds:
    about: "Five folds in the place of three."
    origin: practice
    touches: {table1: 5}
selection:
  n_folds: 5
"""

FAMILY = '''"""The nearest class mean: how a family of models runs a cell, with an option of its own."""

from dataclasses import dataclass

from sklearn.neighbors import NearestCentroid

from celm.base.validation import check_choice
from celm.study.families.family import Family, own_settings, test_accuracy


@dataclass
class NearestMeanOptions:
    """How far a row is from a mean."""

    metric: str = "euclidean"


def check(model, settings):
    check_choice(settings.get("metric", "euclidean"), "nearest_mean.metric", ("euclidean", "manhattan"), "config")


def run(cell, split):
    fitted = NearestCentroid(**cell.settings).fit(split.X, split.y)
    return [{"n_hidden": None, "accuracy": test_accuracy(fitted, split), "chosen": True}]


NEAREST_MEAN = Family(
    1, own_settings("nearest_mean", NearestMeanOptions), check, run, has_curve=False, options=NearestMeanOptions
)
RUNS = {"classify": {"nearest_mean": NEAREST_MEAN}}
'''

MODEL = """# The model of that family: how it is called and drawn.
name: nearest_mean
family: nearest_mean
about:
  label: Nearest mean
  order: 900
"""

ANALYSIS = '''"""How many rounds of Fig 4 every data set has: an analysis in one file."""

from celm.base.names import dataset_label
from celm.render.document import Document, Table
from experiments.analysis import Analysis


def find(frames):
    return frames["fig4"].groupby("dataset")["round"].nunique()


def told(rounds):
    rows = [[dataset_label(name), str(count)] for name, count in rounds.items()]
    return Document("Rounds of Fig 4", (Table(["set", "rounds"], rows),))


ROUNDS = Analysis(
    name="rounds_of_fig4",
    about="How many rounds every set has",
    reads=("fig4",),
    find=find,
    document=told,
    numbers=lambda rounds: rounds.reset_index(),
    chapter="Housekeeping",
)
'''

ADDED = {
    "celm/models/elm/strategies/ones.py": STRATEGY,
    "celm/datasets/moons.py": DATASET,
    "conf/reading/five_folds.yaml": READING,
    "celm/study/families/nearest_mean_family.py": FAMILY,
    "conf/model/nearest_mean.yaml": MODEL,
    "experiments/analyses/rounds_counted.py": ANALYSIS,
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The tree with the records of one figure and with what is added."""
    folder = tmp_path_factory.mktemp("tree")
    for part in PARTS:
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "results" / "records").mkdir(parents=True)
    for path in (ROOT / "results" / "records").glob("fig4.*"):
        shutil.copy(path, folder / "results" / "records")
    for place, text in ADDED.items():
        assert not (folder / place).exists()
        (folder / place).write_text(text, encoding="utf-8")
    return folder


def run(tree, *words):
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=tree, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def cell_of(tree, study, *words):
    """The study of a small run, and its one cell."""
    small = ("rounds=1", "n_hidden=[10]", f"store={study}", "progress=false", "executor.workers=1")
    told = run(tree, "experiments.run", "dataset=moons", *small, *words)
    (path,) = (tree / study).glob("*/cells/*.json")
    return told, path.parent.parent.name, json.loads(path.read_text(encoding="utf-8"))["shared"]


def test_none_of_it_is_here():
    assert "ones" not in STRATEGIES
    assert "moons" not in REGISTRY
    assert "five_folds" not in options("reading")
    assert "nearest_mean" not in FAMILIES["classify"]
    assert "rounds_of_fig4" not in analyses()


@pytest.mark.heavy
def test_a_strategy_a_data_set_and_a_reading_are_a_file_each(tree):
    words = ("experiment=table1", "dataset.noise=0.05", "model=elm", "model.strategy=ones", "reading=five_folds")
    told, name, shared = cell_of(tree, "three", *words)
    assert name.startswith("table1+five_folds-")
    assert {"dataset": "moons", "model": "ones", "dataset_noise": 0.05, "n_folds": 5}.items() <= shared.items()
    assert "moons" in told


@pytest.mark.heavy
def test_a_family_is_a_file_and_its_entry(tree):
    told, _, shared = cell_of(tree, "two", "model=nearest_mean", "nearest_mean.metric=manhattan")
    assert {"model": "nearest_mean", "metric": "manhattan"}.items() <= shared.items()
    assert "Nearest mean" in told


@pytest.mark.heavy
def test_an_analysis_is_a_file_that_is_listed_written_and_on_the_page(tree):
    listed = run(tree, "experiments.publish", "list")
    assert "rounds_of_fig4         table         How many rounds every set has" in listed
    run(tree, "experiments.publish", "tables", "rounds_of_fig4")
    assert "| WDBC | 10 |" in (tree / "results" / "tables" / "rounds_of_fig4.md").read_text(encoding="utf-8")
    run(tree, "experiments.report")
    page = (tree / "results" / "report" / "index.html").read_text(encoding="utf-8")
    assert '<a href="#housekeeping">Housekeeping</a>' in page
    assert '<th scope="row">WDBC</th><td>10</td>' in page
    readme = (tree / "results" / "README.md").read_text(encoding="utf-8")
    assert "- [rounds_of_fig4](tables/rounds_of_fig4.md): How many rounds every set has" in readme
