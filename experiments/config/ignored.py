"""What a command line says to no effect is refused: what the grid replaces, and what is said of nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from hydra.core.override_parser.types import Override

from celm.base.validation import nearest
from experiments.config.command_line import MULTIRUN, PACKAGE, given_flags, shows
from experiments.config.entries import options

# What of Hydra's own settings a sweep alone looks at.
OF_SWEEPS = ("hydra/launcher", "hydra.launcher", "hydra/sweeper", "hydra.sweeper")


def unused_words(arguments: Sequence[str], overrides: Iterable[Override]) -> Iterator[str]:
    """What Hydra would take without a word and not look at: a launcher of one run, a package of nothing shown."""
    flags = given_flags(arguments)
    if flags & PACKAGE and not shows(arguments):
        yield "--package says what part of the configuration is shown: add --cfg job."
    if flags & MULTIRUN or shows(arguments):
        return
    for override in overrides:
        if str(override.key_or_group).startswith(OF_SWEEPS):
            yield f"{override.input_line}: it is of sweeps, one run would not look at it: add -m."


def refuse_ignored(given: Mapping[str, Override], axis: str, has_grid: bool) -> None:
    """What a command line says twice, or of a data set or model that the grid replaces, has no effect: say so."""
    if axis in given:
        if f"grid.{axis}s" in given:
            raise ValueError(
                f"config: {axis}={given[axis].value()} and grid.{axis}s both name what is run: give one of them."
            )
        return
    dotted = [key for key in given if key.startswith(f"{axis}.")]
    if dotted and has_grid:
        raise ValueError(
            f"config: {given[dotted[0]].input_line} has no effect, this experiment has its own grid of {axis}s. "
            f"Name one with {axis}=NAME, or set grid.{axis}s=[NAME,…]."
        )


def check_rounds(models: Iterable[str]) -> None:
    """Raise a ValueError where grid.rounds names a model that there is not: its rounds would be those of all."""
    for name in models:
        if name not in options("model"):
            known = options("model")
            raise ValueError(f"config: grid.rounds names {name!r}, which is no model.{nearest(name, known)}")
