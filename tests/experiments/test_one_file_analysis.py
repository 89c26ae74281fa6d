"""Adding an analysis is one file: a copy of the tree with one more has it in its list, its tables and its page."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from experiments.analysis import analyses

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("celm", "conf", "experiments")
ADDED = '''"""How many rounds of Fig 4 every data set has: an analysis in one file."""

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


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The tree with the records of one figure and one more file."""
    folder = tmp_path_factory.mktemp("tree")
    for part in PARTS:
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "results" / "records").mkdir(parents=True)
    for path in (ROOT / "results" / "records").glob("fig4.*"):
        shutil.copy(path, folder / "results" / "records")
    (folder / "experiments" / "analyses" / "rounds_counted.py").write_text(ADDED, encoding="utf-8")
    return folder


def run(tree, *words):
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=tree, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_one_file_is_listed_written_and_on_the_page(tree):
    assert "rounds_of_fig4" not in analyses()
    assert "rounds_of_fig4         table         How many rounds every set has" in run(
        tree, "experiments.publish", "list"
    )
    run(tree, "experiments.publish", "tables", "rounds_of_fig4")
    assert "| WDBC | 10 |" in (tree / "results" / "tables" / "rounds_of_fig4.md").read_text(encoding="utf-8")
    run(tree, "experiments.report")
    page = (tree / "results" / "report" / "index.html").read_text(encoding="utf-8")
    assert '<a href="#housekeeping">Housekeeping</a>' in page
    assert '<th scope="row">WDBC</th><td>10</td>' in page
    readme = (tree / "results" / "README.md").read_text(encoding="utf-8")
    assert "- [rounds_of_fig4](tables/rounds_of_fig4.md): How many rounds every set has" in readme
