"""Coates-Ng features of images: the transformers in order, learned from sampled patches and encoded in tiles."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from celm.base.threads import one_blas_thread
from celm.base.validation import as_generator, check_choice, check_flag, check_integer, check_number
from celm.features.fused import Encoding, encode, fold
from celm.features.omp1 import OMP1Dictionary
from celm.features.patches import (
    DensePatches,
    Images,
    image_tags,
    lattice_length,
    sample_patches,
    validated_images,
)
from celm.features.pooling import POOLINGS, GridPooling, grid_edges
from celm.features.threshold import ThresholdEncoder
from celm.features.whitening import NORMALISATIONS, ContrastNormalizer, ZCAWhitening

OWNER = "CoatesNgFeatures"


class CoatesNgFeatures(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Single-layer features of N × H × W × C images (Coates & Ng 2011; the paper's CIFAR-10 features).

    Random patches of the training images give a ZCA whitening and an OMP-1 dictionary; every patch of an image
    is contrast-normalised, whitened, multiplied with the atoms, thresholded on both sides and averaged over
    quadrants. On 32 × 32 × 3 images of 0..255 and 50 atoms: 400 features.
    :class:`celm.features.whitening.OffsetStandardizer` comes next.

    Parameters
    ----------
    n_atoms : int, default=50
        Size K of the codebook.
    patch_size, stride : int, default=6 and 1
        Side of a patch and step between patches, in pixels.
    grid : int, default=2
        Cells per side of the image.
    pooling : {"average", "sum"}, default="average"
        Over each cell.
    alpha : float, default=0.25
        The threshold.
    two_sided : bool, default=True
        Whether negative products count.
    n_patches : int, default=400000
        Patches to learn from.
    contrast_offset, whitening_offset : float, default=10.0 and 0.1
        For pixels of 0..255.
    normalisation : {"coates", "jia"}, default="coates"
        "coates" adds the offsets inside the root, "jia" outside.
    n_iterations : int, default=50
        Alternations of the dictionary.
    n_threads : int or None, default=None
        Threads of the encoding, None for all cores of this process.
    progress : bool, default=False
        Show a progress bar while encoding; needs tqdm.
    random_state : None, int, RandomState or Generator, default=None

    Attributes
    ----------
    coder_ : Pipeline
        Contrast, whitening and dictionary.
    filters_ : array (K, d)
    offsets_ : array (K,)
        Of the fused encoding.
    image_shape_ : tuple of int
    n_features_in_ : int
        Numbers of an image.

    See Also
    --------
    LinearSVM : What Coates and Ng put on these features.

    References
    ----------
    A. Coates, A. Ng, "The Importance of Encoding Versus Training with Sparse Coding and Vector Quantization", ICML,
    2011; the features of §IV.C of the paper.

    Examples
    --------
    >>> import numpy as np
    >>> from celm import CoatesNgFeatures
    >>> images = np.random.default_rng(0).integers(0, 256, (20, 16, 16, 3), dtype=np.uint8)
    >>> features = CoatesNgFeatures(8, n_patches=500, random_state=0).fit(images)
    >>> features.transform(images).shape
    (20, 64)
    """

    def __init__(
        self,
        n_atoms: int = 50,
        *,
        patch_size: int = 6,
        stride: int = 1,
        grid: int = 2,
        pooling: str = "average",
        alpha: float = 0.25,
        two_sided: bool = True,
        n_patches: int = 400_000,
        contrast_offset: float = 10.0,
        whitening_offset: float = 0.1,
        normalisation: str = "coates",
        n_iterations: int = 50,
        n_threads: int | None = None,
        progress: bool = False,
        random_state: object = None,
    ) -> None:
        self.n_atoms = n_atoms
        self.patch_size = patch_size
        self.stride = stride
        self.grid = grid
        self.pooling = pooling
        self.alpha = alpha
        self.two_sided = two_sided
        self.n_patches = n_patches
        self.contrast_offset = contrast_offset
        self.whitening_offset = whitening_offset
        self.normalisation = normalisation
        self.n_iterations = n_iterations
        self.n_threads = n_threads
        self.progress = progress
        self.random_state = random_state

    def fit(self, X: npt.ArrayLike, y: object = None) -> CoatesNgFeatures:
        """Learn whitening and dictionary from random patches.

        Parameters
        ----------
        X : array (N, height, width, channels)
            The training images, and no others.
        y : None
            Not looked at.

        Returns
        -------
        CoatesNgFeatures
            The transformer itself.
        """
        self.check_parameters()
        images = validated_images(self, X, reset=True)
        for side in images.shape[1:3]:
            grid_edges(lattice_length(side, self.patch_size, self.stride, OWNER), self.grid, OWNER)
        rng = as_generator(self.random_state)
        patches = sample_patches(images, self.n_patches, self.patch_size, rng)
        patches = patches.astype(np.result_type(images.dtype, np.float32), copy=False)
        with one_blas_thread():
            self.coder_ = self._coder(rng).fit(patches)
        whitening = self.coder_["whitening"]
        self.filters_, self.offsets_ = fold(self.coder_["dictionary"].atoms_, whitening.matrix_, whitening.mean_)
        return self

    def transform(self, X: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """Features of images, in tiles and on several threads.

        Parameters
        ----------
        X : array (N, height, width, channels)
            Images.

        Returns
        -------
        array (N, grid²·n_atoms), or twice as wide if two-sided
            In single precision.
        """
        check_is_fitted(self)
        images: Images = validated_images(self, X, reset=False)
        return encode(images, self._encoding(), self.n_threads, self.progress)

    def composed(self) -> Pipeline:
        """The same map as ``transform``, step by step in double precision and with all patches in memory."""
        check_is_fitted(self)
        return Pipeline(
            [
                ("patches", DensePatches(self.patch_size, self.stride)),
                *self.coder_.steps,
                ("threshold", ThresholdEncoder(self.alpha, self.two_sided)),
                ("pooling", GridPooling(self.grid, self.pooling)),
            ]
        )

    def _coder(self, rng: np.random.Generator) -> Pipeline:
        return Pipeline(
            [
                ("contrast", ContrastNormalizer(self.contrast_offset, self.normalisation)),
                ("whitening", ZCAWhitening(self.whitening_offset, self.normalisation)),
                ("dictionary", OMP1Dictionary(self.n_atoms, self.n_iterations, rng)),
            ]
        )

    def _encoding(self) -> Encoding:
        return Encoding(
            filters=self.filters_,
            offsets=self.offsets_,
            image_shape=self.image_shape_,
            patch_size=self.patch_size,
            stride=self.stride,
            grid=self.grid,
            pooling=self.pooling,
            alpha=self.alpha,
            two_sided=self.two_sided,
            contrast_offset=self.contrast_offset,
            normalisation=self.normalisation,
        )

    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no images."""
        for name in ("n_atoms", "patch_size", "stride", "grid", "n_patches", "n_iterations"):
            check_integer(getattr(self, name), name, OWNER, 1)
        for name in ("contrast_offset", "whitening_offset"):
            check_number(getattr(self, name), name, OWNER, 0.0, above=True)
        if self.n_threads is not None:
            check_integer(self.n_threads, "n_threads", OWNER, 1)
        check_number(self.alpha, "alpha", OWNER, 0.0)
        check_choice(self.pooling, "pooling", POOLINGS, OWNER)
        check_choice(self.normalisation, "normalisation", NORMALISATIONS, OWNER)
        check_flag(self.two_sided, "two_sided", OWNER)
        check_flag(self.progress, "progress", OWNER)

    @property
    def _n_features_out(self) -> int:
        return self._encoding().n_features

    def __sklearn_tags__(self) -> Any:
        return image_tags(super().__sklearn_tags__(), requires_fit=True)
