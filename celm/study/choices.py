"""Choices made once and kept: a small file per choice in the cache folder, named by what it depends on."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

from celm.base.files import write_whole
from celm.datasets.cache import cache_folder

log = logging.getLogger(__name__)


def remembered(key: str, make: Callable[[], Any]) -> Any:
    """``make()``, plain values, or what it gave when ``key`` was last asked for on this machine.

    A sweep that is killed finds its choices again. A file that cannot be read is made anew, with a warning.
    """
    path = cache_folder() / "choices" / f"{key}.json"
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        log.warning("the choice in %s cannot be read (%s): choosing again", path, error)
    choice = make()
    write_whole(path, json.dumps(choice))
    return choice
