"""Large problems are solved in blocks of rows: the same answers as holding H whole, and a word on how."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit
from threadpoolctl import threadpool_limits

from celm.base.threads import blas_threads
from celm.base.validation import signed_targets
from celm.linalg import blocks, solve
from celm.linalg.layer import Layer
from celm.linalg.single import HANDED_OVER, threads_of_cholesky
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.drawing import draw_layer
from celm.models.elm.node_curves import pseudo_inverse_rows
from celm.models.elm.options import WeightOptions
from celm.models.elm.search import ELMClassifierCV

RNG = np.random.default_rng(3)
CENTRES = RNG.normal(size=(4, 6)) * 1.5
CODES = RNG.integers(4, size=400)
X = CENTRES[CODES] + RNG.normal(size=(400, 6))
T = signed_targets(CODES, 4)


@pytest.fixture
def in_blocks(monkeypatch):
    """Every problem counts as large."""
    monkeypatch.setattr(solve, "WHOLE", 0)


def layer(n_hidden, strategy="selm"):
    return Layer(*draw_layer(X, CODES, strategy, n_hidden, 5, WeightOptions()))


@pytest.mark.parametrize(("lam", "cutoff"), [(1e3, "matlab"), (1e-2, "matlab"), (None, "matlab"), (None, "none")])
def test_blocks_give_the_readout_of_whole_matrices(monkeypatch, lam, cutoff):
    drawn = layer(30)
    whole = solve.solve_readout(drawn, X, T, lam=lam, cutoff=cutoff)
    monkeypatch.setattr(solve, "WHOLE", 0)
    blocks = solve.solve_readout(drawn, X, T, lam=lam, cutoff=cutoff)
    assert blocks.solver.startswith("row blocks")
    assert not whole.solver.startswith("row blocks")
    np.testing.assert_allclose(blocks.beta, whole.beta, rtol=1e-6, atol=1e-8)
    assert blocks.rank == whole.rank
    np.testing.assert_allclose(solve.readout_scores(drawn, X, blocks.beta), drawn.outputs(X) @ blocks.beta)


def test_fewer_rows_than_nodes_use_the_dual_form(in_blocks):
    drawn = layer(600)
    readout = solve.solve_readout(drawn, X, T, lam=1e2, cutoff="matlab")
    assert readout.solver == "dual cholesky"
    H = drawn.outputs(X)
    np.testing.assert_allclose(
        readout.beta, np.linalg.solve(np.eye(600) / 1e2 + H.T @ H, H.T @ T), rtol=1e-6, atol=1e-9
    )


def test_a_singular_system_is_solved_by_qr_and_says_so(in_blocks):
    drawn = layer(20)
    doubled = Layer(np.hstack([drawn.W, drawn.W]), np.concatenate([drawn.b, drawn.b]))
    readout = solve.solve_readout(doubled, X, T, lam=1e16, cutoff="matlab")
    assert readout.solver in ("row blocks qr", "row blocks svd")
    half = solve.solve_readout(doubled.first(20), X, T, lam=1e16, cutoff="matlab")
    scores = solve.readout_scores(doubled, X, readout.beta)
    np.testing.assert_allclose(scores, solve.readout_scores(drawn, X, half.beta), atol=1e-4)


@pytest.mark.parametrize("strategy", ["cdelm", "orthogonal_elm"])
@pytest.mark.parametrize("layer_of", ["shared", "per_fold"])
def test_selection_in_blocks_counts_the_same_rows(monkeypatch, strategy, layer_of):
    def chosen():
        model = ELMClassifier(strategy=strategy)
        grid, lams = [10, 20, 40], [1e-2, 1.0, 1e2, 1e4]
        return ELMClassifierCV(model, n_hidden_grid=grid, lams=lams, layer=layer_of, random_state=1).fit(X, CODES)

    whole = chosen()
    monkeypatch.setattr(solve, "WHOLE", 0)
    blocks = chosen()
    np.testing.assert_array_equal(blocks.surface_, whole.surface_)
    assert (blocks.n_hidden_, blocks.lam_) == (whole.n_hidden_, whole.lam_)


def test_h_need_not_be_kept_while_lambda_is_chosen(in_blocks, monkeypatch):
    def surface():
        return ELMClassifierCV(n_hidden_grid=[10, 30], lams=[1.0, 1e3], random_state=2).fit(X, CODES).surface_

    kept = surface()
    monkeypatch.setattr(solve, "HIDDEN_BYTES", 0)
    np.testing.assert_array_equal(surface(), kept)


def test_curves_without_penalty_in_blocks(monkeypatch):
    def rows():
        model = ELMClassifier(strategy="cselm")
        return pseudo_inverse_rows(model, [5, 10, 40], X[:300], CODES[:300], X[300:], CODES[300:], nested=True, seed=4)

    whole = rows()
    monkeypatch.setattr(solve, "WHOLE", 0)
    assert rows() == whole


def test_blocks_of_rows_learn_what_one_fit_learns():
    order = np.argsort(CODES, kind="stable")
    model = ELMClassifier(20, strategy="elm", lam=1e2, random_state=0)
    whole = ELMClassifier(20, strategy="elm", lam=1e2, random_state=0).fit(X[order], CODES[order])
    for rows in np.array_split(order, 7):
        model.partial_fit(X[rows], CODES[rows], classes=np.arange(4))
    np.testing.assert_allclose(model.beta_, whole.beta_, rtol=1e-8)
    stream = ((X[rows], CODES[rows]) for rows in np.array_split(order, 3))
    streamed = ELMClassifier(20, strategy="elm", lam=1e2, random_state=0).fit_blocks(stream, classes=np.arange(4))
    np.testing.assert_allclose(streamed.beta_, whole.beta_, rtol=1e-8)
    np.testing.assert_array_equal(streamed.predict(X), whole.predict(X))
    assert "sums_" not in vars(model.fit(X, CODES))


def test_blocks_are_refused_when_they_cannot_be_learned():
    model = ELMClassifier(5, lam=1.0, random_state=0)
    with pytest.raises(AttributeError, match="partial_fit") as refused:
        ELMClassifier(5).partial_fit(X, CODES)
    assert "needs a penalty lam" in str(refused.value.__cause__)
    with pytest.raises(ValueError, match=r"labels \[9\] are not among the classes \[0, 1, 2, 3\]"):
        model.partial_fit(X, CODES).partial_fit(X[:2], [9, 0])
    with pytest.raises(ValueError, match="at least one block"):
        model.fit_blocks([])


@pytest.mark.parametrize("scored_whole", [0, 10**9])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_scores_refuse_rows_that_are_not_finite_without_a_pass_of_their_own(monkeypatch, scored_whole, bad):
    monkeypatch.setattr(solve, "SCORED_WHOLE", scored_whole)
    drawn, beta = layer(15), np.ones((15, 2))
    refused = []
    np.testing.assert_allclose(solve.readout_scores(drawn, X, beta, refused.append), drawn.outputs(X) @ beta)
    assert refused == []
    spoilt = X.copy()
    spoilt[311, 2] = bad
    solve.readout_scores(drawn, spoilt, beta, refused.append)
    assert len(refused) == 1
    assert not np.isfinite(refused[0]).all()


@pytest.mark.parametrize(
    ("precision", "kind", "single"),
    [
        ("single_products", np.float32, True),
        ("single_products", np.float64, False),
        ("auto", np.float32, False),
        ("double", np.float32, False),
    ],
)
def test_rows_in_single_precision_are_scored_so_where_that_was_asked_for(monkeypatch, precision, kind, single):
    monkeypatch.setattr(solve, "SCORED_WHOLE", 0)
    rng = np.random.default_rng(2)
    rows, W, b, beta = rng.normal(size=(300, 8)), rng.normal(size=(8, 20)), rng.random(20), rng.normal(size=(20, 3))
    rows = rows.astype(np.float32)
    exact = 1.0 / (1.0 + np.exp(-(rows.astype(np.float64) @ W + b))) @ beta
    scores = solve.readout_scores(Layer(W, b, precision=precision), rows.astype(kind), beta)
    assert scores.dtype == np.float64
    error = np.abs(scores - exact).max()
    assert 1e-9 < error < 1e-5 if single else error < 1e-12


@pytest.mark.parametrize(
    ("precision", "n_rows", "by_blocks"),
    [
        ("double", 4_000, False),
        ("double", 4_001, True),
        ("quick_double", 1_000, False),
        ("quick_double", 1_001, True),
        ("auto", 1_001, True),
        ("mixed", 1_001, True),
        ("single_products", 1_001, True),
        ("mixed", 999, False),
    ],
)
def test_rows_go_in_blocks_sooner_where_their_last_digits_are_no_records(precision, n_rows, by_blocks):
    drawn = Layer(np.zeros((2, 1000)), np.zeros(1000), precision=precision)
    assert solve.goes_by_blocks(drawn, n_rows) == by_blocks


def test_few_nodes_have_one_thread_for_their_cholesky_unless_their_digits_are_records():
    few, many = (Layer(np.zeros((2, count)), np.zeros(count)) for count in (HANDED_OVER, HANDED_OVER + 1))
    for drawn, threads in ((few, 2), (replace(few, precision="auto"), 1), (replace(many, precision="auto"), 2)):
        with threadpool_limits(2, "blas"), threads_of_cholesky(drawn):
            assert blas_threads() == threads


@pytest.mark.parametrize("lam", [None, 1.0])
@pytest.mark.parametrize(("precision", "whole", "threads"), [("auto", 10**6, 1), ("auto", 10, 2), ("double", 10**6, 2)])
def test_what_is_held_whole_has_one_thread_unless_its_digits_are_records(monkeypatch, lam, precision, whole, threads):
    monkeypatch.setattr(blocks, "FEW_OUTPUTS", whole)
    monkeypatch.setattr(solve, "goes_by_blocks", lambda layer, n_rows: False)
    seen = []
    monkeypatch.setattr(Layer, "outputs", lambda layer, rows: seen.append(blas_threads()) or expit(rows @ layer.W))
    with threadpool_limits(2, "blas"):
        solve.solve_readout(replace(layer(5), precision=precision), X, T, lam=lam, cutoff="matlab")
    assert seen == [threads]
