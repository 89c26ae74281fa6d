"""What a study can be told: plain typed dataclasses with their range checks; no Hydra in here."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from celm.base.identity import named, original, shown
from celm.base.validation import check_choice, check_flag, check_integer, check_number
from celm.models.elm.base_search import LAMBDAS
from celm.models.elm.search import ELMClassifierCV
from celm.study.data_config import DatasetConfig, FeaturesConfig, SplitConfig
from celm.study.family_config import (
    BPProtocol,
    DCNProtocol,
    ELMProtocol,
    EmbeddingProtocol,
    KernelProtocol,
    LinearSVMProtocol,
    MLELMProtocol,
    R2SVMProtocol,
)
from celm.study.library_defaults import default_of
from celm.study.limits import check_folder_name, check_limits
from celm.study.reading_config import Origin, ReadingAbout

EXECUTORS = ("local", "dask")
CHOICES = ("joint", "largest", "best_on_test", "each", "curve", "one_for_all", "surface")
PENALTIES = ("ridge", "none")
KERNELS = ("same", "any")
RESUMES = ("local", "published")
TASKS = ("classify", "embed", "describe", "sift", "time", "race", "compact", "compare", "regress")


@dataclass
class ModelAbout:
    """How a model is shown and what to expect of it; nothing here changes a number, so no key or record holds it.

    label, short: in tables, and inside a sentence (empty: its name). order: its place among the models. color, line,
    marker: of its curves. seconds: first guess for one cell on small data. smoke: family's section -> keys and their
    values in a small run.
    """

    label: str = ""
    short: str = ""
    order: int = 1000
    color: str = "#7f7f7f"
    line: str = "-"
    marker: str = ""
    seconds: float = 10.0
    smoke: dict[str, Any] = field(default_factory=dict)


@dataclass
class ModelConfig:
    """A model: its name in records, the family that runs it, and the ELM family's weight strategy.

    choose_scale: the folds choose the spread of its pre-activations too, from selection.input_scales.
    """

    name: str = original("")
    family: str = original("elm")
    strategy: str | None = original(None)
    choose_scale: bool = False
    about: ModelAbout = shown(factory=ModelAbout)

    def settings(self) -> dict[str, Any]:
        """What determines its numbers."""
        return named(self)


@dataclass
class SelectionConfig:
    """How λ and the node count are chosen; ``penalty`` "none" is the pseudo-inverse, one row per node count.

    choose: "joint" by cross-validation, "largest" node count, "best_on_test" (optimistic: it sees the test rows),
    "each" node count on its own, with its own best λ, "curve": the same from one pass, nothing timed,
    "one_for_all" rounds by their mean cross-validation, or "surface": jointly, with all that other choices would read.
    layer: "shared" by the folds or drawn "per_fold". nested: node counts share their first nodes.
    exponents: λ = 10^e for e from the first to the last.
    every_round: choose in every round, or in the first one alone and keep that for the others.
    input_scales: standard deviations of pre-activations from which models with choose_scale choose.
    """

    penalty: str = "ridge"
    choose: str = default_of(ELMClassifierCV, "choose")
    n_folds: int = default_of(ELMClassifierCV, "cv")
    exponents: list[int] = field(default_factory=lambda: [round(math.log10(lam)) for lam in (LAMBDAS[0], LAMBDAS[-1])])
    layer: str = default_of(ELMClassifierCV, "layer")
    nested: bool = default_of(ELMClassifierCV, "nested")
    every_round: bool = True
    input_scales: list[float] = field(default_factory=lambda: [0.03, 0.1, 0.3, 1.0, 3.0])

    def lams(self) -> tuple[float, ...]:
        """The grid of λ."""
        return tuple(10.0**e for e in range(self.exponents[0], self.exponents[1] + 1))

    def check(self) -> None:
        """Raise a ValueError naming the first key out of range."""
        check_choice(self.penalty, "selection.penalty", PENALTIES, "config")
        check_choice(self.choose, "selection.choose", CHOICES, "config")
        check_choice(self.layer, "selection.layer", ("shared", "per_fold"), "config")
        check_integer(self.n_folds, "selection.n_folds", "config", 2)
        check_flag(self.every_round, "selection.every_round", "config")
        for scale in self.input_scales:
            check_number(scale, "selection.input_scales", "config", 0.0, above=True)
        for exponent in self.exponents:
            check_integer(exponent, "selection.exponents", "config", -300, 300)
        if len(self.exponents) != 2 or self.exponents[0] > self.exponents[1]:
            raise ValueError(f"config: selection.exponents must be [first, last]; got {list(self.exponents)}.")


@dataclass
class GridConfig:
    """Names of data sets and models that one study expands into one plan; empty: the one dataset and model.

    rounds: model name -> its number of rounds, where that is fewer than the study's.
    without: "DATASET MODEL" -> why that model is not run on that set.
    small, few: the data sets that stand for all of them in a small run, and whether this is one.
    """

    datasets: list[str] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    rounds: dict[str, int] = field(default_factory=dict)
    without: dict[str, str] = field(default_factory=dict)
    small: list[str] = field(default_factory=list)
    few: bool = False

    def shown_datasets(self) -> list[str]:
        """The data sets of this run."""
        return self.small if self.few and self.small else self.datasets

    def rounds_of(self, model: str, rounds: int) -> int:
        """How many of the study's rounds a model runs."""
        return min(rounds, self.rounds.get(model, rounds))

    def check(self) -> None:
        """Raise a ValueError naming the first key out of range."""
        for name, members in (("datasets", self.datasets), ("models", self.models), ("small", self.small)):
            twice = [member for member in members if members.count(member) > 1]
            if twice:
                raise ValueError(f"config: grid.{name} names {twice[0]} twice.")
        for model, rounds in self.rounds.items():
            check_integer(rounds, f"grid.rounds.{model}", "config", 1)
        for pair, reason in self.without.items():
            if len(pair.split()) != 2 or not str(reason).strip():
                raise ValueError(f"config: grid.without must be DATASET MODEL: reason; got {pair}: {reason}.")


@dataclass
class ExecutorConfig:
    """Where cells run. workers: processes (null: one per core); threads: BLAS threads of each (null: all cores).

    address: the scheduler of a Dask cluster, such as tcp://host:8786 (null: executor=dask starts its own).
    kernels: "same" refuses Dask workers whose BLAS has other kernels than ours; "any" takes them, and the records of
    such a worker say so.
    """

    name: str = "local"
    workers: int | None = None
    threads: int | None = 1
    address: str | None = None
    kernels: str = "same"

    def check(self) -> None:
        """Raise a ValueError naming the first key out of range."""
        check_choice(self.name, "executor.name", EXECUTORS, "config")
        check_choice(self.kernels, "executor.kernels", KERNELS, "config")
        if self.workers is not None:
            check_integer(self.workers, "executor.workers", "config", 1)
        if self.threads is not None:
            check_integer(self.threads, "executor.threads", "config", 1)
        if self.address is not None and self.name != "dask":
            raise ValueError(f"config: executor.address belongs to executor=dask; got executor={self.name}.")
        if self.address is not None and self.workers is not None:
            raise ValueError(
                "config: executor.workers must be null with executor.address, the cluster has its own workers; "
                f"got {self.workers}."
            )


@dataclass
class StudyConfig:
    """One study: everything that determines its numbers, then how it is run.

    task: what is done with a model, "classify" the test rows, "embed" its hidden outputs in the plane, "describe" its
    hidden layer, "sift" its draws by filters, "time" its draw and its prediction, "race" it with others at equal node
    counts, "compact" it to its most useful nodes, "compare" it with others on many data sets, or "regress" numbers.
    only: models of the plan whose cells run now; those of the others wait for another run. force: run every cell again.
    strict: refuse finished cells that were made by other code.
    origins: key -> where what the experiment's own file sets comes from; those of defaults are in conf/origins.yaml.
    readings: those in force, by name; their files under conf/reading say what they are.
    """

    name: str = "study"
    title: str = ""
    task: str = "classify"
    seed: int = 2015
    rounds: int = 10
    n_hidden: Any = None
    max_counts: int | None = None
    max_nodes: int | None = None
    dataset: DatasetConfig = field(default_factory=DatasetConfig)
    split: SplitConfig = field(default_factory=SplitConfig)
    features: FeaturesConfig = field(default_factory=FeaturesConfig)
    model: ModelConfig = field(default_factory=ModelConfig)
    elm: ELMProtocol = field(default_factory=ELMProtocol)
    bp: BPProtocol = field(default_factory=BPProtocol)
    linear_svm: LinearSVMProtocol = field(default_factory=LinearSVMProtocol)
    ml_elm: MLELMProtocol = field(default_factory=MLELMProtocol)
    r2svm: R2SVMProtocol = field(default_factory=R2SVMProtocol)
    dcn: DCNProtocol = field(default_factory=DCNProtocol)
    kernel: KernelProtocol = field(default_factory=KernelProtocol)
    embedding: EmbeddingProtocol = field(default_factory=EmbeddingProtocol)
    selection: SelectionConfig = field(default_factory=SelectionConfig)
    origins: dict[str, Origin] = field(default_factory=dict)
    readings: dict[str, ReadingAbout] = field(default_factory=dict)
    grid: GridConfig = field(default_factory=GridConfig)
    executor: ExecutorConfig = field(default_factory=ExecutorConfig)
    store: str = "runs"
    published: str = "results/records"
    resume: str = "local"
    only: list[str] = field(default_factory=list)
    force: bool = False
    strict: bool = False
    dry_run: bool = False
    progress: bool = True

    def check(self) -> None:
        """Raise a ValueError naming the first key out of range; reads no data."""
        check_limits(self)
        check_folder_name(self.name, "name")
        for name in ("store", "published"):
            if not getattr(self, name).strip():
                raise ValueError(f"config: {name} must name a folder; got nothing.")
        check_choice(self.task, "task", TASKS, "config")
        check_integer(self.seed, "seed", "config", 0)
        check_integer(self.rounds, "rounds", "config", 1)
        for name in ("max_counts", "max_nodes"):
            if getattr(self, name) is not None:
                check_integer(getattr(self, name), name, "config", 1)
        check_choice(self.resume, "resume", RESUMES, "config")
        self.split.check()
        self.selection.check()
        self.grid.check()
        self.embedding.check()
        self.executor.check()
