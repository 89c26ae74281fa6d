"""The world of these tests: a repository that every test copies."""

import shutil

import pytest

from experiments.registration.entries import Registration
from experiments.registration.fixed import digests, path_in
from experiments.registration.history import History
from experiments.registration.writing import add
from tests.experiments.registration.worlds import FILES, FIXED, PLANNED, World, committed, git


@pytest.fixture(scope="module")
def born(tmp_path_factory):
    """A repository with a registration, committed behind what it fixes; copied by every test."""
    root = tmp_path_factory.mktemp("born")
    git(root, "init", "--quiet", "--initial-branch", "main")
    committed(root, **FILES)
    fixes = digests(FIXED, History(root).here(map(path_in, FIXED)))
    add(Registration("wide", "experiments/papers/celm/registration.yaml", "It is asked first.", PLANNED, fixes), root)
    committed(root)
    return root


@pytest.fixture
def world(born, tmp_path):
    shutil.copytree(born, tmp_path / "house")
    return World(tmp_path)
