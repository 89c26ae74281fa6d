"""Fitted models as ONNX graphs, which run without Python: scores, classes, probabilities or predicted numbers."""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from celm.base.validation import check_choice
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.regressor import ELMRegressor

__all__ = ["RoundingWarning", "to_onnx"]

# Versions that every runtime of the last years reads.
OPSET, IR = 17, 8
PRECISIONS = {"float32": np.float32, "float64": np.float64}
# A bound on what single precision may move a score by; above it a warning says so.
TOLERATED = 1e-3


class RoundingWarning(UserWarning):
    """Output weights are so large that single precision moves scores visibly."""


def to_onnx(model: Any, dtype: str = "float32") -> Any:
    """A fitted model as an ONNX graph.

    The graph has one input ``X`` (N × n). Of a classifier it answers ``label`` (N), ``scores`` (N × k) and, fitted with
    ``proba=True``, ``probabilities`` (N × k); of a regressor ``prediction``, of the form of its targets.

    Parameters
    ----------
    model : ELMClassifier, ELMRegressor, their CV form, or a Pipeline
        Fitted. A pipeline may hold any number of ``StandardScaler`` before its last step; what a search has chosen is
        exported.
    dtype : {"float32", "float64"}, default="float32"
        Of the input, the arithmetic and the scores. Single precision is what runtimes are fast in; with large output
        weights, of a weak penalty, it moves scores, and a :class:`RoundingWarning` says by how much at most.

    Returns
    -------
    onnx.ModelProto
        The graph, checked; ``onnx.save`` writes it.

    See Also
    --------
    celm.ELMClassifier, celm.ELMRegressor : what can be exported.

    Examples
    --------
    >>> import onnxruntime
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from celm import ELMClassifier
    >>> from celm.onnx import to_onnx
    >>> X, y = load_iris(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), ELMClassifier(30, lam=10.0, random_state=0)).fit(X, y)
    >>> session = onnxruntime.InferenceSession(to_onnx(model).SerializeToString())
    >>> label, scores = session.run(None, {"X": X.astype("float32")})
    >>> bool((label == model.predict(X)).all()), scores.shape
    (True, (150, 3))
    """
    check_choice(dtype, "dtype", PRECISIONS, "to_onnx")
    scalers, machine = _parts(model)
    graph = _Graph(PRECISIONS[dtype])
    rows = "X"
    for scaler in scalers:
        rows = graph.scaled(rows, scaler)
    hidden = graph.node("Sigmoid", graph.affine(rows, machine.W_, machine.b_))
    if isinstance(machine, ELMRegressor):
        graph.answer_numbers(hidden, machine)
    else:
        graph.answer_classes(hidden, machine)
    if dtype == "float32":
        _warn_of_rounding(machine.beta_)
    first = scalers[0].n_features_in_ if scalers else machine.n_features_in_
    return graph.model(int(first))


def _parts(model: Any) -> tuple[list[StandardScaler], Any]:
    """The scalers and the machine of a model."""
    steps = [step for _, step in model.steps] if isinstance(model, Pipeline) else [model]
    steps = [step for step in steps if step is not None and step != "passthrough"]
    *before, last = steps or [None]
    machine = getattr(last, "best_estimator_", last)
    if isinstance(machine, Pipeline):
        inner, machine = _parts(machine)
        before += inner
    if not isinstance(machine, (ELMClassifier, ELMRegressor)):
        raise TypeError(
            f"to_onnx: the model must be a fitted ELMClassifier or ELMRegressor; got {type(last).__name__}."
        )
    for step in before:
        if not isinstance(step, StandardScaler):
            raise TypeError(f"to_onnx: steps before the model must be a StandardScaler; got {type(step).__name__}.")
    for part in (*before, machine):
        check_is_fitted(part)
    return before, machine


def _warn_of_rounding(beta: npt.NDArray[np.float64]) -> None:
    bound = float(np.finfo(np.float32).eps * np.abs(beta).sum(axis=0).max())
    if bound > TOLERATED:
        warnings.warn(
            f'to_onnx: in single precision scores may be off by {bound:.1g}; take dtype="float64", or a smaller lam.',
            RoundingWarning,
            stacklevel=3,
        )


class _Graph:
    """Nodes, constants and answers of a graph while it is built."""

    def __init__(self, dtype: Any) -> None:
        try:
            self._onnx = import_module("onnx")
        except ModuleNotFoundError as missing:
            raise ImportError("celm.onnx needs the onnx extra: pip install 'celm[onnx]'") from missing
        self._dtype = dtype
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._answers: list[Any] = []

    def constant(self, values: Any) -> str:
        """A tensor of the graph: floats in its precision, whole numbers and words as they are."""
        array = np.asarray(values)
        if array.dtype.kind == "f":
            array = self._in_precision(array)
        name = f"constant{len(self._constants)}"
        if array.dtype.kind in "UO":
            words = [str(word).encode() for word in array.ravel()]
            tensor = self._onnx.helper.make_tensor(name, self._onnx.TensorProto.STRING, array.shape, words)
        else:
            tensor = self._onnx.numpy_helper.from_array(np.ascontiguousarray(array), name)
        self._constants.append(tensor)
        return name

    def _in_precision(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Numbers in the precision of the graph; refused where they are too large for it, or all vanish."""
        with np.errstate(over="ignore", under="ignore"):
            rounded = array.astype(self._dtype)
        largest = np.abs(array).max(initial=0.0)
        if np.isinf(rounded).any() or 0.0 < largest < np.finfo(self._dtype).tiny:
            raise ValueError(
                f'to_onnx: numbers of the model are as large as {largest:.3g}, beyond dtype="{np.dtype(self._dtype)}"; '
                'take dtype="float64", or fit on scaled rows and targets.'
            )
        return rounded

    def node(self, kind: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        """Add an operation; the name of what it gives."""
        name = output or f"value{len(self._nodes)}"
        self._nodes.append(self._onnx.helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def affine(self, rows: str, W: Any, b: Any) -> str:
        """rows·W + b."""
        return self.node("Add", self.node("MatMul", rows, self.constant(W)), self.constant(b))

    def scaled(self, rows: str, scaler: StandardScaler) -> str:
        """(rows − mean)/scale, as far as the scaler does either."""
        if scaler.mean_ is not None and scaler.with_mean:
            rows = self.node("Sub", rows, self.constant(scaler.mean_))
        if scaler.scale_ is not None:
            rows = self.node("Div", rows, self.constant(scaler.scale_))
        return rows

    def answer(self, name: str, kind: Any, shape: list[Any]) -> None:
        """Declare ``name`` as an answer."""
        self._answers.append(self._onnx.helper.make_tensor_value_info(name, kind, shape))

    def float_type(self) -> Any:
        """The precision of the graph, in ONNX's words."""
        return self._onnx.helper.np_dtype_to_tensor_dtype(np.dtype(self._dtype))

    def answer_numbers(self, hidden: str, machine: ELMRegressor) -> None:
        """``prediction``, one column per target or flat."""
        if machine._flat:
            columns = self.affine(hidden, machine.beta_, machine.intercept_)
            self.node("Squeeze", columns, self.constant(np.array([1])), output="prediction")
        else:
            scores = self.node("MatMul", hidden, self.constant(machine.beta_))
            self.node("Add", scores, self.constant(machine.intercept_), output="prediction")
        self.answer("prediction", self.float_type(), ["N"] if machine._flat else ["N", len(machine.intercept_)])

    def answer_classes(self, hidden: str, machine: ELMClassifier) -> None:
        """``label``, ``scores`` and, where they are learned, ``probabilities``."""
        classes = machine.classes_
        if classes.dtype.kind not in "biufUO":
            raise TypeError(f"to_onnx: classes must be numbers or words; got {classes.dtype}.")
        if classes.dtype.kind == "b":
            classes = classes.astype(bool)
        elif classes.dtype.kind in "iu":
            classes = classes.astype(np.int64)
        scores = self.node("MatMul", hidden, self.constant(machine.beta_), output="scores")
        best = self.node("ArgMax", scores, axis=1, keepdims=0)
        self.node("Gather", self.constant(classes), best, output="label")
        words = classes.dtype.kind in "UO"
        held = np.dtype(self._dtype) if classes.dtype.kind == "f" else classes.dtype
        kind = self._onnx.TensorProto.STRING if words else self._onnx.helper.np_dtype_to_tensor_dtype(held)
        self.answer("label", kind, ["N"])
        self.answer("scores", self.float_type(), ["N", len(classes)])
        if machine.proba:
            cooled = self.node("Div", scores, self.constant(np.array(machine.temperature_)))
            self.node("Softmax", cooled, output="probabilities", axis=1)
            self.answer("probabilities", self.float_type(), ["N", len(classes)])

    def model(self, n_features: int) -> Any:
        """The whole, checked."""
        helper = self._onnx.helper
        rows = helper.make_tensor_value_info("X", self.float_type(), ["N", n_features])
        graph = helper.make_graph(self._nodes, "celm", [rows], self._answers, self._constants)
        opset = [helper.make_opsetid("", OPSET)]
        made = helper.make_model(graph, opset_imports=opset, ir_version=IR, producer_name="celm")
        self._onnx.checker.check_model(made, full_check=True)
        return made
