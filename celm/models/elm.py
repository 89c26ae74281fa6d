"""The extreme learning machine of every kind: a drawn hidden layer and a linear readout."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted, validate_data

from celm.models.hidden import OPTION_NAMES, draw_layer, hidden_outputs
from celm.models.readout import CUTOFFS, Array, pseudo_inverse_solve, ridge_solve
from celm.models.selection import LAYERS, Choice, best_choice, best_lambdas, correct_surface
from celm.models.weights import NOT_NESTED, STRATEGIES, WeightOptions
from celm.seeds import seed_of
from celm.validation import (
    as_generator,
    check_choice,
    check_flag,
    check_folds,
    check_integer,
    check_number,
    encode_labels,
    signed_targets,
)

TARGETS = {"signed": (-1.0, 1.0), "binary": (0.0, 1.0)}
LAMBDAS = tuple(10.0**e for e in range(-8, 9))


class ELMClassifier(ClassifierMixin, BaseEstimator):
    """Extreme learning machine classifier; the paper's variants differ only in ``strategy``.

    Scores are sigmoid(XW + b)β with one column per class; the largest wins. The hidden layer W, b is drawn from the
    training samples, β solves β = (I/λ + HᵀH)⁻¹HᵀT (§II), or β = H⁺T without a penalty.

    Parameters
    ----------
    n_hidden : number of hidden nodes L.
    strategy : elm, normalized_elm, orthogonal_elm, cdelm, selm, cselm, rselm or cmelm.
    lam : the paper's λ (larger is a weaker penalty), or None for the pseudo-inverse.
    cutoff : which singular values the pseudo-inverse drops: "matlab" max(size)·eps(‖H‖), "numpy" 1e-15·‖H‖, "none".
    targets : "signed" ±1 or "binary" 0/1.
    sum_scale, sample_scale, pair_draw, same_sample, orientation, difference_filter, cosine_filter, sum_filter,
    orthogonal_bias, orthogonal_norm : readings of the weight draw, see :class:`celm.models.weights.WeightOptions`.
    random_state : None, an integer or a numpy generator.

    Attributes
    ----------
    classes_, n_features_in_ ; W_ (n × L), b_ (L), beta_ (L × k) ; rank_ : numerical rank of H (None with a penalty).
    """

    def __init__(
        self,
        n_hidden: int = 100,
        *,
        strategy: str = "cdelm",
        lam: float | None = None,
        cutoff: str = "matlab",
        targets: str = "signed",
        sum_scale: float = 1.0,
        sample_scale: float = 1.0,
        pair_draw: str = "samples",
        same_sample: bool = True,
        orientation: str = "lower_positive",
        difference_filter: bool = False,
        cosine_filter: bool = False,
        sum_filter: bool = False,
        orthogonal_bias: str = "signed_unit",
        orthogonal_norm: str = "orth",
        random_state: Any = None,
    ) -> None:
        self.n_hidden = n_hidden
        self.strategy = strategy
        self.lam = lam
        self.cutoff = cutoff
        self.targets = targets
        self.sum_scale = sum_scale
        self.sample_scale = sample_scale
        self.pair_draw = pair_draw
        self.same_sample = same_sample
        self.orientation = orientation
        self.difference_filter = difference_filter
        self.cosine_filter = cosine_filter
        self.sum_filter = sum_filter
        self.orthogonal_bias = orthogonal_bias
        self.orthogonal_norm = orthogonal_norm
        self.random_state = random_state

    def weight_options(self) -> WeightOptions:
        """The readings of the weight draw as one value."""
        return WeightOptions(**{name: getattr(self, name) for name in OPTION_NAMES})

    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""
        check_integer(self.n_hidden, "n_hidden", "ELMClassifier", 1)
        check_choice(self.strategy, "strategy", STRATEGIES, "ELMClassifier")
        if self.lam is not None:
            check_number(self.lam, "lam", "ELMClassifier", 0, above=True)
        check_choice(self.cutoff, "cutoff", CUTOFFS, "ELMClassifier")
        check_choice(self.targets, "targets", TARGETS, "ELMClassifier")
        self.weight_options().check("ELMClassifier")

    def target_matrix(self, codes: npt.NDArray[np.intp], n_classes: int) -> Array:
        """T (N × k) of class codes."""
        return signed_targets(codes, n_classes, *TARGETS[self.targets])

    def fit(self, X: Any, y: Any) -> ELMClassifier:
        """Draw the hidden layer from X (N × n), y (N) and solve for the output weights."""
        self.check_parameters()
        X, y = validate_data(self, X, y, dtype=np.float64)
        self.classes_, codes = encode_labels(y, "ELMClassifier")
        T = self.target_matrix(codes, len(self.classes_))
        self.W_, self.b_ = draw_layer(X, codes, self.strategy, self.n_hidden, self.random_state, self.weight_options())
        H = hidden_outputs(X, self.W_, self.b_)
        self.rank_: int | None = None
        if self.lam is None:
            self.beta_, self.rank_ = pseudo_inverse_solve(H, T, self.cutoff)
        else:
            self.beta_ = ridge_solve(H, T, self.lam)
        return self

    def scores(self, X: Any) -> Array:
        """One score per class (N × k), also for two classes."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return hidden_outputs(X, self.W_, self.b_) @ self.beta_

    def decision_function(self, X: Any) -> Array:
        """Scores N × k; for two classes the margin of the second over the first (N), as scikit-learn expects."""
        scores = self.scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class with the largest score."""
        return self.classes_[self.scores(X).argmax(axis=1)]


class ELMClassifierCV(ClassifierMixin, BaseEstimator):
    """Chooses node count and λ together by cross-validation, then fits once (§IV.B: three folds, λ = 10^{-8..8}).

    Parameters
    ----------
    estimator : an :class:`ELMClassifier` whose n_hidden and lam are to be chosen; None for the default one.
    n_hidden_grid, lams : the candidates.
    cv : number of folds, or one fold number per training row.
    choose : "joint" takes the best pair; "largest" the largest node count with its own best λ.
    layer : "shared" draws the hidden layer once for all folds; "per_fold" redraws it for each.
    nested : the layers of all node counts are prefixes of one draw; False draws every count afresh
        (orthogonal ELM always does).
    random_state : None, an integer or a numpy generator; layers and folds come from it.

    Attributes
    ----------
    n_hidden_, lam_, cv_accuracy_ : the choice; lam_at_edge_ : whether λ lies at an end of ``lams``;
    surface_ : correct held-out rows per node count and λ; lambdas_by_count_ : best λ of every count;
    best_estimator_ ; selection_seconds_, fit_seconds_ : time of the choice and of the one fit after it.
    """

    def __init__(
        self,
        estimator: ELMClassifier | None = None,
        *,
        n_hidden_grid: Sequence[int] = tuple(range(5, 201, 5)),
        lams: Sequence[float] = LAMBDAS,
        cv: int | npt.ArrayLike = 3,
        choose: str = "joint",
        layer: str = "shared",
        nested: bool = True,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_hidden_grid = n_hidden_grid
        self.lams = lams
        self.cv = cv
        self.choose = choose
        self.layer = layer
        self.nested = nested
        self.random_state = random_state

    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""
        check_grid(self.n_hidden_grid, "n_hidden_grid", "ELMClassifierCV")
        for lam in self.lams:
            check_number(lam, "lams", "ELMClassifierCV", 0, above=True)
        check_choice(self.choose, "choose", ("joint", "largest"), "ELMClassifierCV")
        check_choice(self.layer, "layer", LAYERS, "ELMClassifierCV")
        check_flag(self.nested, "nested", "ELMClassifierCV")
        self._base().check_parameters()

    def _base(self) -> ELMClassifier:
        return ELMClassifier() if self.estimator is None else self.estimator

    def fit(self, X: Any, y: Any) -> ELMClassifierCV:
        """Choose on folds of X (N × n), y (N), then fit the chosen model on all rows."""
        self.check_parameters()
        X, y = validate_data(self, X, y, dtype=np.float64)
        self.classes_, codes = encode_labels(y, "ELMClassifierCV")
        self._entropy = int(as_generator(self.random_state).integers(2**63))
        folds = check_folds(self.cv, len(X), np.random.default_rng(seed_of(self._entropy, "folds")), "ELMClassifierCV")
        started = time.perf_counter()
        choice = self._select(X, codes, folds)
        self.selection_seconds_ = time.perf_counter() - started
        self.n_hidden_, self.lam_, correct = choice
        self.cv_accuracy_ = correct / len(X)
        self.lam_at_edge_ = self.lam_ in (min(self.lams), max(self.lams))
        started = time.perf_counter()
        self.best_estimator_ = self.estimator_at(self.n_hidden_, self.lam_).fit(X, y)
        self.fit_seconds_ = time.perf_counter() - started
        return self

    def _select(self, X: Array, codes: npt.NDArray[np.intp], folds: npt.NDArray[np.intp]) -> Choice:
        base, counts, lams = self._base(), list(self.n_hidden_grid), list(self.lams)

        def outputs(n_hidden: int, fold: int | None) -> Array:
            member = self.estimator_at(n_hidden, None, fold)
            rows = slice(None) if fold is None else folds != fold
            W, b = draw_layer(X[rows], codes[rows], base.strategy, n_hidden, member.random_state, base.weight_options())
            return hidden_outputs(X, W, b)

        T = base.target_matrix(codes, len(self.classes_))
        self.surface_ = correct_surface(outputs, T, codes, folds, counts, lams, nested=self.nests(), layer=self.layer)
        self.lambdas_by_count_ = best_lambdas(self.surface_, counts, lams)
        return self.lambdas_by_count_[-1] if self.choose == "largest" else best_choice(self.surface_, counts, lams)

    def _nests(self) -> bool:
        return self.nested and self._base().strategy not in NOT_NESTED

    def estimator_at(self, n_hidden: int, lam: float | None, fold: int | None = None) -> ELMClassifier:
        """The unfitted model of one candidate, seeded so that nested counts share their first nodes."""
        roles: list[str | int] = ["nodes"] if self.nests() else ["nodes", n_hidden]
        if fold is not None:
            roles += ["fold", fold]
        seed = seed_of(self._entropy, *roles)
        return clone(self._base()).set_params(n_hidden=n_hidden, lam=lam, random_state=seed)

    def decision_function(self, X: Any) -> Array:
        """As :meth:`ELMClassifier.decision_function` of the chosen model."""
        check_is_fitted(self)
        return self.best_estimator_.decision_function(validate_data(self, X, dtype=np.float64, reset=False))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class with the largest score."""
        check_is_fitted(self)
        return self.best_estimator_.predict(validate_data(self, X, dtype=np.float64, reset=False))


def check_grid(counts: Sequence[int], name: str, owner: str) -> None:
    """Node counts must be whole numbers of at least 1 in ascending order."""
    for count in counts:
        check_integer(count, name, owner, 1)
    if not len(counts) or list(counts) != sorted(set(counts)):
        raise ValueError(f"{owner}: {name} must be at least one node count in ascending order; got {list(counts)}.")
