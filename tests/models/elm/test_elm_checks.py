"""scikit-learn's checks of machines and searches: all but one, a layer drawn from rows is not that of repeated rows."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from celm import ELMClassifier, ELMClassifierCV, ELMRegressor, ELMRegressorCV


def drawn_from_rows(estimator):
    """A layer drawn from rows by their number is not the one drawn from the same rows repeated."""
    strategy = estimator.get_params().get("estimator__strategy", getattr(estimator, "strategy", None))
    if strategy in ("elm", "orthogonal_elm"):
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
        ELMClassifier(20, strategy="cmelm", lam=1e3, proba=True, random_state=0),
        ELMRegressor(20, lam=1e3, random_state=0),
        ELMRegressor(20, strategy="elm", lam=1e3, random_state=0),
        ELMRegressor(20, strategy="cmelm", input_scale=0.5, random_state=0),
        ELMClassifierCV(n_hidden_grid=(3, 10), lams=(0.1, 1e3), input_scales=(0.1, 1.0), random_state=0),
        ELMClassifierCV(ELMClassifier(strategy="elm"), n_hidden_grid=(3, 10), lams=(0.1, 10.0, 1e3), random_state=0),
        ELMClassifierCV(
            ELMClassifier(strategy="orthogonal_elm"),
            n_hidden_grid=(5,),
            choose="largest",
            layer="per_fold",
            random_state=0,
        ),
        ELMRegressorCV(n_hidden_grid=(5, 20), lams=(0.1, 10.0, 1e3), random_state=0),
        ELMRegressorCV(ELMRegressor(strategy="elm"), n_hidden_grid=(5, 20), lams=(0.1, 10.0), random_state=0),
        ELMRegressorCV(ELMRegressor(strategy="cdelm"), n_hidden_grid=(20,), input_scales=(0.1, 1.0), random_state=0),
    ],
    expected_failed_checks=drawn_from_rows,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
