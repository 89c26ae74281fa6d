"""The hidden layer as one value: H = g(XW + b), whole or by blocks of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from celm.base.validation import check_choice
from celm.linalg.blocks import Buffers, Rows, share_out

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
AnyLayer = TypeVar("AnyLayer", bound="Layer")

PRECISIONS = ("double", "quick_double", "single_products", "mixed", "auto")
# Those in which a sigmoid in double precision may be the processor's quickest.
QUICK = ("quick_double", "mixed", "auto")
# What the solver makes of the last two where a bound allows it: products and the sums of a block in single precision.
SINGLE = "single"

# Numbers from which on an activation is worth sharing out between threads.
SHARED = 200_000
# Numbers that stay in the cache of one core while they are activated.
AT_HAND = 2**16
# Numbers up to which one call of a slower function is done before four of quicker ones have begun.
FEW = 500


def _sigmoid(z: Array) -> None:
    """1/(1 + exp(−z)) in place, in double precision with the same digits on every processor."""
    if z.dtype == np.float64:
        expit(z, out=z)
    else:
        _by_exp(z)


def _quick_sigmoid(z: Array) -> None:
    """1/(1 + exp(−z)) in place by whatever is quickest here."""
    (_by_exp if z.size > FEW and exp_is_vectorised() else _sigmoid)(z)


def _by_exp(z: Array) -> None:
    """1/(1 + exp(−z)) in place; in single precision, and where it is vectorised, numpy's exp beats scipy's expit."""
    np.negative(z, out=z)
    with np.errstate(over="ignore"):
        np.exp(z, out=z)
    z += 1
    np.reciprocal(z, out=z)


@cache
def exp_is_vectorised() -> bool:
    """Whether numpy's exp in double precision has AVX-512 or its like here: elsewhere it goes number by number."""
    try:
        from numpy.lib.introspect import opt_func_info
    except ImportError:  # before numpy 2
        return False
    kernels = opt_func_info(func_name="^exp$", signature="float64").get("exp", {})
    return any(kernel["current"] in ("X86_V4", "AVX512_SKX", "AVX512F") for kernel in kernels.values())


def _tanh(z: Array) -> None:
    np.tanh(z, out=z)


ACTIVATIONS: dict[str, Callable[[Array], None]] = {"sigmoid": _sigmoid, "tanh": _tanh, "identity": lambda z: None}


def activated(g: Callable[[Array], None], Z: Floats, b: Array | None = None) -> Floats:
    """g(Z + b) in place of Z, by all threads of BLAS where numbers are many: the same bits on any number of them."""

    def activate(z: Floats) -> None:
        if b is not None:
            z += b
        g(z)

    if Z.size < SHARED:
        activate(Z)
    else:
        share_out(np.array_split(Z, -(-Z.size // SHARED)), lambda: activate, None)
    return Z


@dataclass(frozen=True, eq=False)
class Layer:
    """The hidden layer H = g(XW + b), without its rows.

    Parameters
    ----------
    W : array (n, L)
        Input weights, one column per node. A scale of the inputs such as 1/255 belongs here.
    b : array (L,)
        Biases.
    activation : {"sigmoid", "tanh", "identity"}
        The function g.
    precision : {"double", "quick_double", "single_products", "mixed", "auto", "single"}
        Of XW + b and g where rows go in blocks. H comes as float64 and so do sums over its rows; with "single" H and
        the sums of a block are float32. "quick_double" has the sigmoid that is quickest on this processor, which may
        differ in its last digit. "mixed" and "auto" leave the choice to the solver
        (:func:`celm.linalg.solve.solve_readout`) and are quick_double everywhere else.

    Examples
    --------
    >>> import numpy as np
    >>> layer = Layer(np.array([[0.0, 1.0]]), np.array([0.0, -2.0]))
    >>> layer.outputs(np.array([[2.0]]))
    array([[0.5, 0.5]])
    >>> layer.first(1).n_hidden
    1
    """

    W: Array
    b: Array
    activation: str = "sigmoid"
    precision: str = "double"

    def __post_init__(self) -> None:
        check_choice(self.activation, "activation", ACTIVATIONS, "Layer")
        check_choice(self.precision, "precision", (*PRECISIONS, SINGLE), "Layer")
        if self.W.ndim != 2 or self.b.shape != (self.W.shape[1],):
            raise ValueError(f"Layer: W must be n × L and b of length L; got {self.W.shape} and {self.b.shape}.")

    @property
    def n_inputs(self) -> int:
        """Features n of a row."""
        return int(self.W.shape[0])

    @property
    def n_hidden(self) -> int:
        """Nodes L."""
        return int(self.W.shape[1])

    @property
    def product_type(self) -> type[np.floating[Any]]:
        """The type in which XW + b and g are computed by blocks."""
        return np.float32 if self.precision in ("single_products", SINGLE) else np.float64

    @property
    def sum_type(self) -> type[np.floating[Any]]:
        """The type of H by blocks, and of the sums over the rows of a block."""
        return np.float32 if self.precision == SINGLE else np.float64

    @property
    def g(self) -> Callable[[Array], None]:
        """The activation, in place."""
        return (
            _quick_sigmoid if self.activation == "sigmoid" and self.precision in QUICK else ACTIVATIONS[self.activation]
        )

    def in_double(self: AnyLayer) -> AnyLayer:
        """The layer with products in double precision."""
        return replace(self, precision="quick_double" if self.precision in QUICK else "double")

    def first(self: AnyLayer, n_hidden: int) -> AnyLayer:
        """The layer of the first nodes alone, a view."""
        return self if n_hidden == self.n_hidden else replace(self, W=self.W[:, :n_hidden], b=self.b[:n_hidden])

    def scaled(self: AnyLayer, slope: float) -> AnyLayer:
        """g(slope·(XW + b)): weights and biases times ``slope``."""
        return replace(self, W=slope * self.W, b=slope * self.b)

    def weighted(self, X: Any) -> Floats:
        """XW (N × L) of all rows of X (N × n) at once, in double precision."""
        return np.asarray(X) @ self.W

    def products(self, X: Any) -> Floats:
        """XW + b (N × L) of all rows of X (N × n) at once, in double precision."""
        Z = self.weighted(X)
        Z += self.b
        return Z

    def outputs(self, X: Any) -> Floats:
        """H (N × L) of all rows of X (N × n) at once, in double precision."""
        return activated(self.g, self.weighted(X), self.b)

    def by_blocks(self) -> BlockOutputs:
        """What makes H block by block; every thread takes one of its own."""
        return BlockOutputs(self)


class BlockOutputs:
    """H by blocks of rows; one instance per thread, since it owns its buffers.

    X (N × n) may be of any real type: a block is converted when it is used.
    """

    def __init__(self, layer: Layer) -> None:
        self._dtype, self._sum_type = layer.product_type, layer.sum_type
        # Weights that must be converted anyway are laid out for the quicker single-precision product.
        order: Literal["C", "K"] = "K" if layer.W.dtype == self._dtype else "C"
        self._W, self._b = (array.astype(self._dtype, order, copy=False) for array in (layer.W, layer.b))
        self._activate = layer.g
        self._buffers = Buffers()

    def __call__(
        self, X: Array, rows: Rows, room: Array | None = None, look: Callable[[Array], None] | None = None
    ) -> Array:
        """The hidden outputs (rows × L) of ``X[rows]``, valid until the next call; ``room`` as in :meth:`weighted`.

        ``look`` is given XW + b, some rows at a time, before they are activated.
        """
        z = self.weighted(X, rows, room)
        for part in _in_cache(z):
            part += self._b
            if look is not None:
                look(part)
            self._activate(part)
        return self._buffers.converted("H", z, self._sum_type)

    def weighted(self, X: Array, rows: Rows, room: Array | None = None) -> Array:
        """XW (rows × L), in the type of the layer's products, valid until the next call.

        They are made in ``room`` (rows × L) if it is given and of that type.
        """
        inputs = self._buffers.rows_of(X, rows, self._dtype)
        if room is None or room.dtype != self._dtype:
            room = self._buffers.get("z", (len(inputs), self._W.shape[1]), self._dtype)
        return np.matmul(inputs, self._W, out=room)


def _in_cache(z: Array) -> Iterator[Array]:
    """The rows of z, so many at a time that a core keeps them at hand for everything that is done to them."""
    step = max(1, AT_HAND // max(1, z.shape[1]))
    return (z[start : start + step] for start in range(0, len(z), step))
