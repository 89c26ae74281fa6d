"""The ELM classifier: scikit-learn's contract, its definition, its seeds and its refusals."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from celm.base.threads import blas_threads
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.options import WeightOptions
from celm.models.elm.weights import STRATEGIES

OPTIONS = WeightOptions(image_shape=(2, 2))
Y = np.arange(60) % 3
X = np.random.default_rng(0).normal(size=(len(Y), 4)) + Y[:, None]


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
@pytest.mark.parametrize(("targets", "low"), [("signed", -1.0), ("binary", 0.0)])
def test_fit_is_the_formula(strategy, targets, low):
    T = np.where(Y[:, None] == np.arange(3), 1.0, low)
    ridge = ELMClassifier(12, strategy=strategy, lam=50.0, targets=targets, options=OPTIONS, random_state=1).fit(X, Y)
    H = 1 / (1 + np.exp(-(X @ ridge.W_ + ridge.b_)))
    assert_allclose(ridge.beta_, np.linalg.solve(np.eye(12) / 50.0 + H.T @ H, H.T @ T), rtol=1e-6, atol=1e-8)
    assert ridge.rank_ is None
    plain = ELMClassifier(12, strategy=strategy, targets=targets, options=OPTIONS, random_state=1).fit(X, Y)
    assert_array_equal(plain.W_, ridge.W_)
    assert_allclose(plain.scores(X), H @ np.linalg.pinv(H) @ T, atol=1e-6)
    assert plain.rank_ == 12
    assert_array_equal(plain.predict(X), plain.scores(X).argmax(axis=1))


def test_as_many_nodes_as_samples_interpolate():
    model = ELMClassifier(len(X), strategy="selm", random_state=0, cutoff="none").fit(X, Y)
    assert model.score(X, Y) == 1.0


def test_string_labels_keep_their_names():
    names = np.array(["ruby", "opal", "jade"])[Y]
    model = ELMClassifier(15, random_state=0).fit(X, names)
    assert_array_equal(model.classes_, ["jade", "opal", "ruby"])
    assert set(model.predict(X)) == set(names)
    assert model.score(X, names) > 0.8


def test_two_classes_have_one_margin_and_three_have_three_scores():
    two = ELMClassifier(10, random_state=0).fit(X, Y == 1)
    assert two.decision_function(X).shape == (len(X),)
    assert_array_equal(two.decision_function(X) > 0, two.predict(X))
    assert two.scores(X).shape == (len(X), 2)
    assert ELMClassifier(10, random_state=0).fit(X, Y).decision_function(X).shape == (len(X), 3)


@pytest.mark.parametrize("kind", [int, np.random.default_rng, np.random.RandomState])
def test_every_kind_of_random_state_decides_the_layer(kind):
    first, again, other = (ELMClassifier(5, random_state=kind(seed)).fit(X, Y) for seed in (7, 7, 8))
    assert_array_equal(first.W_, again.W_)
    assert_array_equal(first.beta_, again.beta_)
    assert not np.array_equal(first.W_, other.W_)


def test_a_generator_moves_on_and_none_is_random():
    rng = np.random.default_rng(0)
    for random_state in (rng, None):
        layers = [ELMClassifier(5, random_state=random_state).fit(X, Y).W_ for _ in range(2)]
        assert not np.array_equal(*layers)


def test_readings_reach_the_draw():
    default = ELMClassifier(20, strategy="cselm", random_state=0).fit(X, Y)
    doubled = ELMClassifier(20, strategy="cselm", options=WeightOptions(sum_scale=2.0), random_state=0).fit(X, Y)
    assert_allclose(doubled.W_, 2 * default.W_)
    classes_first = ELMClassifier(20, strategy="cselm", options=WeightOptions(pair_draw="classes"), random_state=0).fit(
        X, Y == 0
    )
    assert not np.array_equal(classes_first.W_, ELMClassifier(20, strategy="cselm", random_state=0).fit(X, Y == 0).W_)


WRONG = [
    ({"n_hidden": 0}, "n_hidden must be a whole number of at least 1; got 0."),
    ({"n_hidden": 2.5}, "n_hidden must be a whole number of at least 1; got 2.5."),
    ({"strategy": "cdlem"}, f"strategy must be one of {', '.join(STRATEGIES)}; got 'cdlem'. Did you mean 'cdelm'?"),
    ({"lam": 0}, "lam must be a number above 0; got 0."),
    ({"lam": np.inf}, "lam must be a number above 0; got inf."),
    ({"lam": "1e3"}, "lam must be a number above 0; got '1e3'."),
    ({"input_scale": 0.0}, "input_scale must be a number above 0; got 0.0."),
    ({"bias_width": -1}, "bias_width must be a number of at least 0 and at most 1e+150; got -1."),
    ({"options": {}}, "options must be a WeightOptions or None; got {}."),
    (
        {"options": WeightOptions(image_shape=(28,))},
        "image_shape must be None, (height, width) or (height, width, channels); got (28,).",
    ),
    ({"cutoff": "matlb"}, "cutoff must be one of matlab, numpy, none; got 'matlb'. Did you mean 'matlab'?"),
    ({"targets": "one_hot"}, "targets must be one of signed, binary; got 'one_hot'."),
    ({"precision": "half"}, "precision must be one of double, quick_double, single_products, mixed, auto; got 'half'."),
    ({"options": WeightOptions(sum_scale=-2)}, "sum_scale must be a number above 0; got -2."),
    ({"options": WeightOptions(cosine_filter="on")}, "cosine_filter must be true or false; got 'on'."),
]


@pytest.mark.parametrize(("parameters", "words"), WRONG)
def test_wrong_parameters_are_named_with_and_without_data(parameters, words):
    model = ELMClassifier(**parameters)
    for attempt in (model.check_parameters, lambda: model.fit(X, Y)):
        with pytest.raises(ValueError, match=r"^ELMClassifier: ") as refusal:
            attempt()
        assert str(refusal.value).removeprefix("ELMClassifier: ") == words


def test_wrong_seeds_and_single_classes_are_refused():
    with pytest.raises(ValueError, match="random_state must be a whole number of at least 0; got 'seed'"):
        ELMClassifier(random_state="seed").fit(X, Y)
    with pytest.raises(
        ValueError, match="ELMClassifier: a classifier needs at least two classes; y holds only 1 class"
    ):
        ELMClassifier().fit(X, np.ones(len(X)))


def test_equal_rows_are_refused_for_what_they_are():
    with pytest.raises(ValueError, match=r"no usable difference between two classes .* training rows are equal"):
        ELMClassifier(5).fit(np.ones((6, 2)), [0, 1] * 3)


def test_fits_in_threads_leave_the_threads_of_blas_as_they_were():
    before = blas_threads()
    with ThreadPoolExecutor(4) as pool:
        fits = [pool.submit(ELMClassifier(8, lam=1.0, random_state=seed).fit, X, Y) for seed in range(40)]
    assert all(hasattr(fit.result(), "beta_") for fit in fits)
    assert blas_threads() == before
