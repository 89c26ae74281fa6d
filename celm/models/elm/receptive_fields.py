"""Receptive fields: every node sees a random rectangle of the image (McDonnell et al., PLOS ONE 10, e0134254, 2015)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from celm.models.elm.directions import MAX_ATTEMPTS, Array, Directions, Draw, OnlyRounding, squared_norms
from celm.models.elm.options import WeightOptions
from celm.models.elm.pairs import Indices

# A rectangle is drawn again while (height − 1)·(width − 1) is below this.
LEAST_AREA = 10


def under_fields(direction: Draw) -> Draw:
    """The directions of ``direction``, each zero outside a random rectangle; needs the option ``image_shape``."""

    def masked(X: Array, codes: Indices, n: int, rng: np.random.Generator, options: WeightOptions) -> Directions:
        shape = checked_shape(options.image_shape, X.shape[1])
        field_rng, node_rng = rng.spawn(2)
        drawn = direction(X, codes, n, node_rng, options)
        return drawn._replace(vectors=_seen(drawn.vectors, shape, field_rng, OnlyRounding(X)))

    return masked


def checked_shape(shape: tuple[int, ...] | None, n_features: int) -> tuple[int, ...]:
    """The image's height and width (and channels, last), whose product must be the number of features."""
    if shape is None or len(shape) not in (2, 3) or int(np.prod(shape)) != n_features:
        raise ValueError(
            "receptive fields: image_shape must be (height, width) or (height, width, channels) with a product of "
            f"{n_features}, the number of features; got {shape}."
        )
    return tuple(int(side) for side in shape)


def _seen(vectors: Array, shape: tuple[int, ...], rng: np.random.Generator, only_rounding: OnlyRounding) -> Array:
    """``vectors`` under masks; a mask that leaves nothing is drawn again, each attempt from a stream of its own."""
    seen, pending = np.empty_like(vectors), np.arange(len(vectors))
    for _ in range(MAX_ATTEMPTS):
        masks = rectangles(len(vectors), shape, rng.spawn(1)[0])
        seen[pending] = vectors[pending] * masks[pending]
        pending = pending[only_rounding(squared_norms(seen[pending]))]
        if not len(pending):
            return seen
    raise ValueError(
        f"no receptive field with a weight in it after {MAX_ATTEMPTS} draws for {len(pending)} of {len(vectors)} "
        "hidden nodes: the images are blank nearly everywhere. Check image_shape and the data."
    )


def rectangles(n: int, shape: tuple[int, ...], rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """``n`` masks (n × features) of random rectangles, corners uniform inside a border of 3/28 of each side."""
    height, width = shape[:2]
    area = min(LEAST_AREA, (_span(height) - 1) * (_span(width) - 1))
    corners, pending = np.empty((n, 4), dtype=np.intp), np.arange(n)
    while len(pending):
        drawn = rng.spawn(1)[0].random((n, 4))[pending]
        top, bottom = _ends(drawn[:, 0], drawn[:, 1], height)
        left, right = _ends(drawn[:, 2], drawn[:, 3], width)
        corners[pending] = np.column_stack([top, bottom, left, right])
        pending = pending[(bottom - top) * (right - left) < area]
    top, bottom, left, right = corners.T[:, :, None]
    rows, columns = np.arange(height), np.arange(width)
    inside = ((rows >= top) & (rows <= bottom))[:, :, None] & ((columns >= left) & (columns <= right))[:, None, :]
    return np.repeat(inside.reshape(n, -1), shape[2] if len(shape) == 3 else 1, axis=1)


def _border(side: int) -> int:
    return side * 3 // 28


def _span(side: int) -> int:
    """Pixels of a side inside its border."""
    return side - 2 * _border(side)


def _ends(one: Array, other: Array, side: int) -> tuple[Indices, Indices]:
    """First and last pixel between two uniform ones inside the border."""
    a, b = (_border(side) + (u * _span(side)).astype(np.intp) for u in (one, other))
    return np.minimum(a, b), np.maximum(a, b)
