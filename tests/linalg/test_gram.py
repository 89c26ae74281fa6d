"""The blocked pass: its sums are those of the whole H, whatever the blocks, threads, folds or the way rows come."""

from __future__ import annotations

import time
from itertools import pairwise

import numpy as np
import pytest
from scipy.special import expit

from celm.linalg.blocks import Pass
from celm.linalg.gram import FoldGrams, accumulate, accumulate_blocks, room_for_hidden
from celm.linalg.layer import Layer

N, FEATURES, L, M = 2003, 12, 31, 3
RNG = np.random.default_rng(11)
X = RNG.standard_normal((N, FEATURES))
W = RNG.standard_normal((FEATURES, L))
b = RNG.uniform(0, 1, L)
T = RNG.choice([-1.0, 1.0], (N, M))
FOLDS = RNG.integers(0, 3, N)
H = expit(X @ W + b)
LAYER = Layer(W, b)
SINGLE = Layer(W, b, precision="single_products")


def same(first: FoldGrams, second: FoldGrams) -> bool:
    pairs = zip(first.grams + first.moments, second.grams + second.moments, strict=True)
    return first.n_rows == second.n_rows and all(np.array_equal(a, c) for a, c in pairs)


def close(first: FoldGrams, second: FoldGrams, rtol: float) -> None:
    assert first.n_rows == second.n_rows
    for a, c in zip(first.grams + first.moments, second.grams + second.moments, strict=True):
        np.testing.assert_allclose(a, c, rtol=rtol, atol=rtol * N)


@pytest.mark.parametrize("block_rows", [1, 97, 5000, None])
def test_sums_are_those_of_the_whole_matrix(block_rows):
    sums = accumulate(LAYER, X, T, how=Pass(block_rows))
    np.testing.assert_allclose(sums.grams[0], np.tril(H.T @ H), rtol=1e-12)
    np.testing.assert_allclose(sums.moments[0], H.T @ T, rtol=1e-11, atol=1e-11)
    assert sums.n_rows == [N]


def test_each_fold_holds_its_own_rows_and_folds_add_up():
    sums = accumulate(LAYER, X, T, folds=FOLDS, n_folds=3, how=Pass(64))
    for fold in range(3):
        own, others = H[fold == FOLDS], H[fold != FOLDS]
        np.testing.assert_allclose(sums.grams[fold], np.tril(own.T @ own), rtol=1e-12)
        gram, moment = sums.without(fold)
        np.testing.assert_allclose(gram, np.tril(others.T @ others), rtol=1e-12)
        np.testing.assert_allclose(moment, others.T @ T[fold != FOLDS], rtol=1e-11, atol=1e-11)
    gram, moment = sums.total()
    np.testing.assert_allclose(gram, np.tril(H.T @ H), rtol=1e-12)
    np.testing.assert_allclose(moment, H.T @ T, rtol=1e-11, atol=1e-11)


def test_total_may_be_overwritten():
    sums = accumulate(LAYER, X, T)
    before = sums.grams[0].copy()
    gram, _ = sums.total()
    gram[:] = -1
    assert np.array_equal(sums.grams[0], before)


@pytest.mark.parametrize(("folds", "n_folds"), [(None, 1), (FOLDS, 3)])
def test_the_number_of_threads_changes_no_bit(folds, n_folds):
    runs = [
        accumulate(LAYER, X, T, folds=folds, n_folds=n_folds, how=Pass(50, n_threads)) for n_threads in (1, 2, 5, 2)
    ]
    assert all(same(runs[0], run) for run in runs[1:])


def test_single_products_stay_close():
    single = accumulate(SINGLE, X, T, folds=FOLDS, n_folds=3)
    double = accumulate(LAYER, X, T, folds=FOLDS, n_folds=3)
    close(single, double, rtol=1e-6)
    assert not same(single, double)
    assert single.grams[0].dtype == np.float64


@pytest.mark.parametrize(("folds", "n_folds"), [(None, 1), (FOLDS, 3)])
def test_blocks_summed_in_single_precision_stay_close_and_do_not_depend_on_threads(folds, n_folds):
    layer = Layer(W, b, precision="single")
    runs = [accumulate(layer, X, T, folds=folds, n_folds=n_folds, how=Pass(300, threads)) for threads in (1, 2, 5)]
    double = accumulate(LAYER, X, T, folds=folds, n_folds=n_folds)
    close(runs[0], double, rtol=1e-6)
    assert all(same(runs[0], run) for run in runs[1:])
    assert not same(runs[0], accumulate(SINGLE, X, T, folds=folds, n_folds=n_folds))
    assert all(gram.dtype == np.float64 and not np.triu(gram, 1).any() for gram in runs[0].grams)


def test_more_nodes_than_a_panel_are_all_added():
    wide = Layer(np.tile(W, (1, 9)), np.tile(b, 9), precision="single")
    gram, _ = accumulate(wide, X, T).total()
    np.testing.assert_allclose(gram, np.tril(np.tile(H, (1, 9)).T @ np.tile(H, (1, 9))), rtol=1e-5)


def test_single_sigmoid_saturates_without_complaint():
    extreme = np.array([[-1e4], [0.0], [1e4]])
    sums = accumulate(Layer(np.ones((1, 1)), np.zeros(1), precision="single_products"), extreme, np.ones((3, 1)))
    assert sums.moments[0][0, 0] == 1.5


def test_identity_gives_the_gram_of_the_data():
    sums = accumulate(Layer(np.eye(FEATURES), np.zeros(FEATURES), "identity"), X, T)
    np.testing.assert_allclose(sums.grams[0], np.tril(X.T @ X), rtol=1e-11, atol=1e-10)


@pytest.mark.parametrize("folds", [None, FOLDS])
@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_compact_data_is_converted_block_by_block(dtype, folds):
    compact = RNG.integers(0, 256, (N, FEATURES)).astype(dtype)
    layer, how = Layer(W / 255, b), Pass(100)
    from_compact = accumulate(layer, compact, T, folds=folds, n_folds=3, how=how)
    from_double = accumulate(layer, compact.astype(np.float64), T, folds=folds, n_folds=3, how=how)
    assert same(from_compact, from_double)


def test_data_in_fortran_order_gives_the_same_sums():
    close(accumulate(LAYER, np.asfortranarray(X), T), accumulate(LAYER, X, T), rtol=1e-12)


@pytest.mark.parametrize("precision", ["double", "single_products"])
@pytest.mark.parametrize("folds", [None, FOLDS])
def test_kept_hidden_outputs_come_fold_after_fold(folds, precision):
    layer = Layer(W, b, precision=precision)
    kept = room_for_hidden(layer, N, max_bytes=1e6)
    accumulate(layer, X, T, folds=folds, n_folds=3, how=Pass(100), hidden=kept)
    order = slice(None) if folds is None else np.argsort(folds, kind="stable")
    np.testing.assert_allclose(kept, H[order], rtol=1e-14 if precision == "double" else 1e-5)


def test_no_room_is_made_beyond_the_budget():
    assert room_for_hidden(LAYER, N, max_bytes=8 * N * L) is not None
    assert room_for_hidden(LAYER, N, max_bytes=8 * N * L - 1) is None
    assert room_for_hidden(SINGLE, N, max_bytes=4 * N * L) is not None


def test_a_stream_of_blocks_equals_the_whole():
    cuts = [0, 10, 11, 700, N]
    stream = ((X[i:j], T[i:j], FOLDS[i:j]) for i, j in pairwise(cuts))
    streamed = accumulate_blocks(LAYER, stream, n_folds=3, how=Pass(64))
    close(streamed, accumulate(LAYER, X, T, folds=FOLDS, n_folds=3), rtol=1e-12)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_rows_added_in_parts_equal_the_whole(n_threads):
    sums = FoldGrams.zeros(L, M)
    for part in np.array_split(np.arange(N), 4):
        returned = accumulate_blocks(LAYER, [(X[part], T[part])], into=sums, how=Pass(64, n_threads))
        assert returned is sums
    close(sums, accumulate(LAYER, X, T), rtol=1e-12)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_a_failing_stream_ends_the_pass_with_its_own_error(n_threads):
    def stream():
        yield X, T
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        accumulate_blocks(LAYER, stream(), how=Pass(20, n_threads))


@pytest.mark.timeout(20)
def test_a_failing_block_does_not_leave_the_others_waiting_for_their_turn():
    failures = []

    class FailsOnce(np.ndarray):
        def __getitem__(self, rows):
            if not failures and rows.start > N // 2:
                failures.append(rows)
                time.sleep(0.2)
                raise OSError("bad sector")
            return super().__getitem__(rows).view(np.ndarray)

    with pytest.raises(OSError, match="bad sector"):
        accumulate(LAYER, X.view(FailsOnce), T, how=Pass(20, 4))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"folds": FOLDS, "n_folds": 2}, "from 0 to 1 for each of 2003 rows.*between 0 and 2"),
        ({"folds": FOLDS[1:], "n_folds": 3}, "got shape \\(2002,\\)"),
        ({"T": T[1:]}, "T must be 2003 × m"),
        ({"X": X[:, 1:]}, "X must have 12 columns"),
        ({"X": X[:0], "T": T[:0]}, "at least one row"),
        ({"how": Pass(block_rows=0)}, "block_rows must be a whole number of at least 1"),
        ({"how": Pass(n_threads=0)}, "n_threads must be a whole number of at least 1"),
        ({"hidden": np.empty((2, 2))}, "hidden must be 2003 × 31"),
    ],
)
def test_wrong_input_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        accumulate(LAYER, **{"X": X, "T": T} | change)


def test_targets_must_keep_their_width_along_a_stream():
    with pytest.raises(ValueError, match="T must be 2003 × 3"):
        accumulate_blocks(LAYER, [(X, T), (X, T[:, :2])])
