"""The families of R²SVM and DCN: settings chosen on held-out training rows, then a record after every stage."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from celm.base.identity import named
from celm.models.baselines.dcn import DCNClassifier
from celm.models.baselines.r2svm import R2SVMClassifier
from celm.models.baselines.staged import HeldOutSearch, StagedClassifier
from celm.study.cells import Cell, Record, Split
from celm.study.families.family import Family, Settings, kept_settings, rounded, seconds_since
from celm.study.study_config import ModelConfig, StudyConfig


@dataclass(frozen=True)
class StagedSystem:
    """How a system of stages is made, chosen and run.

    make : settings -> the classifier, but for what is chosen.
    grid : its parameter that is chosen -> the setting with the candidates.
    penalty : the chosen parameter that is recorded as lam.
    units : the setting with the hidden units of a stage; None where a stage has none.
    """

    make: Callable[[Settings], StagedClassifier]
    grid: dict[str, str]
    penalty: str
    units: str | None = None

    def search(self, settings: Settings, seed: int) -> HeldOutSearch:
        """The choice on held-out training rows."""
        grid = {parameter: settings[name] for parameter, name in self.grid.items()}
        return HeldOutSearch(self.make(settings), grid, fraction=settings["held_out"], random_state=seed)

    def check(self, model: ModelConfig, settings: Settings) -> None:
        """The shape and every combination of candidates must be in range."""
        self.search(settings, 0).check_parameters()

    def choose(self, cell: Cell, split: Split) -> dict[str, Any]:
        """The best candidate, what of it lies at an edge, and the held-out accuracies that decided."""
        search = self.search(cell.settings, cell.role_seed("held out")).choose(split.X, split.y)
        best = search.candidates_.index(search.best_params_)
        return {
            "best": search.best_params_,
            "at_edge": search.at_edge_,
            "stage_accuracy": search.held_out_accuracy_[best].tolist(),
            "candidates": search.candidates_,
            "candidate_accuracy": search.held_out_accuracy_[:, -1].tolist(),
            "selection_seconds": rounded(search.selection_seconds_),
        }

    def run(self, cell: Cell, split: Split) -> list[Record]:
        """One record per stage with the settings that are kept, or chosen now; the last one answers for the cell."""
        choice = self.choose(cell, split) if split.kept is None else split.kept
        model = self.make(cell.settings).set_params(**choice["best"], random_state=cell.role_seed("nodes"))
        started = time.perf_counter()
        fitted = model.fit(split.X, split.y)
        elapsed = seconds_since(started)
        accuracies = fitted.staged_accuracy(split.X_test, split.y_test)
        records = [
            {"stage": stage, "n_hidden": self._units(cell, stage), "accuracy": float(accuracy), "chosen": False}
            for stage, accuracy in enumerate(accuracies, start=1)
        ]
        for record, held_out in zip(records, choice["stage_accuracy"], strict=True):
            record["cv_accuracy"] = held_out
        records[-1].update(self._chosen(choice), chosen=True, fit_seconds=elapsed)
        return records

    def _units(self, cell: Cell, stage: int) -> int | None:
        """The hidden units of all stages up to this one."""
        return None if self.units is None else stage * int(cell.settings[self.units])

    def _chosen(self, choice: dict[str, Any]) -> Record:
        others = {name: value for name, value in choice["best"].items() if name != self.penalty}
        return {
            **others,
            "lam": choice["best"][self.penalty],
            "lam_at_edge": self.penalty in choice["at_edge"],
            "at_edge": choice["at_edge"],
            "candidates": choice["candidates"],
            "candidate_accuracy": choice["candidate_accuracy"],
            "selection_seconds": choice["selection_seconds"],
        }


def r2svm_settings(study: StudyConfig) -> Settings:
    """The shape of R²SVM and its candidates."""
    return {**named(study.r2svm), **kept_settings(study)}


def dcn_settings(study: StudyConfig) -> Settings:
    """The shape of the network and its candidates; all its units are random."""
    settings = dcn_rbm_settings(study)
    return {name: value for name, value in settings.items() if name not in ("rbm_share", "rbm_epochs")}


def dcn_rbm_settings(study: StudyConfig) -> Settings:
    """The shape of the network, its candidates, and its share of units from an RBM."""
    return {**named(study.dcn), **kept_settings(study)}


def _r2svm(settings: Settings) -> StagedClassifier:
    return R2SVMClassifier(settings["n_layers"], weights=settings["weights"])


def _dcn(settings: Settings) -> StagedClassifier:
    return DCNClassifier(settings["n_modules"], settings["n_units"])


def _dcn_rbm(settings: Settings) -> StagedClassifier:
    return _dcn(settings).set_params(rbm_share=settings["rbm_share"], rbm_epochs=settings["rbm_epochs"])


def _family(settings: Callable[[StudyConfig], Settings], system: StagedSystem) -> Family:
    return Family(1, settings, system.check, system.run, has_curve=False, choose=system.choose)


DCN_GRID = {"input_scale": "input_scales", "lam": "lams"}

R2SVM = _family(r2svm_settings, StagedSystem(_r2svm, {"beta": "betas", "C": "Cs"}, "C"))
DCN = _family(dcn_settings, StagedSystem(_dcn, DCN_GRID, "lam", "n_units"))
DCN_RBM = _family(dcn_rbm_settings, StagedSystem(_dcn_rbm, DCN_GRID, "lam", "n_units"))
RUNS = {"classify": {"r2svm": R2SVM, "dcn": DCN, "dcn_rbm": DCN_RBM}}
