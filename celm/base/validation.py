"""The checks and the error wordings that estimators, datasets and configs share."""

from __future__ import annotations

import difflib
import numbers
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

# How the types of dates, times and their differences are called: numpy, pandas, polars, Arrow.
TIMES = ("date", "time", "duration")


def nearest(name: str, allowed: Iterable[str]) -> str:
    """`` Did you mean 'cdelm'?`` when an allowed name is close to ``name``, else an empty string."""
    written = {one.casefold(): one for one in allowed}
    close = difflib.get_close_matches(str(name).casefold(), list(written), n=1, cutoff=0.5)
    return f" Did you mean {written[close[0]]!r}?" if close else ""


def check_choice(value: Any, name: str, allowed: Iterable[str], owner: str) -> None:
    """``value`` must be one of the ``allowed`` strings."""
    allowed = list(allowed)
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(
            f"{owner}: {name} must be one of {', '.join(allowed)}; got {value!r}.{nearest(value, allowed)}"
        )


def check_integer(value: Any, name: str, owner: str, minimum: int, maximum: int | None = None) -> None:
    """``value`` must be a whole number (not a bool) between ``minimum`` and ``maximum``."""
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not whole or value < minimum or (maximum is not None and value > maximum):
        upper = "" if maximum is None else f" and at most {maximum}"
        raise ValueError(f"{owner}: {name} must be a whole number of at least {minimum}{upper}; got {value!r}.")


def check_number(
    value: Any, name: str, owner: str, minimum: float, maximum: float = np.inf, *, above: bool = False
) -> None:
    """``value`` must be a finite number in [minimum, maximum]; with ``above``, strictly above ``minimum``."""
    real = isinstance(value, numbers.Real) and not isinstance(value, bool) and _is_finite(value)
    if not real or value < minimum or value > maximum or (above and value == minimum):
        low = f"above {minimum:g}" if above else f"of at least {minimum:g}"
        upper = "" if np.isinf(maximum) else f" and at most {maximum:g}"
        raise ValueError(f"{owner}: {name} must be a number {low}{upper}; got {value!r}.")


def _is_finite(value: Any) -> bool:
    try:
        return bool(np.isfinite(float(value)))
    except OverflowError:  # a whole number beyond double precision
        return False


def check_flag(value: Any, name: str, owner: str) -> None:
    """``value`` must be true or false."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{owner}: {name} must be true or false; got {value!r}.")


def as_generator(random_state: Any) -> np.random.Generator:
    """A numpy Generator from None, a non-negative integer, a RandomState or a Generator (used as it is)."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(0, 2**32, size=4, dtype=np.uint32))
    if random_state is not None:
        check_integer(random_state, "random_state", "random_state", 0)
    return np.random.default_rng(random_state)


def is_single(data: Any) -> bool:
    """Whether an array, a sparse matrix or a table holds nothing but single-precision numbers."""
    types = data.dtypes if hasattr(data, "columns") else [getattr(data, "dtype", None)]
    return all(str(kind).lower() == "float32" for kind in types)


def as_given(answer: npt.NDArray[Any], data: Any) -> npt.NDArray[Any]:
    """``answer`` in single precision if ``data`` is; else as it is."""
    return answer.astype(np.float32) if is_single(data) else answer


def check_plain(values: Any, name: str, owner: str, *, dates: bool = False) -> None:
    """Refuse what numpy would quietly take for numbers: entries behind a mask and, unless they may be, dates."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ValueError(f"{owner}: {name} has masked entries, which would count as they are; fill or drop them.")
    types = values.dtypes if hasattr(values, "columns") else [getattr(values, "dtype", "")]
    if not dates and any(str(kind).lower().startswith(TIMES) for kind in types):
        raise ValueError(f"{owner}: {name} holds dates or lengths of time; make numbers of them first.")


def check_labels(y: Any, owner: str) -> None:
    """Labels must be there, and be all numbers or all strings; numpy makes strings of a list of both."""
    values = np.asarray(y, dtype=object if isinstance(y, (list, tuple)) else None)
    if y is None or values.dtype != object:
        return
    kinds = sorted({"str" if isinstance(label, str) else type(label).__name__ for label in values.ravel()})
    if "NoneType" in kinds:
        raise ValueError(f"{owner}: every row needs a label; y holds None.")
    if "str" in kinds and len(kinds) > 1:
        raise ValueError(f"{owner}: labels must be all numbers or all strings; y holds {' and '.join(kinds)}.")


def encode_labels(y: npt.ArrayLike, owner: str) -> tuple[npt.NDArray[Any], npt.NDArray[np.intp]]:
    """The sorted classes of ``y`` and its codes 0..k-1; at least two classes are needed."""
    classes, codes = np.unique(np.asarray(y), return_inverse=True)
    if classes.dtype.kind == "f" and not np.isfinite(classes).all():
        raise ValueError(f"{owner}: classes must be finite numbers or texts; got {classes.tolist()}.")
    if len(classes) < 2:
        raise ValueError(f"{owner}: a classifier needs at least two classes; y holds only 1 class: {classes[0]!r}.")
    return classes, codes


def codes_among(classes: npt.NDArray[Any], y: npt.NDArray[Any], owner: str) -> npt.NDArray[np.intp]:
    """The codes of ``y`` among sorted ``classes``; a label that is not one of them is refused."""
    codes = np.searchsorted(classes, y).clip(max=len(classes) - 1)
    unknown = np.unique(y[classes[codes] != y]).tolist()
    if unknown:
        raise ValueError(f"{owner}: labels {unknown} are not among the classes {classes.tolist()}.")
    return codes


def signed_targets(
    codes: npt.NDArray[np.intp], n_classes: int, low: float = -1.0, high: float = 1.0
) -> npt.NDArray[np.float64]:
    """One target column per class: ``high`` in the sample's own class, ``low`` elsewhere (N × k)."""
    targets = np.full((len(codes), n_classes), low)
    targets[np.arange(len(codes)), codes] = high
    return targets


def check_folds(cv: Any, n_rows: int, rng: np.random.Generator, owner: str) -> npt.NDArray[np.intp]:
    """One fold number per row: ``cv`` itself if it is such an array, else ``cv`` balanced folds, shuffled."""
    if np.ndim(cv) == 0:
        check_integer(cv, "cv", owner, 2, n_rows)
        return rng.permutation(np.arange(n_rows) % int(cv))
    folds = np.asarray(cv)
    if (
        folds.shape != (n_rows,)
        or folds.dtype.kind not in "iu"
        or not np.array_equal(np.unique(folds), np.arange(folds.max(initial=0) + 1))
        or folds.max(initial=0) < 1
    ):
        raise ValueError(
            f"{owner}: cv must be a number of folds or one fold number (0, 1, …) for each of the {n_rows} rows; "
            f"got an array of shape {folds.shape} with values {np.unique(folds)[:5]}."
        )
    return folds.astype(np.intp)
