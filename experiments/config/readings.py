"""Readings and protocols: what their files under conf/ say, which of them go together, whom they touch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from typing import Any

from hydra.core.override_parser.overrides_parser import OverridesParser
from omegaconf import OmegaConf

from celm.base.names import MODELS, in_order
from celm.base.validation import check_choice
from celm.study.reading_config import ReadingAbout
from celm.study.study_config import StudyConfig
from experiments.config.entries import conf_file, options

# Groups that need not be chosen: choosing none of them is the same as not naming them.
NOTHING = ("experiment=null", "sweep=null", "protocol=null", "reading=null", "reading=[]")


@cache
def reading_about(name: str) -> ReadingAbout:
    """What conf/reading/NAME.yaml says of itself."""
    about: Any = conf_file("reading", name).get("readings", {}).get(name)
    if about is None:
        raise ValueError(f"config: conf/reading/{name}.yaml must say what it is under readings.{name}.")
    found: ReadingAbout = OmegaConf.to_object(  # type: ignore[assignment]
        OmegaConf.merge(OmegaConf.structured(ReadingAbout), about)
    )
    found.check(name)
    return found


def readings_of(table: str) -> tuple[str, ...]:
    """The readings that touch a table or figure, nearest to the paper's text first."""
    touches = {name: reading_about(name).touches for name in options("reading")}
    return tuple(sorted((name for name in touches if table in touches[name]), key=lambda name: touches[name][table]))


def protocol_readings(name: str) -> list[str]:
    """The readings that conf/protocol/NAME.yaml combines."""
    return [str(reading) for reading in conf_file("protocol", name).readings]


def _settings(name: str) -> dict[str, str]:
    """Dotted key -> value of all that a reading's file sets, what it chooses from groups included."""
    node: Any = OmegaConf.to_container(conf_file("reading", name))
    found: dict[str, str] = {}

    def walk(tree: dict[str, Any], prefix: str) -> None:
        for key, value in tree.items():
            if isinstance(value, dict):
                walk(value, f"{prefix}{key}.")
            else:
                found[prefix + key] = str(value)

    walk({key: value for key, value in node.items() if key not in ("defaults", "readings")}, "")
    for choice in node.get("defaults", []):
        if isinstance(choice, dict):
            found.update({key.removeprefix("override /"): str(value) for key, value in choice.items()})
    return found


def check_together(names: Sequence[str]) -> None:
    """Raise a ValueError where two of these readings set the same key to different values."""
    for name in names:
        check_choice(name, "reading", options("reading"), "config")
    for one, other in combinations(names, 2):
        first, second = _settings(one), _settings(other)
        for key in first.keys() & second.keys():
            if first[key] != second[key]:
                raise ValueError(
                    f"config: the readings {one} and {other} do not go together: {key} is {first[key]} in the first "
                    f"and {second[key]} in the second."
                )


def with_protocols(arguments: Iterable[str]) -> list[str]:
    """A command line with ``protocol=NAME`` written as the readings it combines, beside those that are given."""
    arguments = [argument for argument in arguments if argument not in NOTHING]
    protocols = [argument for argument in arguments if argument.startswith("protocol=")]
    if not protocols:
        return arguments
    given = [argument for argument in arguments if argument.startswith("reading=")]
    choices = [_choices(argument) for argument in protocols + given]
    named = [[protocol_readings(name) for name in names] for names in choices[: len(protocols)]]
    beside = [name for names in choices[len(protocols) :] for name in names]
    lists = [sorted({*readings, *beside}) for readings in named[-1]]
    others = [argument for argument in arguments if argument not in protocols + given]
    return [*others, "reading=" + ",".join(f"[{','.join(readings)}]" for readings in lists)]


def _choices(argument: str) -> list[str]:
    """The names after a group's ``=``, of a list or of a sweep."""
    override = OverridesParser.create().parse_override(argument)
    if override.is_sweep_override():
        return list(override.sweep_string_iterator())
    value = override.value()
    return [str(one) for one in value] if isinstance(value, list) else [] if value is None else [str(value)]


def touched(study: StudyConfig) -> tuple[list[str], list[str]]:
    """Data sets and models that the readings of a study change: of the grid, unless a reading names fewer or others."""
    abouts = study.readings.values()
    models = {name for about in abouts for name in about.models or study.grid.models}
    datasets = {name for about in abouts for name in about.datasets or study.grid.datasets}
    return in_order(datasets, study.grid.datasets), in_order(models, MODELS)
