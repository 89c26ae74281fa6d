"""Small models out of large ones: the nodes that a naive search would keep, with the readout of a fit of their own."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix
from sklearn.datasets import load_digits
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from celm import ELMClassifier, ELMClassifierCV, ELMRegressor, HiddenLayer, NodePath
from celm.linalg import solve
from celm.linalg.useful_columns import useful_columns

RNG = np.random.default_rng(0)
H, T = RNG.normal(size=(40, 12)), RNG.normal(size=(40, 3))
CODES = np.arange(120) % 3
X = RNG.normal(size=(120, 5)) + 0.8 * CODES[:, None]
NUMBERS = np.column_stack([np.sin(X[:, 0]), X[:, 1] * X[:, 2]])
WEIGHTS = np.arange(120) % 4 + 0.5


def objective(columns, lam, rows=H, targets=T):
    """‖T − Hβ‖² + ‖β‖²/λ of the best β on some columns."""
    h = rows[:, columns]
    beta = np.linalg.solve(np.eye(len(columns)) / lam + h.T @ h, h.T @ targets)
    return ((targets - h @ beta) ** 2).sum() + (beta**2).sum() / lam


@pytest.mark.parametrize("lam", [0.05, 1e4])
def test_each_node_is_the_one_that_lowers_the_objective_most(lam):
    chosen = useful_columns(H.T @ H, H.T @ T, lam, 12).tolist()
    assert sorted(chosen) == list(range(12))
    for step in range(12):
        others = [j for j in range(12) if j not in chosen[:step]]
        assert chosen[step] == min(others, key=lambda j: objective([*chosen[:step], j], lam))


def test_columns_that_repeat_others_are_left_out():
    repeated = np.hstack([H[:, :3], H[:, :3], H[:, :1] + H[:, 1:2]])
    assert len(useful_columns(repeated.T @ repeated, repeated.T @ T, 1e18, 7)) == 3


@pytest.mark.parametrize("large", [False, True], ids=["whole", "blocks"])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["alike", "weighted"])
@pytest.mark.parametrize("form", [np.asarray, csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize(
    ("model", "y"), [(ELMClassifier, CODES), (ELMRegressor, NUMBERS), (ELMRegressor, X[:, 0] * 1e150)]
)
def test_a_pruned_machine_is_the_fit_of_its_nodes(monkeypatch, model, y, form, weights, large):
    monkeypatch.setattr(solve, "WHOLE", 0 if large else 10**9)
    fitted = model(30, lam=10.0, random_state=0, precision="double").fit(form(X), y, weights)
    path = NodePath(fitted, form(X), y, n_max=8, sample_weight=weights)
    assert len(path.nodes) == 8
    small = path.pruned(5)

    def kept(rows, codes, n_hidden, rng, options):
        return fitted.W_[:, path.nodes[:5]], fitted.b_[path.nodes[:5]]

    alone = model(5, strategy=kept, lam=10.0, precision="double").fit(form(X), y, weights)
    assert_allclose(small.beta_, alone.beta_, rtol=1e-6)
    assert_array_equal(small.predict(form(X)).shape, y.shape)
    assert_allclose(small.scores(X), alone.scores(X), rtol=1e-6, atol=1e-9 * np.abs(alone.scores(X)).max())


@pytest.mark.parametrize(("model", "y"), [(ELMClassifier, CODES), (ELMRegressor, NUMBERS[:, 0])])
def test_scores_of_all_counts_are_those_of_pruned_machines(model, y):
    fitted = model(30, strategy="covariance", lam=100.0, random_state=0).fit(X[:80], y[:80])
    path = NodePath(fitted, X[:80], y[:80])
    scores = path.scores_by_count(X[80:], y[80:])
    assert_allclose(scores, [path.pruned(n + 1).score(X[80:], y[80:]) for n in range(len(scores))], rtol=1e-6)
    needed = path.nodes_needed(scores.max() - 0.05, X[80:], y[80:])
    assert scores[needed - 1] >= scores.max() - 0.05
    assert (scores[: needed - 1] < scores.max() - 0.05).all()
    assert path.nodes_needed(1.01, X[80:], y[80:]) is None


def test_chosen_nodes_need_fewer_than_drawn_ones():
    """The point of it: to the accuracy of 100 drawn nodes on digits, half as many chosen ones will do."""
    rows, y = load_digits(return_X_y=True)
    rows = rows / 16
    train, test = slice(0, 1200), slice(1200, None)
    large = ELMClassifier(400, lam=10.0, random_state=0).fit(rows[train], y[train])
    drawn = ELMClassifier(100, lam=10.0, random_state=0).fit(rows[train], y[train]).score(rows[test], y[test])
    path = NodePath(large, rows[train], y[train], n_max=100)
    assert path.nodes_needed(drawn, rows[test], y[test]) <= 50


def test_a_search_and_probabilities():
    search = ELMClassifierCV(ELMClassifier(proba=True), n_hidden_grid=(10, 20), random_state=0).fit(X, CODES)
    small = NodePath(search, X, CODES).pruned(5)
    assert small.n_hidden == 5
    assert not hasattr(small, "predict_proba")
    assert not hasattr(small, "temperature_")


def test_what_cannot_be_pruned_is_named():
    with pytest.raises(ValueError, match="NodePath: the model needs a penalty lam"):
        NodePath(ELMClassifier(5).fit(X, CODES), X, CODES)
    fitted = ELMClassifier(5, lam=1.0).fit(X, CODES)
    with pytest.raises(ValueError, match="n_max must be a whole number of at least 1 and at most 5; got 6"):
        NodePath(fitted, X, CODES, n_max=6)
    with pytest.raises(ValueError, match="n must be a whole number of at least 1 and at most 3; got 4"):
        NodePath(fitted, X, CODES, n_max=3).pruned(4)


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["alike", "weighted"])
def test_a_path_in_the_order_of_the_draw_is_the_fit_of_the_first_nodes(weights):
    whole = ELMClassifier(30, strategy="cdelm", lam=10.0, random_state=0, precision="double").fit(X, CODES, weights)
    path = NodePath(whole, X, CODES, n_max=8, sample_weight=weights, order="drawn")
    first = ELMClassifier(5, strategy="cdelm", lam=10.0, random_state=0, precision="double").fit(X, CODES, weights)
    assert_array_equal(path.nodes, np.arange(8))
    assert_array_equal(path.pruned(5).W_, first.W_)
    assert_allclose(path.pruned(5).beta_, first.beta_, rtol=1e-6)
    assert_allclose(path.scores_by_count(X, CODES)[4], first.score(X, CODES))
    with pytest.raises(ValueError, match="order must be one of useful, drawn; got 'random'"):
        NodePath(whole, X, CODES, order="random")


@pytest.mark.parametrize(
    ("model", "y", "weights"),
    [
        (ELMClassifier, CODES, None),
        (ELMClassifier, CODES, 10.0 * CODES + 1),
        (ELMRegressor, NUMBERS[:, 0], None),
        (ELMRegressor, NUMBERS[:, 0] + 7, np.where(NUMBERS[:, 0] > 0, 20.0, 1.0)),
        (ELMRegressor, NUMBERS[:, 0] * 1e200, None),
        (ELMRegressor, NUMBERS[:, 0] * 1e-200, None),
    ],
)
def test_scores_by_count_are_those_of_the_small_machines(model, y, weights):
    """Also where weights move the mean that a regressor predicts about, and for targets whose squares overflow."""
    fitted = model(20, strategy="elm", lam=10.0, random_state=0).fit(X, y, weights)
    path = NodePath(fitted, X, y, sample_weight=weights)
    near = y if model is ELMClassifier else y / np.abs(y).max()
    for n in (1, 7, 20):
        answer = path.pruned(n).predict(X[::2])
        missed = answer != y[::2] if model is ELMClassifier else answer / np.abs(y).max() - near[::2]
        score = 1 - missed.mean() if model is ELMClassifier else 1 - (missed**2).sum() / (60 * near[::2].var())
        assert_allclose(path.scores_by_count(X[::2], y[::2])[n - 1], score, rtol=1e-6)


def test_rows_of_some_classes_keep_the_names_of_theirs():
    fitted = ELMClassifier(20, lam=10.0, random_state=0).fit(X, CODES)
    rows = CODES > 0
    small = NodePath(fitted, X[rows], CODES[rows]).pruned(20)
    assert small.beta_.shape == (20, 3)
    assert small.score(X[rows], CODES[rows]) > 0.8
    two = ELMClassifier(20, lam=10.0, random_state=0).fit(X[rows], CODES[rows])
    with pytest.raises(ValueError, match=r"NodePath: labels \[0\] are not among the classes \[1, 2\]"):
        NodePath(two, X, CODES)


def test_what_has_no_path_is_refused_in_words():
    fitted = ELMClassifier(6, lam=10.0, random_state=0).fit(X, CODES)
    for other in (make_pipeline(StandardScaler(), fitted).fit(X, CODES), HiddenLayer(5).fit(X, CODES)):
        with pytest.raises(
            TypeError, match=r"NodePath: the model must be an ELMClassifier, .*; got (Pipeline|HiddenLayer)"
        ):
            NodePath(other, X, CODES)
    for score in (np.nan, "0.9", None, [0.5]):
        with pytest.raises((ValueError, TypeError), match="nodes_needed: score must be a number"):
            NodePath(fitted, X, CODES).nodes_needed(score, X, CODES)
    numbers = ELMRegressor(6, lam=10.0, random_state=0).fit(X, NUMBERS)
    with pytest.raises(ValueError, match="NodePath: the model has 2 targets; y has 1"):
        NodePath(numbers, X, NUMBERS[:, 0])


def test_equal_targets_have_a_finite_score():
    path = NodePath(ELMRegressor(6, lam=10.0, random_state=0).fit(X, X[:, 0]), X, X[:, 0])
    assert_array_equal(path.scores_by_count(X[:3], np.ones(3)), np.zeros(6))
