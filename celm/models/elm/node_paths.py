"""Small models out of large ones: the most useful nodes of a fitted machine, in the order of their use."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from celm.base.validation import check_choice, check_integer, check_number
from celm.linalg.given_rows import given, times_root
from celm.linalg.gram import accumulate
from celm.linalg.readout import Array, ridge_curve
from celm.linalg.ridge import ridge_from_gram
from celm.linalg.truth import held_out_gain
from celm.linalg.useful_columns import useful_columns
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.curve_tasks import fitted_targets, fitted_truth
from celm.models.elm.regressor import ELMRegressor

ORDERS = ("useful", "drawn")


class NodePath:
    """The nodes of a fitted machine, most useful first, and the small machines that the first of them make.

    Nodes are chosen one by one, each the one that lowers the ridge objective on the given rows most (orthogonal least
    squares). One pass over the rows gives the Gram matrix, and nothing more is asked of them.

    Parameters
    ----------
    model : ELMClassifier, ELMRegressor or their CV form
        Fitted, with a penalty ``lam``.
    X : array or CSR matrix (N, n)
        The rows it was fitted on.
    y : array (N,) or (N, k)
        Their targets.
    n_max : int or None, default=None
        How many nodes at most; None for all.
    sample_weight : array (N,) or None, default=None
        Weights of the rows.
    order : {"useful", "drawn"}, default="useful"
        "drawn" takes the nodes as they were drawn: what choosing them is to be compared with.

    Attributes
    ----------
    nodes : array of int
        Numbers of the nodes in ``model``, in the order of the path.

    See Also
    --------
    ELMClassifier, ELMRegressor : what is made smaller.

    References
    ----------
    S. Chen, C. F. N. Cowan, P. M. Grant, "Orthogonal least squares learning algorithm for radial basis function
    networks", IEEE Transactions on Neural Networks 2, 1991.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from celm import ELMClassifier, NodePath
    >>> X, y = load_digits(return_X_y=True)
    >>> X = X / 16
    >>> model = ELMClassifier(300, lam=10.0, random_state=0).fit(X[:1000], y[:1000])
    >>> path = NodePath(model, X[:1000], y[:1000], n_max=100)
    >>> small = path.pruned(60)
    >>> small.W_.shape, small.score(X[1000:], y[1000:]) > 0.85
    ((64, 60), True)
    >>> path.nodes_needed(0.85, X[1000:], y[1000:]) <= 60
    True
    """

    def __init__(
        self,
        model: Any,
        X: Any,
        y: Any,
        n_max: int | None = None,
        sample_weight: Any = None,
        *,
        order: str = "useful",
    ) -> None:
        check_is_fitted(model)
        check_choice(order, "order", ORDERS, "NodePath")
        self.model = model = getattr(model, "best_estimator_", model)
        if not isinstance(model, (ELMClassifier, ELMRegressor)):
            raise TypeError(
                "NodePath: the model must be an ELMClassifier, an ELMRegressor or their CV form; got "
                f"{type(model).__name__}. Of a pipeline, give the last step, and the rows as it sees them."
            )
        if model.lam is None:
            raise ValueError("NodePath: the model needs a penalty lam, a number above 0; got None.")
        n_max = len(model.b_) if n_max is None else n_max
        check_integer(n_max, "n_max", "NodePath", 1, len(model.b_))
        machine = copy(model)
        X, y = machine._validated(X, y, reset=False)
        weights = machine._row_weights(y, sample_weight)
        T = fitted_targets(model, y, "NodePath")
        drawn = order == "drawn"
        layer, rows = given(machine.layer().first(n_max) if drawn else machine.layer(), X, weights)
        gram, moment = accumulate(layer, rows, times_root(T, weights)).total()
        gram += np.tril(gram, -1).T
        self.nodes = np.arange(n_max) if drawn else useful_columns(gram, moment, model.lam, n_max)
        self._gram, self._moment = gram[np.ix_(self.nodes, self.nodes)], moment[self.nodes]

    def pruned(self, n: int) -> Any:
        """The machine of the first ``n`` nodes of the path, its readout solved anew.

        Parameters
        ----------
        n : int
            How many nodes to keep.

        Returns
        -------
        ELMClassifier or ELMRegressor
            Fitted. It has no probabilities: their temperature was that of the large model.
        """
        check_integer(n, "n", "NodePath.pruned", 1, len(self.nodes))
        kept = self.nodes[:n]
        small = clone(self.model).set_params(n_hidden=n)
        if getattr(small, "proba", False):
            small.set_params(proba=False)
        given_parameters = {*small.get_params(deep=False), "temperature_", "sums_"}
        learned = {name: value for name, value in vars(self.model).items() if name not in given_parameters}
        small.__dict__.update(learned)
        small.W_, small.b_ = self.model.W_[:, kept], self.model.b_[kept]
        beta, info = ridge_from_gram(self._gram[:n, :n], self._moment[:n], self.model.lam)
        small.beta_ = small._readout(beta)
        small.rank_, small.solver_ = None, f"nodes of a path, {info.method}"
        return small

    def scores_by_count(self, X: Any, y: Any) -> npt.NDArray[np.float64]:
        """What the machines of 1, 2, … nodes score: accuracy or R², at about the price of one.

        Targets that are all equal have no R²: it is 1 where they are met, else 0, as scikit-learn has it.

        Parameters
        ----------
        X : array or CSR matrix (N, n)
            Rows, best others than the machine has learned from.
        y : array (N,) or (N, k)
            Their targets.

        Returns
        -------
        array
            One score for each node of the path.
        """
        X, y = copy(self.model)._validated(X, y, reset=False)
        truth = fitted_truth(self.model, y, "NodePath")
        layer, rows = given(self.model.layer(), X)
        H: Array = layer.outputs(rows)[:, self.nodes]
        counts = range(1, len(self.nodes) + 1)
        curve = ridge_curve(self._gram, self._moment, H, counts, self.model.lam)
        gains = np.array([held_out_gain(scores, truth) for _, scores in curve], dtype=np.float64)
        if truth.ndim == 1:
            return gains / len(y)
        spread = ((truth - truth.mean(axis=0)) ** 2).sum()
        return 1.0 + gains / spread if spread else np.where(gains == 0.0, 1.0, 0.0)

    def nodes_needed(self, score: float, X: Any, y: Any) -> int | None:
        """The fewest nodes of this path whose machine reaches a score.

        Parameters
        ----------
        score : float
            Accuracy, or R² of a regressor over all its targets.
        X : array or CSR matrix (N, n)
            Rows, best others than the machine has learned from.
        y : array (N,) or (N, k)
            Their targets.

        Returns
        -------
        int or None
            How many nodes; None if none of the path's machines reaches it.
        """
        check_number(score, "score", "NodePath.nodes_needed", -np.inf)
        reached = np.flatnonzero(self.scores_by_count(X, y) >= score)
        return int(reached[0]) + 1 if len(reached) else None
