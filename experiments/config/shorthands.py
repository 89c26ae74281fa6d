"""Shorthands of the files under conf/: lists of node counts, of models and of data sets; known once this is imported.

``${nodes:first,last,step}`` is a list of node counts, ``${models:elm,celms}`` one of models: names and the groups
of :data:`GROUPS_OF_MODELS`. ``${suite:classification}`` and ``${suite:classification,image}`` are the data sets of a
task, and those of a kind, in celm/datasets/suite.csv.
"""

from __future__ import annotations

from omegaconf import OmegaConf

from celm.base.factors import FACTORIAL
from celm.base.names import CELMS, ELMS
from celm.base.validation import check_integer
from celm.datasets import suite_names

MAX_NODES = 100_000

# What ``${models:…}`` can name beside single models.
DIRECTIONS_ALONE = tuple(name for name in FACTORIAL if name.split("/")[1] == "none")
GROUPS_OF_MODELS = {"elms": ELMS, "celms": CELMS, "factorial": FACTORIAL, "directions": DIRECTIONS_ALONE}


def _nodes(first: int, last: int, step: int) -> list[int]:
    for value, name in ((first, "first"), (last, "last"), (step, "step")):
        check_integer(value, name, "${nodes:first,last,step}", 1, MAX_NODES)
    return list(range(first, last + 1, step))


def _models(*names: str) -> list[str]:
    return [model for name in names for model in GROUPS_OF_MODELS.get(name, (name,))]


def _suite(task: str, kind: str | None = None) -> list[str]:
    return list(suite_names(task, kind=kind))


OmegaConf.register_new_resolver("nodes", _nodes, replace=True)
OmegaConf.register_new_resolver("models", _models, replace=True)
OmegaConf.register_new_resolver("suite", _suite, replace=True)
