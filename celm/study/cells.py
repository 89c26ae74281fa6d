"""A cell: the unit that runs, fails, is stored and is resumed; and the rows it sees."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from celm.base.files import cell_key
from celm.base.seeds import seed_of
from celm.datasets import official_split, seed_role
from celm.study.data_config import DatasetConfig, FeaturesConfig, SplitConfig
from celm.study.study_config import ModelConfig

Record = dict[str, Any]


@dataclass(frozen=True)
class Cell:
    """dataset × features × model × round: holds the records of all its node counts."""

    experiment: str
    dataset: DatasetConfig
    dataset_name: str
    data_digest: str
    features: FeaturesConfig
    model: ModelConfig
    settings: dict[str, Any]
    algorithm: int
    n_hidden: tuple[int, ...]
    round: int
    seed: int
    split: SplitConfig
    task: str = "classify"
    key: str = field(init=False, default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", cell_key(self.identity()))

    def identity(self) -> dict[str, Any]:
        """What determines this cell's numbers; a cell that classifies does not name its task."""
        return {
            **({} if self.task == "classify" else {"task": self.task}),
            "algorithm": self.algorithm,
            "data": self.data_digest,
            "dataset": self.dataset_name,
            "split": self.split.settings(),
            "features": self.features.settings(),
            "model": self.model.settings(),
            "settings": self.settings,
            "n_hidden": list(self.n_hidden),
            "seed": self.seed,
            "round": self.round,
        }

    @property
    def label(self) -> str:
        """What a person calls this cell."""
        return f"{self.dataset_name} {self.model.name} round {self.round}"

    @property
    def data_role(self) -> str:
        """What seeds know the data by: its name; a user's own file is known by its content, whatever it is called."""
        return seed_role(self.dataset.name, self.dataset_name, self.data_digest)

    def role_seed(self, role: str) -> int:
        """The seed of one role in this cell's round: the same for every model."""
        return seed_of(self.seed, self.data_role, self.round, role)

    def shared(self) -> Record:
        """What all records of the cell have in common."""
        return {
            "dataset": self.dataset_name,
            **{f"dataset_{name}": value for name, value in self.dataset.params().items()},
            "data_digest": self.data_digest,
            "official_split": official_split(self.dataset_name),
            "features": self.features.name,
            "fit_on": self.features.fit_on,
            **{f"features_{name}": value for name, value in self.features.params().items()},
            **self.split.settings(),
            "model": self.model.name,
            "round": self.round,
            "seed": self.seed,
            **self.settings,
        }


class Split(NamedTuple):
    """Training and test rows of one round as a model sees them, and the fold of every training row.

    kept: what the model's family chose in the first round, where a study keeps that for all rounds.
    """

    X: npt.NDArray[np.float64]
    y: npt.NDArray[Any]
    X_test: npt.NDArray[np.float64]
    y_test: npt.NDArray[Any]
    folds: npt.NDArray[np.intp]
    kept: Any = None
