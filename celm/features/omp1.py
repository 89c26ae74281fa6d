"""The OMP-1 dictionary: unit atoms, each patch explained by a multiple of one of them."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from sklearn.base import ClassNamePrefixFeaturesOutMixin

from celm.base.validation import as_generator, check_integer
from celm.features.rows import FloatArray, RowTransformer

BLOCK_ROWS = 16384


def unit_rows(rows: FloatArray) -> FloatArray:
    """Each row divided by its l2 norm."""
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def best_atoms(X: FloatArray, atoms: FloatArray) -> tuple[FloatArray, FloatArray]:
    """For each row x of X the atom k of largest |x·d_k| and the signed coefficient x·d_k."""
    dots = X @ atoms.T
    best = np.abs(dots).argmax(axis=1)
    return best, dots[np.arange(len(X)), best]


def atom_sums(X: FloatArray, atoms: FloatArray) -> tuple[FloatArray, float]:
    """One pass over n × d rows: Σ (x·d_k) x over the rows of each atom (K × d), and Σ (x·d_k)² over all rows.

    The rows explained by atom k are those with k = argmax_j |x·d_j|; sums over blocks are in double precision.
    """
    K = len(atoms)
    sums, explained = np.zeros((K, X.shape[1])), 0.0
    for start in range(0, len(X), BLOCK_ROWS):
        block = X[start : start + BLOCK_ROWS]
        best, coefficients = best_atoms(block, atoms.astype(X.dtype))
        sums += csr_array((coefficients, (best, np.arange(len(block)))), shape=(K, len(block))) @ block
        explained += float(coefficients @ coefficients.astype(np.float64))
    return sums, explained


def learn_atoms(
    X: FloatArray, n_atoms: int, n_iterations: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Atoms (K × d, unit rows) by alternating assignment and update, from normally drawn directions.

    Update: d_k ∝ Σ (x·d_k) x over its rows, one power step on their second moment, so the objective
    mean ‖x − (x·d_k) d_k‖² never rises; an atom without rows is drawn anew, which cannot raise it either.
    Returns the atoms, the objective before each update and the number of atoms drawn anew by each.
    """
    energy = float(np.einsum("nd,nd->", X, X, dtype=np.float64))
    atoms = unit_rows(rng.standard_normal((n_atoms, X.shape[1])))
    objective, redrawn = np.empty(n_iterations), np.zeros(n_iterations, dtype=int)
    for iteration in range(n_iterations):
        sums, explained = atom_sums(X, atoms)
        dead = np.linalg.norm(sums, axis=1) == 0.0
        sums[dead] = rng.standard_normal((int(dead.sum()), X.shape[1]))
        atoms = unit_rows(sums)
        objective[iteration] = (energy - explained) / len(X)
        redrawn[iteration] = dead.sum()
    return atoms, objective, redrawn


class OMP1Dictionary(ClassNamePrefixFeaturesOutMixin, RowTransformer):
    """A dictionary of unit atoms (Coates & Ng 2011, OMP-1); transform gives the dot products x·d_k (n × K).

    n_atoms : K, the size of the codebook
    n_iterations : alternations of assignment and update
    random_state : None, a whole number, a RandomState or a Generator

    Learned: ``atoms_`` (K × d), ``objective_`` and ``redrawn_`` (one value per iteration).
    """

    def __init__(self, n_atoms: int = 50, n_iterations: int = 50, random_state: object = None) -> None:
        self.n_atoms = n_atoms
        self.n_iterations = n_iterations
        self.random_state = random_state

    def _check_parameters(self) -> None:
        check_integer(self.n_atoms, "n_atoms", "OMP1Dictionary", 1)
        check_integer(self.n_iterations, "n_iterations", "OMP1Dictionary", 1)

    def _learn(self, rows: FloatArray) -> None:
        rng = as_generator(self.random_state)
        self.atoms_, self.objective_, self.redrawn_ = learn_atoms(rows, self.n_atoms, self.n_iterations, rng)

    def _apply(self, rows: FloatArray) -> FloatArray:
        return np.asarray(rows @ self.atoms_.T.astype(rows.dtype))

    @property
    def _n_features_out(self) -> int:
        return len(self.atoms_)
