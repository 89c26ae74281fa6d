"""Feeds drawn inputs to every exported estimator: a sound answer or a ValueError or TypeError, nothing else.

python -m fuzz.estimators --inputs 20000
"""

from __future__ import annotations

import argparse
import inspect
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, is_regressor

import celm
from celm.base.threads import one_blas_thread
from experiments.command import at_least, command
from fuzz.inputs import case
from fuzz.tried import Tried, try_all

# Few nodes and few steps: what is tried is the input, not the size. An export without an entry is made as it is.
SMALL: dict[str, dict[str, Any]] = {
    "ELMClassifier": {"n_hidden": 12, "lam": 10.0},
    "ELMRegressor": {"n_hidden": 12, "lam": 10.0},
    "ELMClassifierCV": {"n_hidden_grid": (3, 9), "lams": (0.1, 10.0)},
    "ELMRegressorCV": {"n_hidden_grid": (3, 9), "lams": (0.1, 10.0)},
    "HiddenLayer": {"n_hidden": 12},
    "BPClassifier": {"n_hidden": 4, "max_epochs": 20},
    "BPClassifierCV": {"n_hidden_grid": (3, 5), "max_epochs": 20},
    "LinearSVM": {"max_iter": 20},
    "LinearSVMCV": {"Cs": (0.1, 10.0), "max_iter": 20},
    "R2SVMClassifier": {"n_layers": 2},
    "DCNClassifier": {"n_modules": 2, "n_units": 6},
    "NystroemClassifier": {"n_components": 8},
    "MLELMClassifier": {"layers": (4, 4, 6)},
}
# An answer may warn, but not once per row.
MANY_WARNINGS = 5
# Inputs of one estimator before the next has its turn and the counts are kept.
BLOCK = 200


class Fault(NamedTuple):
    """What an estimator did that it must not do."""

    estimator: str
    index: int
    about: str
    error: str


def exported() -> dict[str, type[BaseEstimator]]:
    """Every estimator that can be imported from celm and learns from rows of numbers."""
    found = {name: getattr(celm, name) for name in celm.__all__}
    return {
        name: made
        for name, made in found.items()
        if inspect.isclass(made) and issubclass(made, BaseEstimator) and "Features" not in name
    }


def make(name: str) -> Any:
    """A small one of an exported estimator."""
    kind = exported()[name]
    settings = dict(SMALL.get(name, {}))
    if "random_state" in inspect.signature(kind).parameters:
        settings["random_state"] = 0
    if name == "HeldOutSearch":
        return kind(celm.R2SVMClassifier(2, random_state=0), {"C": [0.1, 1.0]}, random_state=0)
    return kind(**settings)


def _answers(model: Any, X: Any) -> Iterator[tuple[str, Any]]:
    for method in ("predict", "decision_function", "predict_proba", "transform"):
        if hasattr(model, method):
            yield method, getattr(model, method)(X)


def unsound(model: Any, X: Any) -> str:
    """What is wrong with the answers of a fitted model; nothing for sound ones."""
    n = X.shape[0] if hasattr(X, "shape") else len(X)
    for method, answer in _answers(model, X):
        if len(answer) != n:
            return f"{method} answers {len(answer)} of {n} rows"
        if method == "predict" and not is_regressor(model):
            if not np.isin(answer, model.classes_).all():
                return "predict answers a class that it has not seen"
        elif not np.isfinite(np.asarray(answer, dtype=float)).all():
            return f"{method} answers {np.asarray(answer, dtype=float).ravel()[:3]}, not all finite"
    return ""


def try_case(name: str, seed: int, index: int) -> tuple[str, Fault | None]:
    """What became of one input ("answered" or the name of the error), and the fault if it is one."""
    model = make(name)
    X, y, about = case(seed, index, regression=is_regressor(model))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            wrong, outcome = unsound(model.fit(X, y), X), "answered"
        except (ValueError, TypeError) as error:
            wrong, outcome = "" if str(error) else "an error without a word", type(error).__name__
            if isinstance(error, np.linalg.LinAlgError):
                wrong = f"LinAlgError: {error}"
        except Exception as error:
            wrong, outcome = f"{type(error).__name__}: {error}", type(error).__name__
    numeric = [str(one.message) for one in caught if issubclass(one.category, RuntimeWarning)]
    if not wrong and numeric and outcome == "answered":
        wrong = f"RuntimeWarning: {numeric[0]}"
    if not wrong and len(caught) > MANY_WARNINGS:
        wrong = f"{len(caught)} warnings, first {caught[0].message}"
    return outcome, Fault(name, index, about, wrong) if wrong else None


def fuzz(name: str, seed: int, numbers: range) -> tuple[Counter[str], list[Fault]]:
    """How often an estimator answered or refused the inputs of these numbers, and its faults."""
    outcomes: Counter[str] = Counter()
    faults = []
    for index in numbers:
        outcome, fault = try_case(name, seed, index)
        outcomes[outcome] += 1
        faults += [fault] if fault else []
    return outcomes, faults


def main() -> None:
    """Command line: python -m fuzz.estimators [--inputs N] [--seed K] [--keep FILE] [name …]."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.estimators", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*exported(), []], metavar="name", help="exported; default: all")
    parser.add_argument("--inputs", type=at_least(1), default=20_000, help="inputs per estimator")
    parser.add_argument("--seed", type=at_least(0), default=0)
    parser.add_argument("--keep", type=Path, help="count in this file and go on from what it holds")
    arguments = parser.parse_args()
    parts = dict.fromkeys(arguments.names or exported(), arguments.inputs)
    with one_blas_thread():
        try_all(Tried(arguments.keep), parts, BLOCK, lambda name, numbers: fuzz(name, arguments.seed, numbers))


if __name__ == "__main__":
    command(main)
