"""Hidden outputs in the plane: principal scores, t-SNE from a given layout, and the numbers that judge a plane."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.linalg import eigh
from sklearn.manifold import TSNE
from sklearn.neighbors import NearestNeighbors
from threadpoolctl import threadpool_limits

Array = npt.NDArray[np.float64]

# t-SNE is chaotic: it makes another picture of inputs that differ in their last bit, as sums of other thread counts
# do. Inputs on a grid far coarser than rounding and far finer than the distances give one picture.
DECIMALS = 4
# Standard deviation of the initial layout, as in the original t-SNE.
LAYOUT_SCALE = 1e-4


class Plane(NamedTuple):
    """Points of a t-SNE (N × 2), its final Kullback-Leibler divergence and the iterations it made."""

    points: Array
    kl_divergence: float
    iterations: int


def principal_scores(H: Array, n_components: int) -> Array:
    """Scores of the rows of H (N × L) on their first principal components, N × k, largest first.

    With H centred, HHᵀ = UΛUᵀ and the scores are UΛ^½: N × N numbers suffice where L > N. Signs are as they come,
    distances do not see them.
    """
    N = len(H)
    centred = H - H.mean(axis=0)
    eigenvalues, U = eigh(centred @ centred.T, subset_by_index=[N - n_components, N - 1])
    return (U * np.sqrt(np.maximum(eigenvalues, 0.0)))[:, ::-1]


def initial_layout(n_points: int, rng: np.random.Generator) -> Array:
    """Where the points of a t-SNE start: normal draws of standard deviation 1e-4, N × 2."""
    return LAYOUT_SCALE * rng.standard_normal((n_points, 2))


def tsne_plane(X: Array, layout: Array, perplexity: float, iterations: int) -> Plane:
    """The rows of X (N × n) in the plane after exactly ``iterations`` steps from ``layout`` (N × 2).

    Barnes-Hut t-SNE as in scikit-learn, its rules for stopping early switched off so that divergences are compared at
    the same count; on one thread, whatever the caller has, since its sums depend on their number.
    """
    tsne = TSNE(
        perplexity=perplexity,
        max_iter=iterations,
        init=layout.astype(np.float32),
        n_iter_without_progress=iterations,
        min_grad_norm=0.0,
        random_state=0,
    )
    with threadpool_limits(limits=1):
        points = tsne.fit_transform(np.round(X, DECIMALS))
    return Plane(points.astype(np.float64), float(tsne.kl_divergence_), int(tsne.n_iter_) + 1)


def neighbour_accuracy(points: Array, labels: npt.NDArray[np.integer], n_neighbors: int) -> float:
    """Share of points whose ``n_neighbors`` nearest others elect their label (leave-one-out).

    ``labels`` are whole numbers from 0; of labels with equally many votes the lowest is elected.
    """
    nearest = NearestNeighbors(n_neighbors=n_neighbors).fit(points).kneighbors(return_distance=False)
    votes = np.zeros((len(points), int(labels.max()) + 1), dtype=np.intp)
    np.add.at(votes, (np.arange(len(points))[:, None], labels[nearest]), 1)
    return float(np.mean(votes.argmax(axis=1) == labels))
