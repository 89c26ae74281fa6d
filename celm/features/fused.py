"""The fast path of the Coates-Ng encoding: one matrix product per row of the lattice, nothing else stored.

With zero-sum filters G = D Z − (row means), whitening and the patch mean fold into one product,
z = (p·G)/s − o, where s is the spread of patch p and o = D Z m the atoms' view of the whitening mean m.
So max(z − α, 0) = max(p·G/s, o + α) − (o + α) and max(−z − α, 0) = (o − α) − min(p·G/s, o − α): the constants
leave after pooling. Images go through in tiles; the patches of a lattice row are a contiguous slice of one
buffer, because only horizontal shifts are copied. Arithmetic is in single precision around exact variances:
averages differ from the double-precision composition by less than 1e-5.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from queue import SimpleQueue
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided

from celm.base.threads import n_cores, one_blas_thread
from celm.features.patches import Images, lattice_length
from celm.features.pooling import grid_edges, membership
from celm.features.whitening import spread, variance_divisor

Floats = npt.NDArray[np.float32]

#: Patches per lattice row and tile, and dot products per chunk: together they keep a tile in the core's cache.
TILE_COLUMNS = 432
CHUNK_ELEMENTS = 160_000


@dataclass(frozen=True)
class Encoding:
    """What a tile needs to know: filters (K × d, zero row sums), offsets o (K) and the settings of the estimator."""

    filters: npt.NDArray[np.float64]
    offsets: npt.NDArray[np.float64]
    image_shape: tuple[int, int, int]
    patch_size: int
    stride: int
    grid: int
    pooling: str
    alpha: float
    two_sided: bool
    contrast_offset: float
    normalisation: str

    @property
    def lattice(self) -> tuple[int, int]:
        """Rows and columns of patches."""
        height, width, _ = self.image_shape
        rows, columns = (lattice_length(n, self.patch_size, self.stride, "encode") for n in (height, width))
        return rows, columns

    @property
    def n_features(self) -> int:
        """grid² cells of K codes per side of the threshold."""
        return int(self.grid**2 * len(self.filters) * (2 if self.two_sided else 1))


def fold(
    atoms: npt.NDArray[np.float64], whitening: npt.NDArray[np.float64], mean: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Zero-sum filters (K × d) and offsets (K) such that atoms·whitened(q) = (filters·p)/s − offsets."""
    filters = atoms @ whitening
    return filters - filters.mean(axis=1, keepdims=True), filters @ mean


def box_sums(values: npt.NDArray[Any], size: int, stride: int) -> npt.NDArray[Any]:
    """Sums over size × size windows of the first and last axes: H × T × W to rows × T × columns."""
    height, _, width = values.shape
    rows, columns = height - size + 1, width - size + 1
    vertical = values[:rows:stride].copy()
    for shift in range(1, size):
        vertical += values[shift : shift + rows : stride]
    total = vertical[:, :, :columns:stride].copy()
    for shift in range(1, size):
        total += vertical[:, :, shift : shift + columns : stride]
    return total


def patch_variances(planes: npt.NDArray[Any], size: int, stride: int, normalisation: str) -> npt.NDArray[np.float64]:
    """The variance of every patch from H × C × T × W planes: rows × T × columns.

    d·Σx² − (Σx)² with d values per patch: exact for whole numbers, rounded once at the end; never negative.
    """
    d = size**2 * planes.shape[1]
    total = box_sums(sum(planes.swapaxes(0, 1)), size, stride)
    squares = box_sums(sum(np.square(planes).swapaxes(0, 1)), size, stride)
    deviations = np.maximum(d * squares - total * total, 0)
    return np.asarray(deviations / (d * variance_divisor(d, normalisation)), dtype=np.float64)


def exact_type(dtype: npt.DTypeLike, d: int) -> type[np.generic]:
    """The type of the box sums: int32 while d·Σx² of bytes stays below 2³¹, then int64; double for other pixels."""
    if np.dtype(dtype) != np.uint8:
        return np.float64
    return np.int32 if d * d * 255**2 < 2**31 else np.int64


class Tile:
    """The buffers of one thread, and the encoding of one tile of images into them."""

    def __init__(self, encoding: Encoding) -> None:
        height, width, channels = encoding.image_shape
        rows, columns = encoding.lattice
        K, d = encoding.filters.shape
        self.encoding = encoding
        self.size = tile_size(encoding)
        cells = self.size * columns
        self.filters = encoding.filters.astype(np.float32)
        high, low = encoding.offsets + encoding.alpha, encoding.offsets - encoding.alpha
        self.high, self.low = (np.repeat(c.astype(np.float32)[:, None], cells, axis=1) for c in (high, low))
        self.planes = np.zeros((height, channels, self.size, width), dtype=np.float32)
        self.shifted = np.zeros((height, encoding.patch_size, channels, self.size, columns), dtype=np.float32)
        row_bytes = self.shifted.strides[0]
        self.patches = as_strided(
            self.shifted, (rows, d, cells), (encoding.stride * row_bytes, self.shifted.itemsize * cells, 4)
        )
        self.chunk = max(1, CHUNK_ELEMENTS // (K * cells))
        self.z = np.empty((self.chunk, K, cells), dtype=np.float32)
        self.clipped = np.empty_like(self.z)
        self.row_edges, column_edges = (grid_edges(n, encoding.grid, "encode") for n in (rows, columns))
        self.by_column = membership(column_edges, "sum").astype(np.float32)
        cell_sizes = np.outer(np.diff(self.row_edges), np.diff(column_edges))
        self.cell_sizes = cell_sizes.astype(np.float32)[..., None, None]

    def encode(self, images: Images) -> Floats:
        """The features (n × n_features) of at most ``size`` images."""
        inverse_spread = self._load(images)
        bands = np.stack([self._band(*edges, inverse_spread) for edges in pairwise(self.row_edges)])
        grid, columns = self.by_column.shape[1], self.by_column.shape[0]
        sums = (bands.reshape(-1, columns) @ self.by_column).reshape(*bands.shape[:3], self.size, grid)
        codes = self._without_constants(sums.transpose(3, 0, 4, 1, 2))
        return codes.reshape(self.size, -1)[: len(images)]

    def _load(self, images: Images) -> Floats:
        """Copy the images into the buffers; returns 1/s of every patch, rows × 1 × tile columns."""
        spec, n = self.encoding, len(images)
        exact = exact_type(images.dtype, self.filters.shape[1])
        planes = images.transpose(1, 3, 0, 2).astype(exact, order="C")
        if planes.dtype == np.float64:
            planes -= planes.mean(axis=(0, 1, 3), keepdims=True)
        self.planes[:, :, :n] = planes
        columns = spec.lattice[1]
        reach = (columns - 1) * spec.stride + 1
        for dx in range(spec.patch_size):
            self.shifted[:, dx] = self.planes[..., dx : dx + reach : spec.stride]
        variances = patch_variances(planes, spec.patch_size, spec.stride, spec.normalisation)
        inverse = np.ones((len(variances), self.size, columns), dtype=np.float32)
        inverse[:, :n] = 1.0 / spread(variances, spec.contrast_offset, spec.normalisation)
        return inverse.reshape(len(variances), 1, -1)

    def _band(self, first: int, last: int, inverse_spread: Floats) -> Floats:
        """Sums over the lattice rows first..last of the clipped products: sides × K × tile columns."""
        bounds = [(np.maximum, self.high), (np.minimum, self.low)][: 1 + self.encoding.two_sided]
        sums = np.zeros((len(bounds), *self.high.shape), dtype=np.float32)
        for start in range(first, last, self.chunk):
            stop = min(start + self.chunk, last)
            z, clipped = self.z[: stop - start], self.clipped[: stop - start]
            np.matmul(self.filters, self.patches[start:stop], out=z)
            z *= inverse_spread[start:stop]
            for side, (clip, bound) in enumerate(bounds):
                sums[side] += clip(z, bound, out=clipped).sum(axis=0)
        return sums

    def _without_constants(self, sums: Floats) -> Floats:
        """Sums (size × grid × grid × sides × K) less what the thresholds put in, as averages or sums."""
        means = sums / self.cell_sizes
        means[..., 0, :] -= self.high[:, 0]
        if self.encoding.two_sided:
            means[..., 1, :] = self.low[:, 0] - means[..., 1, :]
        return means if self.encoding.pooling == "average" else np.asarray(means * self.cell_sizes)


def tile_size(encoding: Encoding) -> int:
    """How many images share a tile."""
    return max(1, TILE_COLUMNS // encoding.lattice[1])


def encode(images: Images, encoding: Encoding, n_threads: int | None = None, progress: bool = False) -> Floats:
    """The pooled codes of all images, N × n_features in single precision; the same bits for any thread count."""
    features = np.empty((len(images), encoding.n_features), dtype=np.float32)
    starts = range(0, len(images), tile_size(encoding))
    n_threads = min(n_threads or n_cores(), len(starts))
    tiles: SimpleQueue[Tile] = SimpleQueue()
    for _ in range(n_threads):
        tiles.put(Tile(encoding))

    def one(start: int) -> int:
        tile = tiles.get()
        try:
            block = images[start : start + tile.size]
            features[start : start + tile.size] = tile.encode(block)
        finally:
            tiles.put(tile)
        return len(block)

    # One BLAS thread each: no contest with our own threads, and sums of one order everywhere.
    with one_blas_thread(), ThreadPoolExecutor(n_threads) as pool:
        _show(pool.map(one, starts), len(images), progress)
    return features


def _show(finished: Iterator[int], total: int, progress: bool) -> None:
    """Wait for the counts of finished images, under a progress bar where one is asked for."""
    if not progress:
        deque(finished, maxlen=0)
        return
    try:
        from tqdm import tqdm
    except ImportError as error:
        raise ImportError("encode: progress=True needs tqdm; pip install tqdm, or leave progress=False.") from error
    with tqdm(total=total, desc="encoding", unit="image") as bar:
        for count in finished:
            bar.update(count)
