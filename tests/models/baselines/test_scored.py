"""Scores and who wins by them; every baseline refuses what it cannot learn from in its own name."""

from __future__ import annotations

import numpy as np
import pytest

from celm import BPClassifier, BPClassifierCV, DCNClassifier, LinearSVM, MLELMClassifier, NystroemClassifier
from celm.models.baselines.scored import margins, winners


def test_the_second_of_two_classes_wins_by_its_column_or_by_its_margin():
    margin = np.array([-0.5, 0.0, 2.0])
    one, two = margin[:, None], np.column_stack([np.ones(3), 1.0 + margin])
    np.testing.assert_allclose(margins(one), margins(two))
    for scores in (one, two):
        np.testing.assert_array_equal(winners(scores), [0, 0, 1])
    np.testing.assert_array_equal(winners(np.array([[0.0, 1.0, 3.0], [2.0, 1.0, 0.0]])), [2, 0])


@pytest.mark.parametrize(
    "kind", [BPClassifier, BPClassifierCV, DCNClassifier, LinearSVM, MLELMClassifier, NystroemClassifier]
)
def test_one_class_is_refused_in_the_name_of_the_estimator(kind):
    with pytest.raises(ValueError, match=rf"^{kind.__name__}: "):
        kind().fit(np.eye(4), ["a"] * 4)
