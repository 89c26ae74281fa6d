"""The predictive t against scipy's, with its covariance written out."""

import numpy as np
import pytest
from scipy import stats

from celm.analysis.protocols.likelihood import judged, predictive_fit, set_fit, split_correlation


def covariance(one, p, rho):
    spread = one.accuracy[p].std(axis=0, ddof=1)
    models, rounds = len(spread), one.accuracy.shape[1]
    correlation = np.full((models, models), rho) + (1 - rho) * np.eye(models)
    return (1 / rounds + 1 / 10) * correlation * np.outer(spread, spread) + 0.001**2 / 12 * np.eye(models)


@pytest.mark.parametrize("correlation", ["ours", "none"])
def test_it_is_the_multivariate_t_with_the_covariance_written_out(world, correlation):
    one = world.sets[0]
    found = set_fit(one, correlation)
    rho = split_correlation(one.accuracy) if correlation == "ours" else np.zeros(len(one.accuracy))
    for p in range(len(world.protocols)):
        mean = one.accuracy[p].mean(axis=0)
        t = stats.multivariate_t(mean, covariance(one, p, rho[p]), df=one.accuracy.shape[1] - 1)
        assert found.log_likelihood[p] == pytest.approx(t.logpdf(one.published))
        assert found.deviance[p] == pytest.approx(2 * (t.logpdf(mean) - t.logpdf(one.published)))


def test_the_split_correlation_is_the_mean_of_all_pairs(world):
    accuracy = world.sets[1].accuracy
    naive = [np.corrcoef(rounds.T)[np.triu_indices(7, 1)].mean() for rounds in accuracy]
    np.testing.assert_allclose(split_correlation(accuracy), naive)
    assert np.mean(naive) == pytest.approx(0.5, abs=0.15)
    assert split_correlation(accuracy[:, :, :1]).tolist() == [0.0] * len(accuracy)


def test_models_that_do_not_vary_are_held_to_the_printed_digits():
    accuracy = np.full((1, 12, 2), 0.5)
    assert split_correlation(accuracy).tolist() == [0.0]
    known = judged(type("Set", (), {"accuracy": accuracy}))
    near, far = (predictive_fit(known, np.array([0.5, value])).log_likelihood[0] for value in (0.5002, 0.51))
    assert np.isfinite(near)
    assert near > far + 20


def test_a_joint_shift_is_less_surprising_when_models_share_their_splits(world):
    one = world.sets[0]
    known = judged(one)._replace(variance=np.full((12, 7), 1e-4))
    shift, mixed = known.mean + 0.006, known.mean + 0.006 * np.array([1, -1, 1, -1, 1, -1, 0])
    together, apart = (predictive_fit(known, paper, 0.6).deviance for paper in (shift, mixed))
    assert (together < apart).all()
    assert (predictive_fit(known, shift, 0.6).deviance < predictive_fit(known, shift, 0.0).deviance).all()


def test_a_cited_number_has_no_error_of_its_own(world):
    known = judged(world.sets[0])
    paper = known.mean + 0.003
    cited, measured = (predictive_fit(known, paper, paper_rounds=rounds).deviance for rounds in (None, 10))
    assert (cited > measured).all()
