"""Correct rows of all node counts and λ at once: the numbers of one solve per candidate."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from celm.linalg import hits
from celm.linalg.hits import Judged, folds_and_new_rows, hit_surface, nested_hits, path_hits, right_rows
from celm.linalg.readout import correct_counts, spectral_ridge
from celm.linalg.selection import Problem

LAMS = [1e-6, 1e-2, 1.0, 1e3, 1e6]


def world(rows: int = 90, nodes: int = 24, classes: int = 4) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(3)
    H = 1.0 / (1.0 + np.exp(-rng.standard_normal((rows, 7)) @ rng.standard_normal((7, nodes))))
    codes = rng.integers(0, classes, rows)
    return H, codes, 2.0 * np.eye(classes)[codes] - 1.0


def one_by_one(judged: Judged, counts: list[int]) -> Any:
    return np.array(
        [
            [
                correct_counts(judged.H[:, :L] @ spectral_ridge(judged.G[:L, :L], judged.moment[:L], lam), judged.codes)
                for lam in LAMS
            ]
            for L in counts
        ]
    )


@pytest.mark.parametrize("counts", [[24], [1, 2, 9, 24], [5, 10, 15, 20]])
def test_nested_hits_are_those_of_one_solve_per_candidate(counts: list[int]) -> None:
    H, codes, T = world()
    judged = Judged(H[30:].T @ H[30:], H[30:].T @ T[30:], H[:30], codes[:30])
    assert np.array_equal(nested_hits(judged, counts, LAMS), one_by_one(judged, counts))


def test_path_hits_are_those_of_one_solve_per_lambda() -> None:
    H, codes, T = world()
    for L in (1, 2, 24):
        judged = Judged(H[30:, :L].T @ H[30:, :L], H[30:, :L].T @ T[30:], H[:30, :L], codes[:30])
        assert np.array_equal(path_hits(judged, LAMS), one_by_one(judged, [L])[0])


def test_an_indefinite_gram_matrix_is_solved_on_its_eigenvalues() -> None:
    H, codes, T = world()
    judged = Judged(H[30:].T @ H[30:] - 0.5 * np.eye(24), H[30:].T @ T[30:], H[:30], codes[:30])
    # The two largest λ leave it indefinite; the smallest eigenvalue is −0.5 or a little more.
    assert np.array_equal(nested_hits(judged, [12, 24], LAMS)[:, 3:], one_by_one(judged, [12, 24])[:, 3:])
    assert np.array_equal(path_hits(judged, LAMS)[3:], one_by_one(judged, [24])[0, 3:])


def test_of_equal_scores_the_first_class_is_taken_and_an_unknown_class_is_never_met() -> None:
    scores = np.array([[1.0, 2.0, 0.0, 5.0], [1.0, 0.0, 3.0, 4.0]])
    codes = np.array([1, 0, 1, -1])
    assert right_rows(scores, codes).tolist() == [False, True, True, False]
    assert right_rows(scores[:, 1:], codes[1:]).tolist() == [True, True, False]
    assert right_rows(scores, np.array([0, 0, 0, 0])).tolist() == [True, True, False, True]


def test_a_fold_is_judged_by_the_others_and_new_rows_by_all() -> None:
    H, codes, T = world()
    folds = np.arange(90) % 3
    *held_out, new = folds_and_new_rows(H, codes, Problem(T, codes, folds, [24], LAMS), H[:5], codes[:5])
    assert len(held_out) == 3
    for fold, judged in enumerate(held_out):
        seen = folds != fold
        assert np.allclose(judged.G, H[seen].T @ H[seen])
        assert np.allclose(judged.moment, H[seen].T @ T[seen])
        assert np.array_equal(judged.H, H[~seen])
        assert np.array_equal(judged.codes, codes[~seen])
    assert np.allclose(new.G, H.T @ H)
    assert np.array_equal(new.H, H[:5])


@pytest.mark.parametrize("nested", [True, False])
def test_threads_share_folds_and_penalties_out_and_change_nothing(monkeypatch: Any, nested: bool) -> None:
    H, codes, T = world()
    problem = Problem(T, codes, np.arange(90) % 3, [5, 12, 24], [10.0**e for e in range(-8, 9)])
    with threadpool_limits(2, "blas"):
        alone = hit_surface(lambda L: H[:, :L], problem, nested=nested)
        monkeypatch.setattr(hits, "WORTH_THREADS", 0)
        together = hit_surface(lambda L: H[:, :L], problem, nested=nested)
    assert np.array_equal(alone, together)
    assert alone.shape == (3, 17)
    assert alone.max() > 15
