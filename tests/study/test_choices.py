"""A choice is made once per key, survives the process, and is made anew when its file cannot be believed."""

import json
import logging

import pytest

from celm.datasets.cache import cache_folder
from celm.study.choices import forget, remembered


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


def test_a_choice_of_another_key_or_of_the_first_format_is_set_aside(caplog):
    calls = []
    remembered("a", lambda: made(calls, [{"lam": 1.0}]))
    folder = cache_folder() / "choices"
    (folder / "b.json").write_bytes((folder / "a.json").read_bytes())
    (folder / "c.json").write_text(json.dumps([]))
    assert remembered("b", lambda: made(calls, [{"lam": 2.0}])) == [{"lam": 2.0}]
    assert remembered("c", lambda: made(calls, [{"lam": 3.0}])) == [{"lam": 3.0}]
    assert "it is the choice of a" in caplog.text
    assert "it does not carry its key" in caplog.text
    assert sorted(path.name for path in folder.iterdir()) == [
        *("a.json", "b.json", "b.json.aside", "c.json", "c.json.aside")
    ]


def test_there_is_a_choice_for_every_node_count(caplog):
    calls = []
    remembered("a", lambda: made(calls, []))
    assert remembered("a", lambda: made(calls, [{"lam": 1.0}]), n_choices=1) == [{"lam": 1.0}]
    assert "it must hold 1 choices" in caplog.text
    assert calls == [[], [{"lam": 1.0}]]


def test_what_is_forgotten_is_chosen_again():
    calls = []
    remembered("a", lambda: made(calls, 1))
    remembered("b", lambda: made(calls, 2))
    forget(["a", "never there"])
    assert [remembered(key, lambda: made(calls, 3)) for key in "ab"] == [3, 2]


def test_a_choice_that_fails_leaves_nothing_behind():
    with pytest.raises(ValueError, match="no"):
        remembered("a", lambda: (_ for _ in ()).throw(ValueError("no")))
    assert not (cache_folder() / "choices").exists()
