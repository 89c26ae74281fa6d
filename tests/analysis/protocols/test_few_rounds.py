"""Tables on one data set in few rounds: the covariance by a loop, the true protocol found, random numbers refused."""

import numpy as np
import pytest
from scipy import stats

from celm.analysis.protocols.few_rounds import FewRounds, covariances, findings_of, fits, merged_alike

MODELS = ("linear_svm", "elm", "orthogonal_elm", "cdelm", "cselm", "selm", "rselm", "cmelm")


def table(truth=2, draw=0.002, seed=0, rounds=3):
    """Six protocols that differ by half a point per number; the paper is written by one of them."""
    rng = np.random.default_rng(seed)
    mean = 0.7 + 0.005 * rng.standard_normal((6, len(MODELS)))
    cited = np.array([name == "linear_svm" for name in MODELS])
    noise = 0.001 * rng.standard_normal(len(MODELS)) / np.sqrt(10)
    published = mean[truth] + noise + draw * np.where(cited, rng.standard_normal(), rng.standard_normal())
    return FewRounds(
        dataset="cifar10",
        protocols=tuple(f"protocol{number}" for number in range(6)),
        models=MODELS,
        mean=mean,
        our_share=np.full(mean.shape, 1 / rounds),
        paper_share=np.where(cited, 0.0, 0.1),
        spread=np.full(len(MODELS), 0.001),
        df=9,
        published=published.round(3),
        cited=cited,
        draw=draw,
    )


@pytest.mark.parametrize("correlation", ["ours", "none"])
def test_the_covariance_and_the_likelihood_are_what_a_loop_writes_down(correlation):
    one = table()
    found = covariances(one, correlation)[4]
    for i in range(len(MODELS)):
        for j in range(len(MODELS)):
            both_ran = not one.cited[i] and not one.cited[j]
            shared = one.draw**2 * (1 + both_ran) if correlation == "ours" else 0.0
            own = 0.001**2 * (1 / 3 + (0.0 if one.cited[i] else 0.1)) + 1e-6 / 12
            expected = own + 2 * one.draw**2 if i == j else shared
            assert found[i, j] == pytest.approx(expected)
    residual = one.published - one.mean
    papers = fits(one, residual[None], correlation)
    expected = stats.multivariate_t(np.zeros(len(MODELS)), found, df=9).logpdf(residual[4])
    assert papers.log_likelihood[0, 4, 0] == pytest.approx(expected)


def test_the_protocol_that_wrote_the_table_is_named_and_random_numbers_fit_none():
    findings, trials = findings_of(table(truth=2), papers=120)
    ours = findings.identified["ours"]
    assert ours.most_probable == "protocol2" == findings.fits[0].name
    assert findings.fits[0].inside >= 7
    for one in trials.values():
        assert one.listed_held >= 0.9
        assert one.random_none >= 0.9
        assert one.removed_none > one.listed_none


def test_a_shared_draw_excuses_what_moves_all_numbers_and_not_what_moves_one():
    one = table(truth=2, draw=0.004)
    alone = one.published.copy()
    alone[3] += 0.006
    moved = one._replace(published=one.published + np.where(one.cited, 0.0, 0.006))
    spoiled = one._replace(published=alone)
    of = lambda changed: fits(changed, (changed.published - changed.mean)[None]).log_likelihood[0, 2, 0]  # noqa: E731
    assert of(moved) > of(spoiled) + 5


def test_protocols_with_the_same_numbers_are_one():
    one = table()
    mean, share = one.mean.copy(), one.our_share.copy()
    mean[5], mean[1] = mean[3], mean[0]
    share[1] = 1.0
    found = merged_alike(one._replace(mean=mean, our_share=share))
    assert found.protocols == ("protocol0", "protocol1", "protocol2", "protocol3 or protocol5", "protocol4")
    np.testing.assert_array_equal(found.mean, mean[:5])
    np.testing.assert_array_equal(found.our_share, share[:5])
