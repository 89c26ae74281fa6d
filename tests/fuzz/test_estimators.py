"""Every exported estimator answers odd inputs soundly or refuses them in words; the command tries many more."""

import numpy as np
import pytest

from fuzz.estimators import exported, fuzz, make, unsound

INPUTS = 120


@pytest.mark.parametrize("name", exported())
def test_an_estimator_answers_soundly_or_refuses_in_words(name):
    outcomes, faults = fuzz(name, seed=1, numbers=range(INPUTS))
    assert not faults, faults[:3]
    assert outcomes["answered"] > INPUTS // 8
    assert outcomes["ValueError"] + outcomes["TypeError"] > INPUTS // 8


def test_an_unsound_answer_is_seen():
    X, y = np.random.default_rng(0).normal(size=(20, 2)), np.arange(20) % 2
    model = make("ELMClassifier").fit(X, y)
    assert unsound(model, X) == ""
    model.beta_[:] = np.nan
    assert "not all finite" in unsound(model, X)
