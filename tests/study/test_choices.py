"""A choice is made once per key, survives the process, and is made anew when its file is spoilt."""

import logging

import pytest

from celm.datasets.cache import cache_folder
from celm.study.choices import remembered


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CELM_CACHE", str(tmp_path))


def made(calls, value):
    calls.append(value)
    return value


def test_a_choice_is_made_once_per_key():
    calls = []
    assert [remembered("a", lambda: made(calls, [{"lam": 10.0}])) for _ in range(2)] == [[{"lam": 10.0}]] * 2
    assert remembered("b", lambda: made(calls, 3)) == 3
    assert calls == [[{"lam": 10.0}], 3]


def test_a_spoilt_file_is_made_anew_and_said(caplog):
    calls = []
    remembered("a", lambda: made(calls, 1))
    (cache_folder() / "choices" / "a.json").write_text("{")
    with caplog.at_level(logging.WARNING):
        assert remembered("a", lambda: made(calls, 2)) == 2
    assert "choosing again" in caplog.text
    assert remembered("a", lambda: made(calls, 3)) == 2


def test_a_choice_that_fails_leaves_nothing_behind():
    with pytest.raises(ValueError, match="no"):
        remembered("a", lambda: (_ for _ in ()).throw(ValueError("no")))
    assert not (cache_folder() / "choices").exists()
