"""Memory of a fit on wide sparse rows: 20,000 × 100,000 with 1 % filled take 16 GB when dense, 240 MB as they are.

    python scripts/sparse_memory.py --strategy cdelm

Prints one line of JSON: megabytes of the rows, and by how much a fit and its predictions raise the peak above them.
"""

from __future__ import annotations

import argparse
import json
import resource

import numpy as np
from ending import count, end_in_words, positive
from scipy.sparse import csr_matrix

from celm import ELMClassifier


def sparse_rows(n_rows: int, n_features: int, density: float) -> csr_matrix:
    """Rows with about that share of features filled, as counts of words are."""
    rng = np.random.default_rng(0)
    filled = max(1, round(n_features * density))
    columns = np.sort(rng.integers(0, n_features, size=(n_rows, filled), dtype=np.int32), axis=1)
    starts = np.arange(0, n_rows * filled + 1, filled, dtype=np.int32)
    return csr_matrix((rng.random(n_rows * filled), columns.ravel(), starts), shape=(n_rows, n_features))


def peak_megabytes() -> float:
    """The most this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=count, default=20_000)
    parser.add_argument("--features", type=count, default=100_000)
    parser.add_argument("--density", type=positive, default=0.01)
    parser.add_argument("--nodes", type=count, default=100)
    parser.add_argument("--strategy", default="cdelm")
    arguments = parser.parse_args()
    X = sparse_rows(arguments.rows, arguments.features, arguments.density)
    y = np.arange(arguments.rows) % 2
    before = peak_megabytes()
    model = ELMClassifier(arguments.nodes, strategy=arguments.strategy, lam=1.0, random_state=0).fit(X, y)
    model.predict(X)
    found = {
        "strategy": arguments.strategy,
        "rows_mb": round((X.data.nbytes + X.indices.nbytes + X.indptr.nbytes) / 2**20),
        "weights_mb": round(model.W_.nbytes / 2**20),
        "dense_mb": round(8 * arguments.rows * arguments.features / 2**20),
        "peak_above_rows_mb": round(peak_megabytes() - before),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    end_in_words(main)
