"""The picture of the walk of one cell: every step of it exists, no file is passed twice, and it is the drawn one."""

import importlib
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from experiments.texts.walk import TARGET, WALK, picture

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("step", WALK, ids=lambda step: step.file)
def test_every_step_is_there(step):
    assert (ROOT / step.file).exists()
    if step.name:
        module = importlib.import_module(step.file.removesuffix(".py").replace("/", "."))
        assert hasattr(module, step.name)


def test_no_file_is_passed_twice():
    files = [step.file for step in WALK]
    assert len(set(files)) == len(files)
    assert files[0].endswith(".yaml")
    assert WALK[-1].hands_on.endswith("index.html")


def test_the_committed_picture_is_the_drawn_one_and_tells_the_walk_in_words():
    assert TARGET.read_text(encoding="utf-8") == picture()
    tree = ElementTree.fromstring(picture())
    described = tree.find("{http://www.w3.org/2000/svg}desc").text
    assert all(step.file in described for step in WALK)
    texts = ["".join(node.itertext()) for node in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert all(any(step.file in text for text in texts) for step in WALK)
