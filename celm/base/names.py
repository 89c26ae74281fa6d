"""What models and data sets are called, and the order in which tables and figures show them.

The library knows no names by itself: whoever has entries (the harness reads them from conf/model and conf/dataset)
tells them here, in their order. A name that nobody told is its own label and stands after the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

# The paper's constrained ELMs, and all its single-layer ELMs in the order of its tables. A list of models elsewhere is
# made of these two.
CELMS = ("cdelm", "cselm", "selm", "rselm", "cmelm")
ELMS = ("elm", "normalized_elm", "orthogonal_elm", *CELMS)


class ModelName(NamedTuple):
    """A model's name in tables and its abbreviation inside a sentence."""

    label: str
    short: str


# Names in the order in which they are shown.
MODELS: dict[str, ModelName] = {}
DATASETS: dict[str, str] = {}


def tell_models(entries: Mapping[str, ModelName]) -> None:
    """Make the models of ``entries``, in their order, all that are known."""
    MODELS.clear()
    MODELS.update(entries)


def tell_datasets(labels: Mapping[str, str]) -> None:
    """Make the data sets of ``labels``, in their order, all that are known."""
    DATASETS.clear()
    DATASETS.update(labels)


def model_label(name: str) -> str:
    """A model's name in tables, or the name itself."""
    return MODELS[name].label if name in MODELS else name


def short_label(name: str) -> str:
    """A model's name inside a sentence: its abbreviation in the paper."""
    return MODELS[name].short if name in MODELS else name


def dataset_label(name: str) -> str:
    """A data set's name in tables, or the name itself."""
    return DATASETS.get(name, name)


def setting_label(dataset: str, settings: Mapping[str, Any]) -> str:
    """A data set under the settings of a sweep: ``Spiral, turns 2.25, noise 0.05``; missing ones are left out."""
    words = [dataset_label(dataset)]
    for column, value in settings.items():
        if value is not None and value == value:
            text = f"{value:g}" if isinstance(value, float) else str(value)
            words.append(f"{column.removeprefix('dataset_').replace('_', ' ')} {text}")
    return ", ".join(words)


def in_order(names: Iterable[str], order: Iterable[str]) -> list[str]:
    """``names`` as they stand in ``order``, unknown ones after them by letters."""
    places = {name: place for place, name in enumerate(order)}
    return sorted(names, key=lambda name: (places.get(name, len(places)), name))
