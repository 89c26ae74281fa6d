"""What a study says of its data: the set, its split, what is done to the inputs; plain typed dataclasses."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import MISSING, dataclass, field, fields, make_dataclass
from typing import Any, get_type_hints

from celm.base.identity import named, original, shown
from celm.base.validation import check_choice, check_integer, check_number
from celm.datasets.entry import Entry
from celm.datasets.params import NoParams, is_required
from celm.datasets.registry import REGISTRY
from celm.features.coates_ng import CoatesNgFeatures
from celm.study.library_defaults import default_of


def _beyond(config: Any, base: type) -> dict[str, Any]:
    """The values of a config that its base does not have."""
    common = {entry.name for entry in fields(base)}
    return {entry.name: getattr(config, entry.name) for entry in fields(config) if entry.name not in common}


@dataclass
class DatasetAbout:
    """How a data set is shown: its label in tables (empty: its name) and its place among the data sets."""

    label: str = ""
    order: int = 1000


@dataclass
class DatasetConfig:
    """A data set: where it comes from, its node counts in the paper, and how its rows are split."""

    name: str = ""
    sources: list[str] = field(default_factory=list)
    source: str | None = None
    n_hidden: Any = None
    about: DatasetAbout = shown(factory=DatasetAbout)

    def params(self) -> dict[str, Any]:
        """What the loader of this kind of data is told: all that its config has beyond this one."""
        return _beyond(self, DatasetConfig)


def _schema(entry: Entry) -> type[DatasetConfig]:
    """The config of data with parameters: those of its own dataclass, which checks them when data are asked for."""
    hints = get_type_hints(entry.params)
    own: list[tuple[str, Any, Any]] = []
    for parameter in fields(entry.params):
        empty = parameter.default if not is_required(parameter) else hints[parameter.name]()
        made = field(default_factory=list) if parameter.default_factory is not MISSING else field(default=empty)
        own.append((parameter.name, hints[parameter.name], made))
    config = make_dataclass(f"{entry.params.__name__.removesuffix('Params')}Config", own, bases=(DatasetConfig,))
    config.__doc__ = f"See :class:`{entry.params.__module__}.{entry.params.__name__}`."
    config.__module__ = __name__
    return config


#: Data set -> its config, for those that have parameters.
SCHEMAS = {name: _schema(entry) for name, entry in REGISTRY.items() if entry.params is not NoParams}
# Worker processes find the class of a config they are sent by its name in this module.
globals().update({schema.__name__: schema for schema in SCHEMAS.values()})


@dataclass
class SplitConfig:
    """Which rows train and test, where the data set has no official split; subsets keep the first rows drawn.

    group_duplicates: rows with equal inputs stay on one side of a split, and in one fold.
    redraw: a generated data set is made afresh in every round, from a seed of that round.
    label_noise, input_noise: the share of training rows with a wrong label or blurred inputs (celm.datasets.noise).
    """

    train_share: float = original(2 / 3)
    stratify: bool = original(False)
    subset: int | None = original(None)
    subset_test: int | None = original(None)
    label_noise: float = 0.0
    input_noise: float = 0.0
    group_duplicates: bool = False
    redraw: bool = False

    def settings(self) -> dict[str, Any]:
        """What determines the rows."""
        return named(self)

    def check(self) -> None:
        """Raise a ValueError naming the first key out of range."""
        check_number(self.train_share, "split.train_share", "config", 0.05, 0.95)
        for name in ("subset", "subset_test"):
            if getattr(self, name) is not None:
                check_integer(getattr(self, name), f"split.{name}", "config", 1)
        for name in ("label_noise", "input_noise"):
            check_number(getattr(self, name), f"split.{name}", "config", 0.0, 1.0)


@dataclass
class FeaturesConfig:
    """What is done to the inputs; ``fit_on`` "all" is the reading that scales before splitting."""

    name: str = original("per_feature")
    fit_on: str = original("train")

    def params(self) -> dict[str, Any]:
        """What else determines these inputs: all that their identity names beyond that of plain features."""
        return {name: value for name, value in self.settings().items() if name not in named(FeaturesConfig())}

    def settings(self) -> dict[str, Any]:
        """What determines the inputs."""
        return named(self)

    def check(self, names: Collection[str]) -> None:
        """Raise a ValueError naming the first key out of range."""
        check_choice(self.name, "features.name", names, "config")
        check_choice(self.fit_on, "features.fit_on", ("train", "all"), "config")


@dataclass
class CoatesNgConfig(FeaturesConfig):
    """Image features, see :class:`celm.features.coates_ng.CoatesNgFeatures`, then (x − mean)/√(var + standard_offset).

    patches_per_image: what whitening and dictionary are learned from; 8 of 50,000 images are 400,000 patches.
    draw: which draw of patches and first atoms; the same in all rounds.
    scaling: a scaling of plain vectors (see :mod:`celm.features.scaling`) in the place of the last step.
    """

    name: str = original("coates_ng")
    n_atoms: int = original(default_of(CoatesNgFeatures, "n_atoms"))
    patch_size: int = original(default_of(CoatesNgFeatures, "patch_size"))
    stride: int = original(default_of(CoatesNgFeatures, "stride"))
    grid: int = original(default_of(CoatesNgFeatures, "grid"))
    pooling: str = original(default_of(CoatesNgFeatures, "pooling"))
    alpha: float = original(default_of(CoatesNgFeatures, "alpha"))
    two_sided: bool = original(default_of(CoatesNgFeatures, "two_sided"))
    contrast_offset: float = original(default_of(CoatesNgFeatures, "contrast_offset"))
    whitening_offset: float = original(default_of(CoatesNgFeatures, "whitening_offset"))
    normalisation: str = original(default_of(CoatesNgFeatures, "normalisation"))
    n_iterations: int = original(default_of(CoatesNgFeatures, "n_iterations"))
    patches_per_image: int = original(8)
    standard_offset: float = original(0.01)
    draw: int = original(0)
    scaling: str | None = None

    def encoding(self) -> dict[str, Any]:
        """The settings of the encoder itself."""
        ours = ("patches_per_image", "standard_offset", "draw", "scaling")
        return {name: value for name, value in self.params().items() if name not in ours}

    def check(self, names: Collection[str]) -> None:
        """Raise a ValueError naming the first key out of range."""
        super().check(names)
        check_choice(self.fit_on, "features.fit_on with features=coates_ng", ("train",), "config")
        check_integer(self.patches_per_image, "features.patches_per_image", "config", 1)
        check_number(self.standard_offset, "features.standard_offset", "config", 0)
        check_integer(self.draw, "features.draw", "config", 0)
        if self.scaling is not None:
            check_choice(self.scaling, "features.scaling", [name for name in names if name != self.name], "config")
