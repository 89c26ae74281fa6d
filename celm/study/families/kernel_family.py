"""The kernel family: an RBF kernel by Nyström's method, its γ and λ chosen on held-out training rows."""

from __future__ import annotations

import time

from celm.base.identity import named
from celm.models.baselines.nystroem import NystroemClassifier, check_candidates, choose_kernel
from celm.study.cells import Cell, Record, Split
from celm.study.families.family import Family, Settings, kept_settings, rounded, seconds_since, test_accuracy
from celm.study.study_config import ModelConfig, StudyConfig


def kernel_settings(study: StudyConfig) -> Settings:
    """The number of landmarks and the candidates."""
    return {**named(study.kernel), **kept_settings(study)}


def check_kernel(model: ModelConfig, settings: Settings) -> None:
    """The number of landmarks and every candidate must be in range."""
    check_candidates(settings["n_components"], settings["gamma_scales"], settings["lams"], settings["held_out"])


def choose_cell_kernel(cell: Cell, split: Split) -> Record:
    """γ and λ chosen on held-out training rows, and the held-out accuracies that decided (scales × λ)."""
    settings = cell.settings
    choice = choose_kernel(
        split.X,
        split.y,
        settings["n_components"],
        settings["gamma_scales"],
        settings["lams"],
        fraction=settings["held_out"],
        random_state=cell.role_seed("held out"),
    )
    return {
        "gamma_scale": choice.gamma_scale,
        "lam": choice.lam,
        "at_edge": choice.at_edge,
        "lam_at_edge": "lam" in choice.at_edge,
        "cv_accuracy": float(choice.accuracy.max()),
        "candidate_accuracy": choice.accuracy.tolist(),
        "selection_seconds": rounded(choice.seconds),
    }


def run_kernel(cell: Cell, split: Split) -> list[Record]:
    """One record: the kernel with the γ and λ that are kept, or chosen now."""
    choice = choose_cell_kernel(cell, split) if split.kept is None else split.kept
    model = NystroemClassifier(
        cell.settings["n_components"],
        gamma_scale=choice["gamma_scale"],
        lam=choice["lam"],
        random_state=cell.role_seed("nodes"),
    )
    started = time.perf_counter()
    fitted = model.fit(split.X, split.y)
    elapsed = seconds_since(started)
    accuracy = test_accuracy(fitted, split)
    n_landmarks = len(fitted.map_.landmarks)
    return [{"n_hidden": n_landmarks, "accuracy": accuracy, "chosen": True, "fit_seconds": elapsed, **choice}]


KERNEL = Family(1, kernel_settings, check_kernel, run_kernel, has_curve=False, choose=choose_cell_kernel)
RUNS = {"classify": {"kernel": KERNEL}}
