"""The deep convex network of Deng and Yu (2011), a deep baseline of Table III: stacked modules with ridge readouts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from celm.base.magnitude import SQUARED, checked_data
from celm.base.room import check_room
from celm.base.validation import as_generator, check_integer, check_number, signed_targets
from celm.linalg.layer import Layer
from celm.linalg.solve import readout_scores, solve_readout
from celm.models.baselines.rbm import train_rbm
from celm.models.baselines.scored import Codes
from celm.models.baselines.staged import StagedClassifier

Array = npt.NDArray[np.float64]


class Module(NamedTuple):
    """W (inputs × units) and b (units) of the hidden layer, the readout U (units × classes), and how it was solved."""

    W: Array
    b: Array
    U: Array
    solver: str


def draw_units(
    n_features: int, n_outputs: int, n_units: int, input_scale: float, rng: np.random.Generator
) -> tuple[Array, Array]:
    """W ((n + q) × L) and b (L) of units that see n features and then q outputs of lower modules.

    Weights of features ~ N(0, s²/n), of outputs ~ N(0, 1/q), biases ~ U[−1, 1].
    """
    check_room((n_features + n_outputs) * n_units, f"the weights of {n_units} units")
    from_features = input_scale / np.sqrt(n_features) * rng.standard_normal((n_features, n_units))
    from_outputs = rng.standard_normal((n_outputs, n_units)) / np.sqrt(max(n_outputs, 1))
    return np.vstack([from_features, from_outputs]), rng.uniform(-1.0, 1.0, n_units)


class DCNClassifier(StagedClassifier):
    """A stack of one-hidden-layer modules; each sees x and the outputs of all modules below it.

    Module k has the input v = [x, y_1, …, y_{k−1}], hidden outputs h = σ(vW + b) and outputs y_k = hU. Only U is
    learned for the task, in closed form: U = (I/λ + HᵀH)⁻¹HᵀT with targets ±1. Lower outputs on the training rows
    are those of modules that have seen them. The scale of the weights matters most: x should be z-scored. Rows go in
    blocks where there are many, so that H is never held whole. Every stage of ``staged_scores`` is a module, with two
    columns for two classes.

    Parameters
    ----------
    n_modules : int, default=10
        Number of modules.
    n_units : int, default=2000
        Hidden units of every module.
    input_scale : float, default=0.5
        s of the random weights of features, which are N(0, s²/n). Those of the q lower outputs are N(0, 1/q), biases
        U[−1, 1].
    lam : float, default=1e3
        λ of every readout (larger is a weaker penalty).
    rbm_share : float, default=0.0
        Share of the units, the first ones of every module, whose weights of features and biases come from a
        restricted Boltzmann machine (:mod:`celm.models.baselines.rbm`). It is trained once on x and serves all modules.
    rbm_epochs : int, default=5
        How often it goes over the rows.
    random_state : None, int, RandomState or Generator, default=None

    Attributes
    ----------
    classes_ : array (k,)
    n_features_in_ : int
    modules_ : list of Module
        The learned modules, each with W, b, U and how U was solved.

    See Also
    --------
    R2SVMClassifier : The other deep system of the paper's Table III.
    HeldOutSearch : Chooses ``input_scale`` and ``lam`` on held-out rows.

    References
    ----------
    L. Deng, D. Yu, "Deep Convex Net: A Scalable Architecture for Speech Pattern Classification", Interspeech 2011;
    compared in §IV.C of the paper.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.preprocessing import scale
    >>> from celm import DCNClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = DCNClassifier(2, 50, random_state=0).fit(scale(X), y)
    >>> [module.W.shape for module in model.modules_]
    [(4, 50), (7, 50)]
    """

    def __init__(
        self,
        n_modules: int = 10,
        n_units: int = 2000,
        *,
        input_scale: float = 0.5,
        lam: float = 1e3,
        rbm_share: float = 0.0,
        rbm_epochs: int = 5,
        random_state: Any = None,
    ) -> None:
        self.n_modules = n_modules
        self.n_units = n_units
        self.input_scale = input_scale
        self.lam = lam
        self.rbm_share = rbm_share
        self.rbm_epochs = rbm_epochs
        self.random_state = random_state

    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""
        owner = "DCNClassifier"
        check_integer(self.n_modules, "n_modules", owner, 1)
        check_integer(self.n_units, "n_units", owner, 1)
        check_number(self.input_scale, "input_scale", owner, 0.0, SQUARED, above=True)
        check_number(self.lam, "lam", owner, 0.0, above=True)
        check_number(self.rbm_share, "rbm_share", owner, 0.0, 1.0)
        check_integer(self.rbm_epochs, "rbm_epochs", owner, 1)

    def _learn(self, X: Array, codes: Codes) -> None:
        rng = as_generator(self.random_state)
        rbm_rng = rng.spawn(1)[0]
        learned = train_rbm(X, round(self.rbm_share * self.n_units), self.rbm_epochs, rbm_rng)
        T = signed_targets(codes, len(self.classes_))
        self.modules_: list[Module] = []
        inputs = _InputStack(X, self.n_modules, T.shape[1])
        for _ in range(self.n_modules):
            layer = self._units(inputs, learned, rng)
            U, _, solver = solve_readout(layer, inputs.current, T, lam=self.lam, cutoff="matlab")
            self.modules_.append(Module(layer.W, layer.b, U, solver))
            inputs.append(readout_scores(layer, inputs.current, U))

    def _units(self, inputs: _InputStack, learned: tuple[Array, Array], rng: np.random.Generator) -> Layer:
        """The hidden layer of the next module: random units, the first ones as the RBM learned them."""
        W, b = draw_units(inputs.n_features, inputs.n_outputs, self.n_units, self.input_scale, rng)
        W[: inputs.n_features, : len(learned[1])], b[: len(learned[1])] = learned
        return Layer(W, b)

    def _staged(self, X: Any) -> Iterator[Array]:
        check_is_fitted(self)
        X = checked_data(self, X, dtype=np.float64, reset=False)
        inputs = _InputStack(X, len(self.modules_), len(self.classes_))
        for W, b, U, _ in self.modules_:
            scores = readout_scores(Layer(W, b), inputs.current, U)
            inputs.append(scores)
            yield scores


class _InputStack:
    """[x, y_1, y_2, …] in one array that grows by the outputs of every module."""

    def __init__(self, X: Array, n_modules: int, n_classes: int) -> None:
        self.n_features, self.n_outputs = X.shape[1], 0
        check_room(len(X) * n_modules * n_classes, f"the outputs of {n_modules} modules for {len(X)} rows")
        self._array = np.empty((len(X), X.shape[1] + n_modules * n_classes))
        self._array[:, : X.shape[1]] = X

    @property
    def current(self) -> Array:
        """The input (N × (n + q)) of the next module."""
        return self._array[:, : self.n_features + self.n_outputs]

    def append(self, outputs: Array) -> None:
        """Put the outputs (N × k) of a module behind all that is there."""
        first = self.n_features + self.n_outputs
        self._array[:, first : first + outputs.shape[1]] = outputs
        self.n_outputs += outputs.shape[1]
