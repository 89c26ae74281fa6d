"""Simulated papers against leaving rounds out by hand, and against the variances they must have."""

import numpy as np
import pytest

from celm.analysis.protocols.simulation import Writer, left_out, resampled, world_of


@pytest.mark.parametrize("half", [None, 0, 1])
def test_a_paper_is_ten_rounds_and_all_others_judge_it(world, half):
    accuracy = world.sets[0].accuracy
    known, papers = left_out(world_of(accuracy), 3, 4, np.random.default_rng(0), shared=True, half=half)
    again = np.random.default_rng(0)
    pool = np.arange(60) if half is None else np.arange(half, 60, 2)
    order = again.random((4, len(pool), 1)).argsort(axis=1)[:, :10, 0]
    for paper in range(4):
        drawn = pool[order[paper]]
        rest = np.delete(accuracy, drawn, axis=1)
        assert rest.shape[1] == known.rounds == 50
        np.testing.assert_allclose(papers[paper], accuracy[3][drawn].mean(axis=0))
        np.testing.assert_allclose(known.mean[paper], rest.mean(axis=1))
        np.testing.assert_allclose(known.variance[paper], rest.var(axis=1, ddof=1))


def test_without_a_shared_split_every_model_has_rounds_of_its_own(make_world):
    world = make_world(protocols=1, rounds=200, sets=1)
    accuracy = world.sets[0].accuracy
    together, apart = (
        np.corrcoef(left_out(world_of(accuracy), 0, 400, np.random.default_rng(1), shared=shared)[1].T)[
            np.triu_indices(7, 1)
        ]
        for shared in (True, False)
    )
    assert together.mean() > 0.35
    assert abs(apart.mean()) < 0.05


def test_resampled_papers_and_judges_differ_as_two_samples_would(make_world):
    accuracy = make_world(protocols=2, rounds=10, sets=1, seed=3).sets[0].accuracy
    known, papers = resampled(world_of(accuracy), 1, 4000, np.random.default_rng(2), shared=True)
    variance = accuracy[1].var(axis=0, ddof=1)
    np.testing.assert_allclose((papers - known.mean[:, 1]).var(axis=0), variance * (1 / 10 + 1 / 10), rtol=0.12)
    np.testing.assert_allclose(papers.mean(axis=0), accuracy[1].mean(axis=0), atol=5e-4)


def test_papers_are_the_same_for_the_same_seed_and_random_ones_fit_nothing(world):
    first, second = (Writer(world).papers(2, 60, np.random.default_rng(5)) for _ in range(2))
    np.testing.assert_array_equal(first.log_likelihood, second.log_likelihood)
    assert first.log_likelihood.shape == (60, 12, 4)
    noise = Writer(world).papers(2, 60, np.random.default_rng(5), random_within=0.03)
    assert np.median(noise.deviance[:, 2].sum(axis=1)) > 3 * np.median(first.deviance[:, 2].sum(axis=1))
    with pytest.raises(ValueError, match="correlation must be one of ours, none"):
        Writer(world, "some")
