"""What must stay as it is between two blocks of rows: the first one draws the layer and says what targets are."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from typing import Any

from celm.base.validation import quoted

# Parameters that layer and targets are made with; the penalty, weights of classes and precision may change.
KEPT = ("n_hidden", "strategy", "input_scale", "bias_width", "options", "targets", "n_quantiles")


def learns_in_blocks(model: Any) -> bool:
    """Whether ``model`` has partial_fit and fit_blocks."""
    if getattr(model, "proba", False):
        raise AttributeError(f"{model.owner}: learning in blocks has no held-out rows for proba=True; set it to False.")
    if model.lam is None:
        raise AttributeError(f"{model.owner}: learning in blocks needs a penalty lam; a pseudo-inverse needs all rows.")
    return True


def kept_parameters(model: Any) -> dict[str, Any]:
    """The parameters that further blocks go on with."""
    return {name: getattr(model, name) for name in KEPT if hasattr(model, name)}


def parts_of(blocks: Any, owner: str) -> Iterator[tuple[Any, Any, Any]]:
    """X, y and the weights, or None, of every block."""
    if not isinstance(blocks, Iterable):
        raise TypeError(f"{owner}: blocks must be (X, y) or (X, y, sample_weight) each; got {quoted(blocks)}.")
    for block in blocks:
        if not isinstance(block, (tuple, list)) or len(block) not in (2, 3):
            raise TypeError(f"{owner}: a block must be (X, y) or (X, y, sample_weight); got {type(block).__name__}.")
        yield (*block, None)[:3]


def check_unchanged(model: Any, begun_with: dict[str, Any]) -> None:
    """Raise a ValueError for the first parameter that was changed since the first block."""
    for name, before in begun_with.items():
        now = getattr(model, name)
        if now is not before and now != before:
            raise ValueError(
                f"{model.owner}: partial_fit goes on with the hidden nodes and the targets of its first block; {name} "
                f"was changed from {before!r} to {now!r}. Call fit, or make a new estimator."
            )


def warn_of_beginning_anew(model: Any) -> None:
    """Warn where a model was fitted at once: fit keeps no sums of its rows, so that a block cannot add to them."""
    if hasattr(model, "beta_") and not hasattr(model, "sums_"):
        warnings.warn(
            f"{model.owner}: partial_fit begins anew and forgets what fit has learned, which keeps no sums of rows. "
            "Begin with partial_fit or fit_blocks to go on from it, or take a clone.",
            UserWarning,
            stacklevel=4,
        )
