"""The one way in which every fault of every table is judged."""

import logging

import pytest

from celm.study.store import StoreError
from tests.faults.damage import ABSENT, HARMLESS


@pytest.fixture
def survives(tmp_path, caplog, monkeypatch):
    """A file is made, read, damaged and read again: the same numbers, or none, and a sentence that names the file."""
    monkeypatch.setenv("CELM_CACHE", str(tmp_path))

    def judge(make, damage, must, *, refused=False):
        path, read = make(tmp_path)
        honest = read()
        caplog.clear()
        damage(path)
        with caplog.at_level(logging.WARNING):
            try:
                found, told = read(), caplog.text
            except StoreError as error:
                found, told = None, str(error)
        if must in (HARMLESS, ABSENT):
            assert (found, told) == (honest, "")
        else:
            assert must in told
            assert path.stem.partition(".")[0] in told
            assert found == (None if refused else honest)

    return judge
