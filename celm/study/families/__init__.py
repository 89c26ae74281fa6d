"""How each family of models runs a cell: its settings, their check, and the records it makes.

A file ``*_family.py`` of this folder that holds ``RUNS`` (task -> name of the family -> how it does that task) is all
there is to add; a family with ``options`` of its own has a section of its name in every study.
"""

from __future__ import annotations

from dataclasses import field, make_dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from celm.study.families.family import Family
from celm.study.study_config import StudyConfig


def _found() -> dict[str, dict[str, Family]]:
    """Task -> family of models -> how it does that task, from all files of this folder."""
    families: dict[str, dict[str, Family]] = {}
    for entry in iter_modules(__path__, f"{__name__}."):
        if not entry.name.endswith("_family"):
            continue
        for task, mine in import_module(entry.name).RUNS.items():
            known = families.setdefault(task, {})
            if twice := sorted(known.keys() & mine.keys()):
                raise ValueError(
                    f"families: {twice[0]!r} of {entry.name} is there already for {task}; names must differ."
                )
            known.update(mine)
    return families


FAMILIES = _found()


@cache
def study_schema() -> type[StudyConfig]:
    """All that a study can be told: :class:`StudyConfig`, and a section for every family with options of its own."""
    own: dict[str, Any] = {
        name: family.options
        for mine in FAMILIES.values()
        for name, family in mine.items()
        if family.options is not None
    }
    if not own:
        return StudyConfig
    sections = [(name, options, field(default_factory=options)) for name, options in own.items()]
    return make_dataclass(StudyConfig.__name__, sections, bases=(StudyConfig,))


__all__ = ["FAMILIES", "Family", "study_schema"]
