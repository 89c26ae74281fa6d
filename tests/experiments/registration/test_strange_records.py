"""Registered or not, by what records say of themselves: seeds, rounds, commits, cells."""

import json

import pytest

from experiments.registration.entries import registrations
from tests.experiments.registration.worlds import KEYS, git


def test_never_true_by_default(world):
    assert world.status() == (False, "suite has no records")
    assert world.status(experiment="table1") == (False, "not registered: no registration lists table1")


def test_records_from_before_the_registration_are_not_registered(world):
    world.run(commit=git(world.root, "rev-parse", "HEAD~1"))
    assert "which does not build on the registration's" in world.status().reason
    assert world.status().answer is False


@pytest.mark.parametrize(
    ("run", "told"),
    [
        ({"seed": 7}, "the master seed of suite is 7, registered is 2015"),
        ({"rounds": 1}, "suite has 1 rounds, registered are 2"),
        ({"rounds": 3}, "suite has 3 rounds, registered are 2"),
        ({"commit": "unknown"}, "the commit of some records is not known"),
        ({"commit": None}, "the commit of some records is not known"),
        ({"commit": "0" * 40}, "the commit of some records, 0000000000, is not in this repository"),
        ({"registration": None}, "some records did not run under wide"),
        ({"registration": {"name": "wide", "digest": "0"}}, "another version of wide"),
    ],
)
def test_what_records_say_of_themselves_is_checked(world, run, told):
    world.run(**run)
    found = world.status()
    assert found.answer is False
    assert told in found.reason


def test_records_of_an_unclean_tree_are_not_registered(world):
    world.run(commit=f"{world.head()}+changes")
    assert world.status().answer is False
    assert "uncommitted changes" in world.status().reason


def test_other_cells_of_the_same_number_are_not_those_registered(world):
    world.run()
    documents = world.results.published.documents("suite")
    strange = {("f" * 32 if key == KEYS[0] else key): document for key, document in documents.items()}
    for key, document in strange.items():
        document["key"] = key
    world.results.published.write("suite", strange, {"title": "t", "planned_cells": 2})
    assert world.status() == (False, "the cells of suite are not those that were registered")


def test_published_origins_keep_what_records_ran_under(world):
    world.run()
    manifest = json.loads((world.results.folder / "records" / "suite.json").read_text())
    assert manifest["provenance"][0]["registration"] == registrations(world.root)["wide"].stamp()
