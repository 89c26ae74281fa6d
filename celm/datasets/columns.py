"""A user's columns of text become numbers, codes of levels and labels; what cannot be meant is refused in words.

Labels stay the texts that they are: ``1`` and ``01`` are two classes, and so are 1e300 and 2e300.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from celm.base.magnitude import SQUARED
from celm.base.validation import check_choice, nearest
from celm.datasets.dataset import Arrays, DatasetError

#: Texts that say that nothing is there, as pandas has them, and the question mark; so does what float reads as NaN.
MISSING = frozenset({"", "?", "NA", "N/A", "n/a", "#N/A", "#NA", "<NA>", "null", "NULL", "None", "1.#IND", "-1.#IND"})
NOMINAL = ("refuse", "onehot")
GAPS = ("refuse", "median")
DECIMALS = ("point", "comma")
_WITH_COMMA = re.compile(r"[-+]?\d*,\d+|[-+]?\d+")
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(,\d{3})*(\.\d*)?")
# What Hydra reads as the text that it is.
_PLAIN = re.compile(r"(?!(?:true|false|null|nan|inf)$)[A-Za-z_]\w*", re.ASCII | re.IGNORECASE)

Column = Sequence[str]


class Handling(NamedTuple):
    """What to do with columns that are not numbers, and with gaps; what stands before the fraction of a number."""

    nominal: str = "refuse"
    missing: str = "refuse"
    decimal: str = "point"

    def check(self, owner: str) -> None:
        """Raise a ValueError naming the first that is not known."""
        check_choice(self.nominal, "nominal", NOMINAL, owner)
        check_choice(self.missing, "missing", GAPS, owner)
        check_choice(self.decimal, "decimal", DECIMALS, owner)

    def number(self, text: str) -> float | None:
        """What a text says as a number, NaN where it says that none is there; None where it is no number."""
        if text in MISSING:
            return math.nan
        comma = self.decimal == "comma"
        try:
            return None if "_" in text or (comma and "." in text) else float(text.replace(",", ".") if comma else text)
        except ValueError:
            return None

    def is_gap(self, text: str) -> bool:
        """Whether a text says that nothing is there."""
        return text in MISSING or (text[-3:].lower() == "nan" and self.number(text) is not None)


class Table(NamedTuple):
    """What came of a user's columns."""

    arrays: Arrays
    classes: tuple[str, ...]
    #: Columns of X that hold codes of levels.
    nominal: tuple[int, ...]
    target: str


def read_columns(columns: Mapping[str, Column], target: str | None, handling: Handling, owner: str) -> Table:
    """X (N × n float64), y (N codes) and the classes of named columns of text; ``owner`` begins every error.

    ``target`` None takes the last column as the label. Gaps stay NaN and levels stay codes: both are filled and
    spread later, as the training rows of a split say.
    """
    names = list(columns)
    label = names[-1] if target is None else target
    if label not in columns:
        raise DatasetError(f"{owner} has no column {label!r}; its columns are {listed(names)}.{nearest(label, names)}")
    if len(names) < 2:
        raise DatasetError(f"{owner} has one column, {names[0]!r}, where features and a label are needed.")
    classes = _classes(columns, label, handling, owner)
    places = {name: code for code, name in enumerate(classes)}
    y = np.array([places[value] for value in columns[label]], dtype=np.intp)
    features = [name for name in names if name != label]
    parts = [_feature(name, columns[name], handling, owner) for name in features]
    nominal = tuple(i for i, (_, spread) in enumerate(parts) if spread)
    return Table(Arrays(np.column_stack([values for values, _ in parts]), y), classes, nominal, label)


def _classes(columns: Mapping[str, Column], label: str, handling: Handling, owner: str) -> tuple[str, ...]:
    """The different labels, numbers in their order, else texts in theirs."""
    values = columns[label]
    gaps = np.array([handling.is_gap(value) for value in values])
    if gaps.any():
        raise DatasetError(f"{owner} has no label in {rows_named(gaps)}, column {label!r}; remove them.")
    classes = sorted(set(values))
    found = {value: number for value in classes if (number := handling.number(value)) is not None}
    if len(found) == len(classes):
        if any(math.isfinite(number) and number % 1 for number in found.values()):
            raise DatasetError(
                f"{owner} has numbers with fractions in its target column {label!r}; classes are needed: "
                f"{_elsewhere(columns, label)}."
            )
        classes = sorted(classes, key=lambda value: (found[value], value))
    if len(classes) < 2:
        raise DatasetError(
            f"{owner} needs at least two classes; its label {label!r} is '{readable(classes[0])}' in every row."
        )
    if 2 * len(classes) > len(values) and len(classes) > 2:
        raise DatasetError(
            f"{owner} has {len(classes)} different values in {len(values)} rows of its label {label!r}, more than "
            f"half: that is no class. Instead, {_elsewhere(columns, label)}."
        )
    return tuple(classes)


def _elsewhere(columns: Mapping[str, Column], label: str) -> str:
    """Where the label may be instead: the columns of few values, as one would type them."""
    counts = {name: len(set(values)) for name, values in columns.items() if name != label}
    few = [name for name, count in counts.items() if 2 <= count <= max(2, len(columns[label]) // 10)]
    if not few:
        return "choose another column with dataset.target=COLUMN"
    return "choose another column, for example " + " or ".join(typed("target", name) for name in few[:3])


def _feature(name: str, values: Column, handling: Handling, owner: str) -> tuple[npt.NDArray[np.float64], bool]:
    """The column as numbers, or as codes of its levels in sorted order (then True)."""
    numbers = [handling.number(value) for value in values]
    spread = any(number is None for number in numbers)
    if spread and handling.nominal == "refuse":
        raise _not_numbers(name, values, handling, owner)
    if spread:
        present = sorted({value for value in values if not handling.is_gap(value)})
        levels = {level: float(code) for code, level in enumerate(present)}
        found = np.array([levels.get(value, np.nan) for value in values])
    else:
        found = np.array([np.nan if number is None else number for number in numbers])
        _check_size(name, found, owner)
    bad = np.isinf(found) if handling.missing == "median" else ~np.isfinite(found)
    if bad.any():
        way = "" if np.isinf(found).any() else ", or have the median of the training rows with dataset.missing=median"
        raise DatasetError(
            f"{owner} has missing or infinite values in column {name!r}, {rows_named(bad)}; fill or remove them{way}."
        )
    return found, spread


def _check_size(name: str, found: npt.NDArray[np.float64], owner: str) -> None:
    """Refuse a column whose squares are infinite or all zero: no scaling could tell its values apart."""
    sizes = np.abs(found[np.isfinite(found)])
    largest = sizes.max(initial=0.0)
    if largest > SQUARED or 0.0 < largest < 1 / SQUARED:
        raise DatasetError(
            f"{owner} has numbers in column {name!r} of which the largest is {largest:.3g}; it must lie between "
            f"{1 / SQUARED:g} and {SQUARED:g}. Take another unit."
        )


def _not_numbers(name: str, values: Column, handling: Handling, owner: str) -> DatasetError:
    present = [value for value in values if not handling.is_gap(value)]
    none = np.array([handling.number(value) is None for value in values])
    example = values[int(none.argmax())]
    way = f"remove it with {typed('drop', name)}, or have one column per level with dataset.nominal=onehot"
    if 2 <= len(set(values)) <= len(values) // 10:
        way = f"{way}; if it is the label, add {typed('target', name)}"
    if 2 * none.sum() < len(present):
        way = f"the others do: mend {rows_named(none)}, or leave a gap there and add dataset.missing=median"
    if name.isdecimal() and none[0] and none.sum() == 1:
        way = "the others do: if the first line names the columns, leave dataset.header=false out"
    if handling.decimal == "comma" and "." in example:
        way = "with dataset.decimal=comma a number has no point: remove those between thousands, or leave it out"
    elif all(_WITH_COMMA.fullmatch(value) for value in present):
        way = "if that is a decimal comma, add dataset.decimal=comma"
    if handling.decimal == "point" and all(_THOUSANDS.fullmatch(value) for value in present):
        way = f"{way}; commas between thousands must be removed"
    return DatasetError(
        f"{owner} has a feature column that does not hold numbers: {name!r} (for example '{readable(example)}'); {way}."
    )


def typed(key: str, name: str) -> str:
    """The word of a command line that names a column: ``dataset.target=kind``, quoted where a shell or Hydra needs it.

    Examples
    --------
    >>> print(typed("drop", "Age (years)"))
    'dataset.drop=["Age (years)"]'
    """
    quoted = '"' + name.replace('"', '\\"') + '"'
    text = name if _PLAIN.fullmatch(name) else quoted
    return shlex.quote(f"dataset.{key}={f'[{text}]' if key == 'drop' else text}")


def rows_named(marked: Any) -> str:
    """``3 rows, the first is row 7`` (rows counted from 1, without the header)."""
    at = np.flatnonzero(marked)
    return f"row {at[0] + 1}" if len(at) == 1 else f"{len(at)} rows, the first is row {at[0] + 1}"


def listed(columns: Sequence[str], limit: int = 12) -> str:
    """The first names, shortened, and how many more there are."""
    names = [readable(name) for name in columns[:limit]]
    return ", ".join(names) + (f" and {len(columns) - limit} more" if len(columns) > limit else "")


def readable(text: str) -> str:
    """A text of somebody else's for a terminal: shortened, and without what would move its cursor or not be seen.

    Examples
    --------
    >>> print(readable("red\\x1b[2J"))
    red\\x1b[2J
    """
    short = text if len(text) <= 40 else text[:40] + "…"
    return short if short.isprintable() else short.encode("unicode_escape").decode()
