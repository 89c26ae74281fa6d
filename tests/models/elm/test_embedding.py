"""Planes: principal scores, a t-SNE that rounding does not change, and the numbers that judge it."""

import numpy as np
import pytest
from sklearn.decomposition import PCA
from threadpoolctl import threadpool_limits

from celm.models.elm.embedding import initial_layout, neighbour_accuracy, principal_scores, tsne_plane


def blobs(n_classes=3, per_class=30, n_features=8, seed=0):
    rng = np.random.default_rng(seed)
    centers = 12 * rng.standard_normal((n_classes, n_features))
    labels = np.repeat(np.arange(n_classes), per_class)
    return centers[labels] + rng.standard_normal((len(labels), n_features)), labels


@pytest.mark.parametrize("n_features", [12, 200])
def test_principal_scores_are_those_of_the_full_decomposition(n_features):
    H = np.random.default_rng(1).random((40, n_features)) ** 2
    theirs = PCA(5, svd_solver="full").fit_transform(H)
    ours = principal_scores(H, 5)
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs), atol=1e-9)


def test_all_components_keep_every_distance():
    H = np.random.default_rng(1).random((20, 100))
    scores = principal_scores(H, 20)
    for points in (H, scores):
        np.testing.assert_allclose(
            np.linalg.norm(points[:, None] - points, axis=2), np.linalg.norm(H[:, None] - H, axis=2), atol=1e-6
        )


def test_separated_classes_stay_separated():
    X, labels = blobs()
    plane = tsne_plane(X, initial_layout(len(X), np.random.default_rng(2)), 10.0, 500)
    assert neighbour_accuracy(plane.points, labels, 5) == 1.0
    assert plane.points.shape == (90, 2)


def test_every_plane_makes_the_iterations_it_was_told():
    X, _ = blobs(per_class=10)
    layout = initial_layout(len(X), np.random.default_rng(2))
    short, long = (tsne_plane(X, layout, 5.0, iterations) for iterations in (251, 2000))
    assert (short.iterations, long.iterations) == (251, 2000)
    assert 0 < long.kl_divergence < short.kl_divergence < 10


def test_rounding_errors_and_thread_counts_do_not_change_a_plane():
    X, _ = blobs()
    layout = initial_layout(len(X), np.random.default_rng(2))
    shaken = X * (1 + 1e-13 * np.random.default_rng(3).standard_normal(X.shape))
    first = tsne_plane(X, layout, 10.0, 300)
    with threadpool_limits(limits=2):
        second = tsne_plane(shaken, layout, 10.0, 300)
    np.testing.assert_array_equal(first.points, second.points)
    assert first.kl_divergence == second.kl_divergence


def test_the_plane_starts_from_its_layout():
    X, _ = blobs()
    first, second = (tsne_plane(X, initial_layout(len(X), np.random.default_rng(s)), 10.0, 300) for s in (2, 3))
    assert np.abs(first.points - second.points).max() > 1


def test_neighbours_vote_without_the_point_itself():
    line = np.column_stack([[0.0, 1.0, 2.1, 10.0, 11.0, 12.1], np.zeros(6)])
    assert neighbour_accuracy(line, np.array([0, 0, 0, 1, 1, 1]), 2) == 1.0
    assert neighbour_accuracy(line, np.array([0, 1, 0, 1, 0, 1]), 1) == 0.0
    # The last two points have one vote each for 0 and 2: the lowest label is elected.
    assert neighbour_accuracy(line[:3], np.array([2, 0, 0]), 2) == pytest.approx(2 / 3)
