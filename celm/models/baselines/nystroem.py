"""An RBF kernel by Nyström's method with a ridge readout: what a strong kernel reaches, beyond the paper's tables."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.utils import gen_batches
from sklearn.utils.validation import check_is_fitted

from celm.base.magnitude import LEAST, check_squares, checked_data
from celm.base.seeds import generator, seed_of
from celm.base.validation import as_generator, check_integer, check_number, encode_labels, signed_targets
from celm.linalg.gram import accumulate_blocks
from celm.linalg.layer import Layer
from celm.linalg.ridge import ridge_from_gram, ridge_path
from celm.models.baselines.scored import Array, Codes, ScoredClassifier, winners
from celm.models.baselines.staged import held_out_rows

# Rows whose kernel values are held at once.
BLOCK_ROWS = 2000

# Distances γ‖x − z‖² of rows up to this γ‖x‖² are known to a hundredth.
RESOLVED = 0.01 / np.finfo(np.float64).eps

GAMMA_SCALES = (0.03, 0.1, 0.3, 1.0)
LAMS = tuple(10.0**exponent for exponent in range(-1, 6))


class KernelMap(NamedTuple):
    """φ(x) = K^(−1/2)k(x): k (L) the kernel of x with the landmarks (L × n), K that of the landmarks themselves."""

    landmarks: Array
    root: Array
    gamma: float

    def blocks(self, X: Array) -> Iterator[tuple[slice, Array]]:
        """Rows of X (N × n) and their k (rows × L), block by block."""
        for rows in gen_batches(len(X), BLOCK_ROWS):
            with np.errstate(over="ignore"):  # of a row so far away that its kernel values are zero
                k = rbf_kernel(X[rows], self.landmarks, gamma=self.gamma)
            yield rows, k

    def sums(self, X: Array, T: Array) -> tuple[Array, Array]:
        """ΦᵀΦ (L × L, lower triangle) and ΦᵀT (L × m); Φ is never held whole."""
        stream = ((k, T[rows]) for rows, k in self.blocks(X))
        return accumulate_blocks(Layer(self.root.T, np.zeros(len(self.root)), "identity"), stream).total()

    def scores(self, X: Array, beta: Array) -> Array:
        """Φβ (N × m)."""
        weights = self.root.T @ beta
        return np.concatenate([k @ weights for _, k in self.blocks(X)])


def draw_map(X: Array, n_components: int, gamma_scale: float, seed: int) -> KernelMap:
    """The map whose landmarks are rows of X (N × n) drawn by the seed, at most all of them; γ = scale/n."""
    gamma = gamma_scale / X.shape[1]
    check_distances(X, gamma)
    fitted = Nystroem(gamma=gamma, n_components=min(n_components, len(X)), random_state=seed).fit(X)
    return KernelMap(fitted.components_, fitted.normalization_, gamma)


def check_distances(X: Array, gamma: float) -> None:
    """Raise a ValueError where γ‖x − z‖² would be nothing but rounding: a row would not be known for itself."""
    with np.errstate(over="ignore"):
        largest = gamma * np.einsum("ij,ij->i", X, X).max()
    if not largest <= RESOLVED:
        raise ValueError(
            f"NystroemClassifier: γ‖x‖² must be at most {RESOLVED:g}, or γ‖x − z‖² is rounding alone; got {largest:g}. "
            "Scale X, for example by StandardScaler, or take a smaller gamma_scale."
        )


def _map_seed(entropy: int) -> int:
    """The seed of the landmarks, as short as scikit-learn takes them."""
    return seed_of(entropy, "landmarks") % 2**32


class NystroemClassifier(ScoredClassifier):
    """Ridge regression on ±1 targets in the feature space of k(x, z) = exp(−γ‖x − z‖²), spanned by landmarks.

    With every training row a landmark it is kernel ridge regression. x should be z-scored.

    Parameters
    ----------
    n_components : int, default=4000
        Number of landmarks, drawn from the training rows; all of these where there are fewer.
    gamma_scale : float, default=0.1
        γ is this divided by the number of features.
    lam : float, default=100.0
        λ of the readout β = (I/λ + ΦᵀΦ)⁻¹ΦᵀT (larger is a weaker penalty).
    random_state : None, int, RandomState or Generator, default=None

    Attributes
    ----------
    classes_ : array (k,)
    n_features_in_ : int
    map_ : KernelMap
        The kernel map.
    beta_ : array (L, k)

    See Also
    --------
    sklearn.kernel_approximation.Nystroem : The map alone.

    References
    ----------
    C. Williams, M. Seeger, "Using the Nyström Method to Speed Up Kernel Machines", NIPS 2000. Beyond the paper.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.preprocessing import scale
    >>> from celm import NystroemClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> NystroemClassifier(50, random_state=0).fit(scale(X), y).score(scale(X), y) > 0.9
    True
    """

    def __init__(
        self, n_components: int = 4000, *, gamma_scale: float = 0.1, lam: float = 100.0, random_state: Any = None
    ) -> None:
        self.n_components = n_components
        self.gamma_scale = gamma_scale
        self.lam = lam
        self.random_state = random_state

    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""
        check_integer(self.n_components, "n_components", "NystroemClassifier", 1)
        check_number(self.gamma_scale, "gamma_scale", "NystroemClassifier", 0.0, above=True)
        check_number(self.lam, "lam", "NystroemClassifier", LEAST)

    def _learn(self, X: Array, codes: Codes) -> None:
        check_squares(X, "NystroemClassifier")
        seed = _map_seed(int(as_generator(self.random_state).integers(2**63)))
        self.map_ = draw_map(X, self.n_components, self.gamma_scale, seed)
        self.beta_, _ = ridge_from_gram(*self.map_.sums(X, signed_targets(codes, len(self.classes_))), self.lam)

    def _scores(self, X: Any) -> Array:
        check_is_fitted(self)
        X = checked_data(self, X, dtype=np.float64, reset=False)
        check_squares(X, "NystroemClassifier")
        return self.map_.scores(X, self.beta_)


class KernelChoice(NamedTuple):
    """The best candidates, what of them lies at an edge, and the held-out accuracy of all (scales × λ)."""

    gamma_scale: float
    lam: float
    at_edge: list[str]
    accuracy: Array
    seconds: float


def choose_kernel(
    X: Array,
    y: npt.NDArray[Any],
    n_components: int,
    gamma_scales: Sequence[float] = GAMMA_SCALES,
    lams: Sequence[float] = LAMS,
    *,
    fraction: float = 0.2,
    random_state: Any = None,
) -> KernelChoice:
    """γ and λ with most rows correct among held-out rows of X (N × n), y (N), the first of equals.

    All candidates are fitted on the other rows with the same landmarks; one pass over the rows serves all λ of a γ.
    """
    started = time.perf_counter()
    check_candidates(n_components, gamma_scales, lams, fraction)
    classes, codes = encode_labels(y, "choose_kernel")
    entropy = int(as_generator(random_state).integers(2**63))
    held_out = held_out_rows(codes, fraction, generator(entropy, "held out"), "choose_kernel")
    T = signed_targets(codes, len(classes))[~held_out]
    accuracy = np.empty((len(gamma_scales), len(lams)))
    for place, gamma_scale in enumerate(gamma_scales):
        kernel_map = draw_map(X[~held_out], n_components, gamma_scale, _map_seed(entropy))
        betas, _ = ridge_path(*kernel_map.sums(X[~held_out], T), lams, overwrite=True)
        scores = kernel_map.scores(X[held_out], np.concatenate(list(betas), axis=1))
        predicted = [winners(part) for part in np.split(scores, len(lams), axis=1)]
        accuracy[place] = [np.mean(part == codes[held_out]) for part in predicted]
    row, column = (int(place) for place in np.unravel_index(accuracy.argmax(), accuracy.shape))
    edges = {"gamma_scale": (row, gamma_scales), "lam": (column, lams)}
    at_edge = [name for name, (place, values) in edges.items() if len(values) > 1 and place in (0, len(values) - 1)]
    return KernelChoice(gamma_scales[row], lams[column], at_edge, accuracy, time.perf_counter() - started)


def check_candidates(n_components: int, gamma_scales: Sequence[float], lams: Sequence[float], fraction: float) -> None:
    """Raise a ValueError that names the first candidate out of range; needs no data."""
    for name, values in (("gamma_scales", gamma_scales), ("lams", lams)):
        if not len(values):
            raise ValueError(f"choose_kernel: {name} must hold at least one candidate; got none.")
    for gamma_scale in gamma_scales:
        NystroemClassifier(n_components, gamma_scale=gamma_scale).check_parameters()
    for lam in lams:
        NystroemClassifier(n_components, lam=lam).check_parameters()
    check_number(fraction, "fraction", "choose_kernel", 0.0, 0.9, above=True)
