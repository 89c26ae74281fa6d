"""How every library is asked for the same thing: its class, its parameters, and what it calls fit and predict.

A library that lacks a kind of work has no method for it, and its row says so. Imports are made when an adapter
is used, in the library's own environment.
"""

from __future__ import annotations

from importlib.metadata import version
from itertools import product
from typing import Any

import numpy as np

LAMBDAS = [10.0**exponent for exponent in range(-8, 9)]
COUNTS = list(range(5, 201, 5))
FOLDS = 3
SCALES = (0.1, 0.3, 1.0, 3.0)
LAM = 1e3


class Adapter:
    """What the adapters share: the task and the precision that is asked for."""

    package = ""

    def __init__(self, task: dict[str, Any], dtype: str) -> None:
        self.nodes, self.strategy, self.dtype = task["nodes"], task["strategy"], dtype
        self.rows = task.get("rows", 0)

    def version(self) -> str:
        return version(self.package)

    def prepare(self, X: Any) -> None:
        """What is not timed: nothing, unless an adapter says otherwise."""

    def predict(self, model: Any, X: Any) -> Any:
        return np.asarray(model.predict(X)).ravel()


def is_regression(y: Any) -> bool:
    """Whether targets are numbers and not classes."""
    return bool(y.dtype.kind == "f")


def one_hot(y: Any) -> Any:
    return np.eye(int(y.max()) + 1)[y]


class Celm(Adapter):
    """This library: float64, mixed, which is single precision where a bound shows that it does no harm, and auto."""

    package = "celm"

    def _options(self) -> dict[str, Any]:
        precision = {"float64": "quick_double"}.get(self.dtype, self.dtype)
        return {"strategy": self.strategy, "precision": precision, "random_state": 0}

    def _model(self, nodes: int, y: Any) -> Any:
        import celm

        kind = celm.ELMRegressor if is_regression(y) else celm.ELMClassifier
        return kind(nodes, lam=LAM, **self._options())

    def fit(self, X: Any, y: Any) -> Any:
        return self._model(self.nodes, y).fit(X, y)

    def _search(self, X: Any, y: Any, counts: list[int], **more: Any) -> Any:
        import celm

        model = celm.ELMClassifier(**self._options())
        return celm.ELMClassifierCV(model, n_hidden_grid=counts, lams=LAMBDAS, cv=FOLDS, random_state=0, **more).fit(
            X, y
        )

    def choice_lambda(self, X: Any, y: Any) -> Any:
        return self._search(X, y, [self.nodes])

    def choice_table1(self, X: Any, y: Any) -> Any:
        return self._search(X, y, [count for count in COUNTS if count <= self.nodes])

    def choice_scale(self, X: Any, y: Any) -> Any:
        return self._search(X, y, [self.nodes], input_scales=list(SCALES))

    def draw(self, X: Any, y: Any) -> Any:
        import celm

        options = celm.WeightOptions(image_shape=image_shape(X.shape[1]))
        return celm.HiddenLayer(self.nodes, strategy=self.strategy, options=options, random_state=0).fit(X, y)

    def out_of_core(self, X: Any, y: Any) -> Any:
        """A fit on ``rows`` rows that are made block by block and never held together."""

        def blocks() -> Any:
            for start in range(0, self.rows, len(X)):
                shift = np.random.default_rng(start).standard_normal(X.shape[1])
                yield X + 0.1 * shift, y

        return self._model(self.nodes, y).fit_blocks(blocks())


def image_shape(features: int) -> tuple[int, int]:
    """The most nearly square picture of so many pixels, for the strategies that want one."""
    height = max(side for side in range(1, int(features**0.5) + 1) if features % side == 0)
    return height, features // height


class OneFit(Celm):
    """The fit that a choice of λ ends with, beside that choice."""

    def choice_lambda(self, X: Any, y: Any) -> Any:
        return self.fit(X, y)


class Validation(Celm):
    """scikit-learn's checks of a row alone, before anything is computed."""

    def predict(self, model: Any, X: Any) -> Any:
        from sklearn.utils.validation import check_is_fitted, validate_data

        check_is_fitted(model)
        validate_data(model, X, reset=False)


class Naive(Adapter):
    """The textbook: hidden outputs once, then every candidate of every fold solved on its own, with numpy."""

    package = "numpy"

    def fit(self, X: Any, y: Any) -> Any:
        W, b, T = self._drawn(X, y)
        return W, b, self._solve(self._outputs(X, W, b), T, LAM)

    def _drawn(self, X: Any, y: Any) -> tuple[Any, Any, Any]:
        rng = np.random.default_rng(0)
        W, b = rng.uniform(-1, 1, (X.shape[1], self.nodes)), rng.uniform(0, 1, self.nodes)
        T = y[:, None] if is_regression(y) else 2 * one_hot(y) - 1
        return W.astype(X.dtype), b.astype(X.dtype), T.astype(X.dtype)

    def _outputs(self, X: Any, W: Any, b: Any) -> Any:
        with np.errstate(over="ignore"):
            return 1 / (1 + np.exp(-(X @ W + b)))

    def _solve(self, H: Any, T: Any, lam: float) -> Any:
        return np.linalg.solve(H.T @ H + np.eye(H.shape[1], dtype=H.dtype) / H.dtype.type(lam), H.T @ T)

    def predict(self, model: Any, X: Any) -> Any:
        W, b, beta = model
        scores = self._outputs(X, W, b) @ beta
        return scores[:, 0] if scores.shape[1] == 1 else scores.argmax(axis=1)

    def choice_lambda(self, X: Any, y: Any) -> Any:
        return self._choice(X, y, [self.nodes])

    def choice_table1(self, X: Any, y: Any) -> Any:
        return self._choice(X, y, [count for count in COUNTS if count <= self.nodes])

    def choice_scale(self, X: Any, y: Any) -> Any:
        return self._choice(X, y, [self.nodes], SCALES)

    def _choice(self, X: Any, y: Any, counts: list[int], scales: tuple[float, ...] = (1.0,)) -> Any:
        W, b, T = self._drawn(X, y)
        folds = np.random.default_rng(1).permutation(np.arange(len(X)) % FOLDS)
        best: tuple[Any, ...] = (-1,)
        for scale in scales:
            H = self._outputs(X, scale * W, b)
            for count, lam in product(counts, LAMBDAS):
                correct = sum(self._correct(H[:, :count], T, y, folds == fold, lam) for fold in range(FOLDS))
                best = max(best, (correct, scale, count, lam))
        _, scale, count, lam = best
        W, b = scale * W[:, :count], b[:count]
        return W, b, self._solve(self._outputs(X, W, b), T, lam)

    def _correct(self, H: Any, T: Any, y: Any, held_out: Any, lam: float) -> int:
        winners = (H[held_out] @ self._solve(H[~held_out], T[~held_out], lam)).argmax(axis=1)
        return int((winners == y[held_out]).sum())


def adapter_named(library: str) -> type[Adapter]:
    """The adapter of a library, of this file or of the peers'."""
    import peer_adapters
    from limit import Limit

    ours = {"celm": Celm, "one fit": OneFit, "validation": Validation}
    return {**ours, "naive": Naive, "limit": Limit, **peer_adapters.ADAPTERS}[library]
