"""scikit-learn's checks of the machines: all of them, but that a layer drawn from rows is not that of repeated rows."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from celm import ELMClassifier, ELMRegressor


def drawn_from_rows(estimator):
    """A layer drawn from rows by their number is not the one drawn from the same rows repeated."""
    if estimator.strategy in ("elm", "orthogonal_elm"):
        return {}
    reason = "the strategy draws from the rows: repeated rows draw another layer than weighted ones"
    return {f"check_sample_weight_equivalence_on_{kind}_data": reason for kind in ("dense", "sparse")}


@pytest.mark.filterwarnings("ignore::celm.models.elm.drawing.SaturationWarning")
@parametrize_with_checks(
    [
        ELMClassifier(20, random_state=0),
        ELMClassifier(20, strategy="elm", lam=1e3, random_state=0),
        ELMClassifier(20, strategy="cmelm", lam=1e3, random_state=0),
        ELMClassifier(20, strategy="orthogonal_elm", cutoff="numpy", targets="binary", random_state=0),
        ELMRegressor(20, lam=1e3, random_state=0),
        ELMRegressor(20, strategy="elm", lam=1e3, random_state=0),
        ELMRegressor(20, strategy="cmelm", input_scale=0.5, random_state=0),
    ],
    expected_failed_checks=drawn_from_rows,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
