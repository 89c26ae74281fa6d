"""A network with one hidden layer and its full-batch training by resilient backpropagation (RPROP).

The network maps rows x (n inputs) to y = f(tanh(x·W + b)·U + c), with f the identity ("purelin") or tanh
("tansig"). All its weights live in one flat vector, so that one RPROP step is a handful of element-wise
operations; the layers are views into that vector.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

# The values of MATLAB's trainrp; MATLAB has no smallest step, the one here is Riedmiller and Braun's (1993).
FIRST_STEP = 0.07
GROWTH, SHRINKAGE = 1.2, 0.5
SMALLEST_STEP, LARGEST_STEP = 1e-6, 50.0
SMALLEST_GRADIENT = 1e-5

# tanh is taken to be active for inputs in [-2, 2]: the range over which Nguyen and Widrow spread the nodes.
ACTIVE_HALF_RANGE = 2.0


class Shape(NamedTuple):
    """Numbers of inputs (n), hidden nodes (L) and outputs (k), and the output activation."""

    n_inputs: int
    n_hidden: int
    n_outputs: int
    output: str

    @property
    def n_weights(self) -> int:
        return (self.n_inputs + 1) * self.n_hidden + (self.n_hidden + 1) * self.n_outputs


class Layers(NamedTuple):
    """W (n × L) and b (L,) of the hidden layer, U (L × k) and c (k,) of the output layer."""

    W: Array
    b: Array
    U: Array
    c: Array


class Training(NamedTuple):
    """The weights a training keeps and how it went; epoch e is the state after e updates."""

    weights: Array
    loss: float
    n_epochs: int
    best_epoch: int
    stop_reason: str


@dataclass
class Rows:
    """Inputs X (N × n), targets T (N × k) and the buffers that hold the activations of these rows."""

    X: Array
    T: Array
    hidden: Array
    outputs: Array

    @classmethod
    def of(cls, X: Array, T: Array, n_hidden: int) -> Rows:
        return cls(X, T, np.empty((len(X), n_hidden), X.dtype), np.empty_like(T))


def layers_of(weights: Array, shape: Shape) -> Layers:
    """The four layers as views into the flat vector ``weights``."""
    n, L, k, _ = shape
    W, b, U, c = np.split(weights, np.cumsum([n * L, L, L * k]))
    return Layers(W.reshape(n, L), b, U.reshape(L, k), c)


def nguyen_widrow(n_inputs: int, n_nodes: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Start weights (n × L) and biases (L,) of a tanh layer whose inputs lie in [-1, 1].

    Random directions of length 2·0.7·L^(1/n); the biases are evenly spaced over ± that length, so that the
    nodes' active regions share out the input space (Nguyen and Widrow 1990, as in MATLAB's initnw).
    """
    directions = rng.standard_normal((n_inputs, n_nodes))
    length = ACTIVE_HALF_RANGE * 0.7 * n_nodes ** (1.0 / n_inputs)
    W = directions * (length / np.linalg.norm(directions, axis=0))
    b = length * np.linspace(-1.0, 1.0, n_nodes) * np.sign(W[0]) if n_nodes > 1 else np.zeros(1)
    return W, b


def start_weights(shape: Shape, rng: np.random.Generator) -> Array:
    """Nguyen–Widrow tanh layers; a linear output layer starts from U[-1, 1], as in MATLAB."""
    weights = np.empty(shape.n_weights)
    layers = layers_of(weights, shape)
    layers.W[:], layers.b[:] = nguyen_widrow(shape.n_inputs, shape.n_hidden, rng)
    if shape.output == "tansig":
        layers.U[:], layers.c[:] = nguyen_widrow(shape.n_hidden, shape.n_outputs, rng)
    else:
        layers.U[:], layers.c[:] = rng.uniform(-1, 1, layers.U.shape), rng.uniform(-1, 1, layers.c.shape)
    return weights


def forward(layers: Layers, output: str, X: Array, hidden: Array, outputs: Array) -> Array:
    """Network outputs for the rows of X, written into ``hidden`` (N × L) and ``outputs`` (N × k)."""
    np.matmul(X, layers.W, out=hidden)
    hidden += layers.b
    np.tanh(hidden, out=hidden)
    np.matmul(hidden, layers.U, out=outputs)
    outputs += layers.c
    return np.tanh(outputs, out=outputs) if output == "tansig" else outputs


def mean_squared_error(layers: Layers, output: str, rows: Rows) -> float:
    """Mean of (y − t)² over rows and outputs."""
    errors = forward(layers, output, rows.X, rows.hidden, rows.outputs) - rows.T
    return float(np.vdot(errors, errors)) / errors.size


def loss_and_gradient(layers: Layers, output: str, rows: Rows, gradient: Layers, back: Array) -> float:
    """The mean squared error; its derivatives are written into the views ``gradient``.

    With D = 2(y − t)/(N·k) ∘ f'(·) at the outputs and B = (D·Uᵀ) ∘ (1 − H²) at the hidden nodes, the
    derivatives are Xᵀ·B, ΣB, Hᵀ·D and ΣD. ``back`` (N × L) is room for B; ``rows.hidden`` is used up.
    """
    D = forward(layers, output, rows.X, rows.hidden, rows.outputs) - rows.T
    H, Y = rows.hidden, rows.outputs
    loss = float(np.vdot(D, D)) / D.size
    D *= 2.0 / D.size
    if output == "tansig":
        D *= 1.0 - Y * Y
    np.matmul(H.T, D, out=gradient.U)
    np.sum(D, axis=0, out=gradient.c)
    np.matmul(D, layers.U.T, out=back)
    np.multiply(H, H, out=H)
    np.subtract(1.0, H, out=H)
    back *= H
    np.matmul(rows.X.T, back, out=gradient.W)
    np.sum(back, axis=0, out=gradient.b)
    return loss


def rprop_step(weights: Array, gradient: Array, signs: Array, steps: Array) -> None:
    """One RPROP update of ``weights``, ``signs`` (of the previous gradient) and ``steps``, all in place.

    RPROP without weight-backtracking, the variant of MATLAB's trainrp: a step grows by 1.2 where the
    derivative kept its sign, is halved where the sign changed and stays where either derivative is zero;
    then every weight moves by its step against the sign of its derivative, after a sign change too.
    """
    new_signs = np.sign(gradient)
    agreement = signs * new_signs
    np.multiply(steps, GROWTH, out=steps, where=agreement > 0)
    np.multiply(steps, SHRINKAGE, out=steps, where=agreement < 0)
    np.clip(steps, SMALLEST_STEP, LARGEST_STEP, out=steps)
    weights -= steps * new_signs
    signs[:] = new_signs


class _KeptWeights:
    """The weights to keep: the latest, or those of the epoch with the lowest validation loss."""

    def __init__(self, weights: Array) -> None:
        self.weights = weights.copy()
        self.loss = self.validation_loss = np.inf
        self.epoch = 0

    def keep(self, epoch: int, weights: Array, loss: float) -> None:
        self.weights[:] = weights
        self.epoch, self.loss = epoch, loss

    def offer(self, epoch: int, weights: Array, loss: float, validation_loss: float) -> None:
        if validation_loss < self.validation_loss:
            self.keep(epoch, weights, loss)
            self.validation_loss = validation_loss


def train(
    start: Array, shape: Shape, rows: Rows, validation: Rows | None, *, max_epochs: int, patience: int
) -> Training:
    """Full-batch RPROP on the mean squared error from the weights ``start``.

    Stops when the gradient's norm falls below 1e-5 ("gradient"), after ``max_epochs`` updates ("max_epochs")
    or when the loss on the ``validation`` rows has not improved for ``patience`` epochs ("validation").
    With validation rows the weights of their lowest loss are kept, without them the last ones.
    """
    weights, gradient, signs = start.copy(), np.empty_like(start), np.zeros_like(start)
    steps = np.full_like(start, FIRST_STEP)
    layers, gradient_layers = layers_of(weights, shape), layers_of(gradient, shape)
    back, kept = np.empty_like(rows.hidden), _KeptWeights(weights)
    for epoch in range(max_epochs + 1):
        loss = loss_and_gradient(layers, shape.output, rows, gradient_layers, back)
        if validation is None:
            kept.keep(epoch, weights, loss)
        else:
            kept.offer(epoch, weights, loss, mean_squared_error(layers, shape.output, validation))
        if np.sqrt(np.vdot(gradient, gradient)) < SMALLEST_GRADIENT:
            return Training(kept.weights, kept.loss, epoch, kept.epoch, "gradient")
        if epoch - kept.epoch >= patience:
            return Training(kept.weights, kept.loss, epoch, kept.epoch, "validation")
        if epoch < max_epochs:
            rprop_step(weights, gradient, signs, steps)
    return Training(kept.weights, kept.loss, max_epochs, kept.epoch, "max_epochs")
