"""The ELM family: curves without a penalty, the joint choice of node count and λ, or every count with its own λ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from celm.base.identity import filled, named
from celm.base.validation import check_choice
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.machine import BaseELM
from celm.models.elm.node_curves import CurveRow, one_pass_rows, pseudo_inverse_rows, ridge_curve_rows, ridge_surface
from celm.models.elm.options import WeightOptions
from celm.models.elm.search import ELMClassifierCV
from celm.models.elm.weights import check_strategy
from celm.study.cells import Cell, Record, Split
from celm.study.families.elm_surfaces import surface_record
from celm.study.families.family import (
    Family,
    Settings,
    fold_settings,
    lams,
    rounded,
    test_accuracy,
)
from celm.study.study_config import ModelConfig, StudyConfig

Machine = TypeVar("Machine", bound=BaseELM)

# How a readout may be chosen where the scale is chosen with it.
SCALE_CHOICES = ("joint", "largest", "each")


def elm_settings(study: StudyConfig) -> Settings:
    """The readings of the ELM family and how its readout is chosen."""
    settings = {**named(study.elm), "penalty": study.selection.penalty, "nested": study.selection.nested}
    if study.selection.penalty == "none":
        return settings
    chosen = {"choose": study.selection.choose, "layer": study.selection.layer}
    return {**settings, **chosen, **fold_settings(study)}


def check_elm(model: ModelConfig, settings: Settings) -> None:
    """The strategy must exist and its readings be in range."""
    check_strategy(model.strategy, "model.strategy", "config")
    if "every_round" in settings:
        check_choice(settings["choose"], "selection.choose with selection.every_round=false", ["each"], "config")
    make_elm(model, settings).check_parameters()
    _check_scales(settings)
    if settings.get("choose") == "curve" and settings["layer"] != "shared":
        raise ValueError(
            "config: selection.choose=curve makes one pass that all folds share, so selection.layer must be shared; "
            f"got {settings['layer']!r}."
        )


def _check_scales(settings: Settings) -> None:
    """A scale is chosen by folds, together with λ."""
    if "input_scales" not in settings:
        return
    ELMClassifierCV(input_scales=settings["input_scales"]).check_parameters()
    choose = settings.get("choose", "penalty=none")
    if choose not in SCALE_CHOICES:
        raise ValueError(
            f"config: elm.input_scales needs selection.choose to be one of {', '.join(SCALE_CHOICES)}; got {choose}."
        )


def make_elm(model: ModelConfig, settings: Settings) -> ELMClassifier:
    """The classifier of a model under the readings of a cell."""
    return machine_of(ELMClassifier, str(model.strategy), settings)


def machine_of(kind: Callable[..., Machine], strategy: str, settings: Settings) -> Machine:
    """An ELM of some kind under the readings of a cell, its precision among them: no digit hangs on the processor."""
    names = kind().get_params()
    parameters = {name: value for name, value in settings.items() if name in names}
    return kind(strategy=strategy, options=filled(WeightOptions, settings), **parameters)


def _curve_record(row: CurveRow, n_test: int) -> Record:
    return {"n_hidden": row.n_hidden, "lam": row.lam, "accuracy": row.correct / n_test, "rank": row.rank}


def _elm_cv(cell: Cell, split: Split, counts: Sequence[int], choose: str) -> ELMClassifierCV:
    return ELMClassifierCV(
        make_elm(cell.model, cell.settings),
        n_hidden_grid=counts,
        lams=lams(cell.settings),
        cv=split.folds,
        choose=choose,
        layer=cell.settings["layer"],
        nested=cell.settings["nested"],
        input_scales=cell.settings.get("input_scales"),
        random_state=cell.role_seed("nodes"),
    )


def run_elm(cell: Cell, split: Split) -> list[Record]:
    """One record per node count."""
    if cell.settings["penalty"] == "none":
        return _run_curve(cell, split)
    runs = {"each": _run_each, "curve": _run_one_pass, "one_for_all": _run_surface, "surface": _run_whole_surface}
    return runs.get(cell.settings["choose"], _run_choice)(cell, split)


def _run_curve(cell: Cell, split: Split) -> list[Record]:
    """Without a penalty: accuracy and rank of every node count."""
    rows = pseudo_inverse_rows(
        make_elm(cell.model, cell.settings),
        cell.n_hidden,
        *split[:4],
        nested=cell.settings["nested"],
        seed=cell.role_seed("nodes"),
    )
    return [_curve_record(row, len(split.y_test)) for row in rows]


def _run_each(cell: Cell, split: Split) -> list[Record]:
    """Every node count with a λ of its own, a timed choice and a timed fit."""
    records = []
    for L, choice in zip(cell.n_hidden, choose_each(cell, split) if split.kept is None else split.kept, strict=True):
        search = _elm_cv(cell, split, [L], "joint")
        fitted = search.fit_candidate(split.X, split.y, L, choice["lam"], choice.get("input_scale"))
        records.append(
            {
                "n_hidden": L,
                **choice,
                "accuracy": test_accuracy(fitted, split),
                "chosen": True,
                "solver": fitted.best_estimator_.solver_,
                "fit_seconds": rounded(fitted.fit_seconds_),
            }
        )
    return records


def choose_each(cell: Cell, split: Split) -> list[Record]:
    """λ of every node count by cross-validation."""
    chosen = [_elm_cv(cell, split, [L], "joint").choose_candidate(split.X, split.y) for L in cell.n_hidden]
    return [
        {
            "lam": choice.lam_,
            "cv_accuracy": choice.cv_accuracy_,
            "lam_at_edge": choice.lam_at_edge_,
            "selection_seconds": rounded(choice.selection_seconds_),
            **_chosen_scale(cell, choice),
        }
        for choice in chosen
    ]


def _chosen_scale(cell: Cell, choice: ELMClassifierCV) -> Record:
    return {"input_scale": choice.input_scale_} if "input_scales" in cell.settings else {}


def _run_one_pass(cell: Cell, split: Split) -> list[Record]:
    """Every node count with its own best λ, all from one pass; nothing is timed."""
    grid = lams(cell.settings)
    rows = one_pass_rows(
        make_elm(cell.model, cell.settings),
        cell.n_hidden,
        grid,
        split.folds,
        *split[:4],
        nested=cell.settings["nested"],
        seed=cell.role_seed("nodes"),
    )
    return [
        {
            "n_hidden": row.n_hidden,
            "lam": row.lam,
            "accuracy": row.correct / len(split.y_test),
            "cv_accuracy": row.held_out_correct / len(split.y),
            "lam_at_edge": row.lam in (grid[0], grid[-1]),
        }
        for row in rows
    ]


def _run_surface(cell: Cell, split: Split) -> list[Record]:
    """Every node count with its held-out and test rows classified correctly for each λ: nothing is chosen yet.

    One choice for all rounds needs all of them: :mod:`celm.analysis.one_choice` makes it when they are read together.
    """
    fitted = _elm_cv(cell, split, cell.n_hidden, "joint").choose_candidate(split.X, split.y)
    tested = ridge_surface(fitted, *split[:4])
    best = fitted.surface_.argmax(axis=1)
    return [
        {
            "n_hidden": L,
            "accuracy": int(hits[j]) / len(split.y_test),
            "cv_correct": held_out.tolist(),
            "test_correct": hits.tolist(),
            "selection_seconds": rounded(fitted.selection_seconds_),
        }
        for L, j, held_out, hits in zip(cell.n_hidden, best, fitted.surface_, tested, strict=True)
    ]


def _run_whole_surface(cell: Cell, split: Split) -> list[Record]:
    """One record that serves every selection, see :mod:`celm.study.families.elm_surfaces`."""
    search = _elm_cv(cell, split, cell.n_hidden, "joint")
    return [surface_record(cell, split, make_elm(cell.model, cell.settings), search)]


def _run_choice(cell: Cell, split: Split) -> list[Record]:
    """Every node count with its best λ; the chosen one carries the times of the choice and of its fit."""
    choose = cell.settings["choose"]
    fitted = _elm_cv(cell, split, cell.n_hidden, "largest" if choose == "largest" else "joint")
    fitted.choose_candidate(split.X, split.y)
    records = [_curve_record(row, len(split.y_test)) for row in ridge_curve_rows(fitted, *split[:4])]
    for record, choice in zip(records, fitted.lambdas_by_count_, strict=True):
        record["cv_accuracy"] = choice.correct / len(split.y)
        record["lam_at_edge"] = choice.lam in (fitted.lams[0], fitted.lams[-1])
        record["chosen"] = False
    best_on_test = max(records, key=lambda record: record["accuracy"])["n_hidden"]
    winner = best_on_test if choose == "best_on_test" else fitted.n_hidden_
    chosen = next(record for record in records if record["n_hidden"] == winner)
    fitted.fit_candidate(split.X, split.y, winner, chosen["lam"], fitted.input_scale_)
    chosen.update(_chosen_scale(cell, fitted), chosen=True)
    chosen.update(fit_seconds=rounded(fitted.fit_seconds_), selection_seconds=rounded(fitted.selection_seconds_))
    return records


ELM = Family(1, elm_settings, check_elm, run_elm, has_curve=True, choose=choose_each)
RUNS = {"classify": {"elm": ELM}}
