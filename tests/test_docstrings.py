"""What celm exports is documented in numpydoc form: every parameter, every attribute, and examples that run."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re

import pytest
from sklearn.base import BaseEstimator
from sklearn.datasets import load_iris

import celm
import celm.dask

MODULES = [found.name for found in pkgutil.walk_packages(celm.__path__, "celm.") if not found.ispkg]
ESTIMATORS = [
    one
    for exported in (celm, celm.dask)
    for one in (getattr(exported, name) for name in exported.__all__)
    if issubclass(one, BaseEstimator)
]
# What users call of an estimator, some of it for studies alone.
CALLED = (
    "fit", "partial_fit", "fit_blocks", "choose", "transform", "predict", "predict_proba", "decision_function", "score",
    "scores", "staged_scores", "staged_predict", "staged_accuracy",
)  # fmt: skip

# What makes a fit small.
SMALL = {
    "BPClassifierCV": {"n_hidden_grid": (5, 10), "max_epochs": 20},
    "DCNClassifier": {"n_modules": 2, "n_units": 20},
    "ELMClassifier": {"proba": True, "lam": 1.0},
    "ELMClassifierCV": {"n_hidden_grid": (5, 10), "input_scales": (0.1, 1.0)},
    "ELMRegressorCV": {"n_hidden_grid": (5, 10), "input_scales": (0.1, 1.0)},
    "HeldOutSearch": {"estimator": celm.DCNClassifier(2, 20), "grid": {"lam": [1.0, 10.0]}},
    "MLELMClassifier": {"layers": (10, 10, 20)},
    "NystroemClassifier": {"n_components": 50},
    "R2SVMClassifier": {"n_layers": 2},
}


def sections(text: str) -> dict[str, str]:
    """Heading -> text of a numpydoc docstring."""
    parts = re.split(r"^([A-Z][A-Za-z ]+)\n-+$", inspect.cleandoc(text), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("name", celm.__all__)
def test_exported_names_have_every_section_and_every_parameter(name):
    exported = getattr(celm, name)
    found = sections(exported.__doc__)
    wanted = {"Examples", "See Also"}
    parameters = [each for each in inspect.signature(exported).parameters if each != "self"]
    wanted |= {"Parameters"} if parameters else set()
    wanted |= {"Attributes", "References"} if issubclass(exported, BaseEstimator) else set()
    assert wanted <= found.keys()
    for parameter in parameters:
        assert re.search(rf"\b{parameter}\b", found["Parameters"]), f"{name}: {parameter} is not documented"


@pytest.mark.parametrize("name", [one.__name__ for one in ESTIMATORS if one.__module__.startswith("celm.models")])
def test_what_is_learned_is_told(name):
    estimator = getattr(celm, name)
    model = estimator(**SMALL.get(name, {})).fit(*load_iris(return_X_y=True))
    told = sections(estimator.__doc__)["Attributes"]
    learned = [each for each in vars(model) if each.endswith("_")]
    assert [each for each in learned if not re.search(rf"\b{each}(?!\w)", told)] == []


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda one: f"{one.__module__}.{one.__name__}")
def test_what_users_call_says_what_it_takes_and_gives(estimator):
    for name, method in inspect.getmembers(estimator, callable):
        if name in CALLED and method.__module__.startswith("celm."):
            found = sections(method.__doc__)
            assert found.keys() & {"Returns", "Yields"}, name
            for parameter in [each for each in inspect.signature(method).parameters if each != "self"]:
                assert re.search(rf"\b{parameter}\b", found["Parameters"]), f"{name}: {parameter} is not documented"
