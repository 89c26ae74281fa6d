"""The digest of the source: it sees what a family runs, not how it is written down, and never enters a key."""

from dataclasses import replace

import pytest

from celm.study import source
from celm.study.data_config import CoatesNgConfig, DatasetConfig
from celm.study.families import FAMILIES
from celm.study.planning import plan
from celm.study.source import (
    closure,
    code_digest,
    code_of,
    defining,
    family_modules,
    is_other_code,
    made_by_other_code,
    module_digest,
)
from celm.study.study_config import ModelConfig, StudyConfig

CELL = plan(StudyConfig(rounds=1), [DatasetConfig(name="wdbc", n_hidden=[5])], [ModelConfig("elm", "elm", "elm")])[0]

PLAIN = '''"""A module."""
def add(a, b):
    """Add."""
    return a + b
class Box:
    """A box."""
'''


def digest_of(tmp_path, text):
    path = tmp_path / "module.py"
    path.write_text(text)
    module_digest.cache_clear()
    return module_digest(path)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("# said\n" + PLAIN, True),
        (PLAIN.replace("a + b", "(a  +  b)  # sum"), True),
        (PLAIN.replace('    """Add."""\n', ""), True),
        (PLAIN.replace("Add.", "Plus."), True),
        (PLAIN.replace('"""A box."""', "pass"), True),
        (PLAIN.replace("a + b", "b + a"), False),
        (PLAIN.replace("a + b", "a - b"), False),
        (PLAIN + "X = 1\n", False),
    ],
)
def test_comments_layout_and_docstrings_do_not_count(tmp_path, text, same):
    assert (digest_of(tmp_path, text) == digest_of(tmp_path, PLAIN)) is same


def test_a_family_runs_its_models_its_rows_and_what_they_stand_on():
    elm = family_modules(FAMILIES["classify"]["elm"], "cdelm", with_images=False)
    needed = {
        "models.elm.weights",
        "models.elm.classifier",
        "linalg.gram",
        "datasets.splits",
        "study.inputs",
        "base.seeds",
    }
    assert {f"celm.{name}" for name in needed} <= set(elm)
    assert "celm.features.scaling" in elm
    assert not {"celm.features.omp1", "celm.study.study_config", "celm.datasets.clients"} & set(elm)
    assert "celm.features.omp1" in family_modules(FAMILIES["classify"]["elm"], "cdelm", with_images=True)
    bp = family_modules(FAMILIES["classify"]["bp"], None, with_images=False)
    assert "celm.models.baselines.bp" in bp
    assert not [name for name in bp if name.startswith("celm.models.elm")]


@pytest.mark.parametrize("task", FAMILIES)
def test_every_family_has_a_digest(task):
    for family in FAMILIES[task]:
        python, digest = code_digest(task, family, None, False).split(" ")
        assert len(digest) == 32
        assert python.count(".") == 1


def test_names_are_followed_to_where_they_are_defined():
    assert defining("celm.datasets", "split_rows") == "celm.datasets.splits"
    assert defining("celm.datasets", "splits") == "celm.datasets.splits"
    assert defining("celm.base.seeds", "generator") == "celm.base.seeds"
    assert closure(["celm.nothing"]) == []


def test_an_edited_strategy_is_other_code_for_its_own_cells_alone(monkeypatch):
    edited = source.path_of("celm.models.elm.strategies.cdelm")
    digest, real = module_digest(edited), source.module_digest

    def digests():
        code_digest.cache_clear()
        pairs = (("elm", "cdelm"), ("elm", "selm"), ("bp", None))
        return {strategy: code_digest("classify", family, strategy, False) for family, strategy in pairs}

    before = digests()
    monkeypatch.setattr(source, "module_digest", lambda path: digest[::-1] if path == edited else real(path))
    after = digests()
    code_digest.cache_clear()
    assert [name for name in before if after[name] != before[name]] == ["cdelm"]
    assert is_other_code(before["cdelm"], after["cdelm"])


def test_no_digest_or_another_python_is_not_known_to_be_other_code():
    here = code_of(CELL)
    assert not is_other_code(None, here)
    assert not is_other_code("2.7 " + "0" * 32, here)
    assert is_other_code(here.split(" ")[0] + " " + "0" * 32, here)
    assert not is_other_code(here, here)
    documents = {CELL.key: {"code": here.split(" ")[0] + " 0"}}
    assert made_by_other_code([CELL], documents) == [CELL]
    assert made_by_other_code([CELL], {}) == []


def test_image_features_count_for_the_cells_that_have_them():
    assert code_of(replace(CELL, features=CoatesNgConfig())) != code_of(CELL)


def test_the_source_is_not_part_of_an_identity():
    assert "code" not in CELL.identity()
