"""Data of every size, type, order and container: case ``i`` of a seed is always the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse

Generator = np.random.Generator

# The largest and smallest powers of ten that a double holds with all its digits.
SMALLEST, LARGEST = -307, 307


class Case(NamedTuple):
    """Rows, targets, and in words what was done to them."""

    X: Any
    y: Any
    about: str


def _magnitude(X: Any, rng: Generator) -> tuple[Any, str]:
    """All values, or every column, multiplied by some power of ten between the ends of double precision."""
    if rng.random() < 0.5:
        return X, "ordinary size"
    if rng.random() < 0.7:
        power = int(rng.integers(SMALLEST, LARGEST))
        return X * 10.0**power, f"times 1e{power}"
    powers = rng.integers(-150, 150, X.shape[1])
    return X * 10.0 ** powers.astype(float), f"columns times 1e{powers.tolist()}"


def _spoil(X: Any, rng: Generator) -> tuple[Any, str]:
    """Constant, equal and empty columns, equal rows: what real tables have."""
    X, done = X.copy(), []
    if rng.random() < 0.2:
        X[:, rng.integers(X.shape[1])] = rng.choice([0.0, 1.0, -3.5])
        done.append("a constant column")
    if rng.random() < 0.2:
        X[:, rng.integers(X.shape[1])] = X[:, rng.integers(X.shape[1])]
        done.append("two equal columns")
    if rng.random() < 0.2:
        X[rng.integers(len(X), size=max(1, len(X) // 2))] = X[rng.integers(len(X))]
        done.append("equal rows")
    if rng.random() < 0.1:
        X[rng.integers(len(X))] = 0.0
        done.append("a row of zeros")
    if rng.random() < 0.05:
        X[:] = X[0]
        done.append("one row, again and again")
    if rng.random() < 0.06:
        X[rng.integers(len(X)), rng.integers(X.shape[1])] = rng.choice([np.nan, np.inf, -np.inf])
        done.append("a value that is not finite")
    return X, ", ".join(done) or "as drawn"


TYPES: dict[str, Callable[[Any], Any]] = {
    "float64": lambda X: X,
    "float32": lambda X: X.astype(np.float32),
    "float16": lambda X: X.astype(np.float16),
    "longdouble": lambda X: X.astype(np.longdouble),
    "int64": lambda X: _whole(X, 1e15).astype(np.int64),
    "int8": lambda X: _whole(X, 100).astype(np.int8),
    "uint8": lambda X: np.abs(_whole(X, 200)).astype(np.uint8),
    "bool": lambda X: X > 0,
    "object": lambda X: X.astype(object),
    "big endian": lambda X: X.astype(">f8"),
    "complex": lambda X: X.astype(complex),
    "text": lambda X: X.astype(str),
}


def _whole(X: Any, largest: float) -> Any:
    return np.nan_to_num(np.clip(np.rint(X), -largest, largest), nan=0.0)


ORDERS: dict[str, Callable[[Any], Any]] = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "every second row": lambda X: np.repeat(X, 2, axis=0)[::2],
    "backwards": lambda X: np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1],
    "read-only": lambda X: _locked(np.array(X)),
}


def _locked(X: Any) -> Any:
    X.flags.writeable = False
    return X


def _sparse(X: Any) -> Any:
    if np.iscomplexobj(X):
        raise ValueError("complex numbers would lose their imaginary part")
    return sparse.csr_array(np.asarray(X, dtype=float))


def _frame(X: Any) -> pd.DataFrame:
    return pd.DataFrame(X, columns=[f"feature {j}" for j in range(X.shape[1])])


CONTAINERS: dict[str, Callable[[Any], Any]] = {
    "array": lambda X: X,
    "list": lambda X: X.tolist(),
    "DataFrame": _frame,
    "CSR": _sparse,
    "matrix of one row more axes": lambda X: X[None],
    "one axis": lambda X: np.ravel(X),
}

LABELS: dict[str, Callable[[Any], Any]] = {
    "whole numbers": lambda y: y,
    "from −5 in steps of 3": lambda y: 3 * y - 5,
    "floats": lambda y: y.astype(float),
    "words": lambda y: np.array(["no", "yes", "maybe", "ß"])[y],
    "objects": lambda y: np.array(["no", "yes", "maybe", "ß"], dtype=object)[y],
    "bool": lambda y: y > 0,
    "list": lambda y: y.tolist(),
    "Series": lambda y: pd.Series(y),
    "a column": lambda y: y[:, None],
    "one missing": lambda y: np.where(np.arange(len(y)) == 0, None, y.astype(object)),
    "too short": lambda y: y[:-1],
    "mixed": lambda y: np.array([int(v) if i % 2 else str(v) for i, v in enumerate(y)], dtype=object),
}


def _pick(choices: dict[str, Any], usual: float, rng: Generator) -> str:
    """The first of ``choices`` with that chance, else any."""
    names = list(choices)
    return names[0] if rng.random() < usual else str(rng.choice(names))


def _targets(codes: Any, regression: bool, rng: Generator) -> tuple[Any, str]:
    if not regression:
        name = _pick(LABELS, 0.6, rng)
        return LABELS[name](codes), f"labels: {name}"
    power = int(rng.integers(SMALLEST, LARGEST)) if rng.random() < 0.2 else 0
    y = (codes + rng.standard_normal(len(codes))) * 10.0**power
    return (np.column_stack([y, -y]), f"two targets times 1e{power}") if rng.random() < 0.3 else (y, f"1e{power}")


def case(seed: int, index: int, regression: bool = False) -> Case:
    """One input: rows, targets and what is odd about them."""
    rng = np.random.default_rng([seed, index])
    n, width = int(rng.choice([1, 2, 3, 5, 9, 20, 40])), int(rng.choice([1, 2, 3, 7]))
    codes = rng.integers(0, int(rng.integers(1, 5)), n)
    if rng.random() < 0.1:
        codes = np.arange(n) % 4
    X, spoilt = _spoil(rng.standard_normal((n, width)) + codes[:, None], rng)
    with np.errstate(over="ignore", invalid="ignore"):
        X, size = _magnitude(X, rng)
        kind, order, container = _pick(TYPES, 0.6, rng), _pick(ORDERS, 0.6, rng), _pick(CONTAINERS, 0.7, rng)
        try:
            X = CONTAINERS[container](ORDERS[order](TYPES[kind](X)))
        except ValueError:  # neither text nor complex numbers can stand in a sparse matrix
            container = "array"
    y, labels = _targets(codes, regression, rng)
    return Case(X, y, f"{n} × {width}, {size}, {spoilt}, {kind}, {order}, {container}, {labels}")
