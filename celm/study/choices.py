"""Choices made once and kept: a file per choice in the cache folder, with its key, its shape and a digest."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from celm.base.files import content_digest, put_aside, read_json, write_whole
from celm.datasets.cache import cache_folder

log = logging.getLogger(__name__)


def _path(key: str) -> Path:
    return cache_folder() / "choices" / f"{key}.json"


def choice_shape(choice: Any) -> Any:
    """How many choices there are and what each names; values are left out."""
    if isinstance(choice, list):
        return [choice_shape(one) for one in choice]
    return sorted(choice) if isinstance(choice, dict) else type(choice).__name__


def remembered(key: str, make: Callable[[], Any], n_choices: int | None = None) -> Any:
    """``make()``, plain values, or what it gave when ``key`` was last asked for on this machine.

    A sweep that is killed finds its choices again. A file that is not what its digest says, that is the choice of
    another key, or that does not hold ``n_choices`` of them is set aside with a warning, and the choice is made anew.
    """
    path = _path(key)
    try:
        return _believed(path, key, n_choices)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        log.warning("the choice in %s was %s (%s): choosing again", path, put_aside(path), error)
    choice = make()
    content = {"key": key, "shape": choice_shape(choice), "choice": choice}
    try:
        write_whole(path, json.dumps({**content, "digest": content_digest(content)}, indent=1) + "\n")
    except OSError as error:
        log.warning("a choice is not kept, the cache folder cannot be written (%s): going on without it", error)
    return choice


def _believed(path: Path, key: str, n_choices: int | None) -> Any:
    """The choice in a file; a ValueError says why it cannot be believed."""
    content = read_json(path)
    if not isinstance(content, dict) or content.keys() != {"key", "shape", "choice", "digest"}:
        raise ValueError("it does not carry its key, its shape and a digest")
    if content_digest({name: value for name, value in content.items() if name != "digest"}) != content["digest"]:
        raise ValueError("its content is not what its digest says")
    choice = content["choice"]
    if content["key"] != key:
        raise ValueError(f"it is the choice of {content['key']}")
    if choice_shape(choice) != content["shape"]:
        raise ValueError("its choice is not of the shape it names")
    json.dumps(choice, allow_nan=False)  # NaN and ∞ choose nothing: a ValueError says so
    if n_choices is not None and (not isinstance(choice, list) or len(choice) != n_choices):
        raise ValueError(f"it must hold {n_choices} choices, one per node count")
    return choice


def forget(keys: Iterable[str]) -> None:
    """Drop what is remembered for these keys: a forced run makes its choices itself."""
    for key in keys:
        with suppress(OSError):
            _path(key).unlink(missing_ok=True)
