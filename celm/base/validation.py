"""The checks and the error wordings that estimators, datasets and configs share."""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

# How the types of dates, times and their differences are called: numpy, pandas, polars, Arrow.
TIMES = ("date", "time", "duration")
# A value that is quoted in a message: lists of so many entries, texts and others of so many characters.
_SHORT = reprlib.Repr()
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxset = _SHORT.maxfrozenset = _SHORT.maxdict = 20
_SHORT.maxstring = _SHORT.maxlong = 100
_SHORT.maxother = 400


def quoted(value: Any) -> str:
    """A value of somebody else's as a message shows it: shortened, and by its type where it cannot be shown at all.

    Examples
    --------
    >>> quoted([1, "two"]), len(quoted("x" * 10_000_000)), quoted(10**5000)
    ("[1, 'two']", 100, 'a value of type int')
    """
    try:
        return _SHORT.repr(value)
    except Exception:  # numbers of more digits than Python writes, and classes whose repr fails
        return f"a value of type {type(value).__name__}"


def nearest(name: str, allowed: Iterable[str]) -> str:
    """`` Did you mean 'cdelm'?`` when an allowed name is close to ``name``, else an empty string."""
    written = {one.casefold(): one for one in allowed}
    close = difflib.get_close_matches(str(name)[:100].casefold(), list(written), n=1, cutoff=0.5)
    return f" Did you mean {written[close[0]]!r}?" if close else ""


def check_choice(value: Any, name: str, allowed: Collection[str], owner: str) -> None:
    """``value`` must be one of the ``allowed`` strings."""
    if not isinstance(value, str) or value not in allowed:
        way = nearest(value, allowed) if isinstance(value, str) else ""
        raise ValueError(f"{owner}: {name} must be one of {', '.join(allowed)}; got {quoted(value)}.{way}")


def check_integer(value: Any, name: str, owner: str, minimum: int, maximum: int | None = None) -> None:
    """``value`` must be a whole number (not a bool) between ``minimum`` and ``maximum``."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.timedelta64))
    beyond = whole and not _is_finite(value)
    if not whole or beyond or value < minimum or (maximum is not None and value > maximum):
        upper = f" and at most {maximum}" if maximum is not None else " that a float can hold" if beyond else ""
        raise ValueError(f"{owner}: {name} must be a whole number of at least {minimum}{upper}; got {quoted(value)}.")


def check_number(
    value: Any, name: str, owner: str, minimum: float, maximum: float = np.inf, *, above: bool = False
) -> None:
    """``value`` must be a finite number in [minimum, maximum]; with ``above``, strictly above ``minimum``."""
    real = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, (bool, np.timedelta64))
    if not real or not _is_finite(value) or value < minimum or value > maximum or (above and value == minimum):
        low = f"above {minimum:g}" if above else f"of at least {minimum:g}"
        upper = "" if np.isinf(maximum) else f" and at most {maximum:g}"
        raise ValueError(f"{owner}: {name} must be a number {low}{upper}; got {quoted(value)}.")


def _is_finite(value: Any) -> bool:
    try:
        return bool(np.isfinite(float(value)))
    except OverflowError:  # a whole number beyond double precision
        return False


def check_flag(value: Any, name: str, owner: str) -> None:
    """``value`` must be true or false."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{owner}: {name} must be true or false; got {quoted(value)}.")


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
    """Refuse what numpy would take for numbers, or show in full: masked entries, complex rows and most dates."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ValueError(f"{owner}: {name} has masked entries, which would count as they are; fill or drop them.")
    types = values.dtypes if hasattr(values, "columns") else [getattr(values, "dtype", "")]
    if name == "X" and any(str(kind).lower().startswith("complex") for kind in types):
        raise ValueError(f"{owner}: Complex data not supported; X holds it. Take real and imaginary parts.")
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
        raise ValueError(f"{owner}: classes must be finite numbers or texts; got {quoted(classes.tolist())}.")
    if len(classes) < 2:
        raise ValueError(
            f"{owner}: a classifier needs at least two classes; y holds only 1 class: {quoted(classes[0])}."
        )
    return classes, codes


def codes_among(classes: npt.NDArray[Any], y: npt.NDArray[Any], owner: str) -> npt.NDArray[np.intp]:
    """The codes of ``y`` among sorted ``classes``; a label that is not one of them is refused."""
    codes = np.searchsorted(classes, y).clip(max=len(classes) - 1)
    unknown = np.unique(y[classes[codes] != y]).tolist()
    if unknown:
        raise ValueError(f"{owner}: labels {quoted(unknown)} are not among the classes {quoted(classes.tolist())}.")
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
