"""The gallery: at least ten scripts that run, each asserting something of what it shows."""

import ast
from pathlib import Path

import matplotlib
import pytest

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("plot_*.py"))


def test_there_are_ten():
    assert len(EXAMPLES) >= 10


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_and_asserts_what_it_shows(path, recwarn):
    matplotlib.use("agg")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert any(isinstance(node, ast.Assert) for node in ast.walk(tree))
    exec(compile(tree, path.name, "exec"), {"__name__": "__main__"})
    matplotlib.pyplot.close("all")
