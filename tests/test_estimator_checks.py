"""Every exported estimator goes through scikit-learn's own checks somewhere in the tests.

None is expected to fail but two, of machines whose layer is drawn from rows: it cannot be that of the rows repeated.
"""

import ast
from functools import cache
from pathlib import Path

import pytest
from sklearn.base import BaseEstimator
from sklearn.exceptions import SkipTestWarning
from sklearn.utils.estimator_checks import check_estimator

import celm
from celm import CoatesNgFeatures

CHECKS = ("parametrize_with_checks", "check_estimator")
ESTIMATORS = [name for name in celm.__all__ if issubclass(getattr(celm, name), BaseEstimator)]


@cache
def names_checked() -> set[str]:
    """Names that stand inside a call of scikit-learn's checks in the tests."""
    found: set[str] = set()
    for path in Path(__file__).parent.rglob("test_*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in CHECKS:
                excused = [k.value for k in call.keywords if k.arg == "expected_failed_checks"]
                assert all(ast.unparse(value) == "drawn_from_rows" for value in excused), path
                found |= {node.id for node in ast.walk(call) if isinstance(node, ast.Name)}
                found |= {node.attr for node in ast.walk(call) if isinstance(node, ast.Attribute)}
    return found


def test_checks_of_image_features():
    """scikit-learn has no images to give: what it checks without them."""
    with pytest.warns(SkipTestWarning, match="requires input"):
        results = check_estimator(CoatesNgFeatures(4, n_patches=100, random_state=0))
    assert [result["status"] for result in results] == ["passed"]


@pytest.mark.parametrize("name", ESTIMATORS)
def test_no_exported_estimator_is_left_out(name):
    assert name in names_checked()
