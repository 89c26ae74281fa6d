"""A machine of very many nodes in little memory: how long its readout takes, and how far it is from the direct one.

    python scripts/many_nodes.py --nodes 30000 --rows 40000          # memory and passes, more nodes than a Gram allows
    python scripts/many_nodes.py --nodes 7000 --rows 20000 --direct  # the same beside the direct solution

Rows are drawn, with ten classes. Prints one line of JSON with the peak of memory.
"""

from __future__ import annotations

import argparse
import json
import resource
import time

import numpy as np

from celm import ELMClassifier
from celm.linalg import solve


def drawn_rows(n_rows: int, n_features: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows whose class is which of ten random directions they lie closest to, up to sign."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_rows, n_features))
    return X, np.abs(X @ np.random.default_rng(0).standard_normal((n_features, 10))).argmax(axis=1)


def fitted(arguments: argparse.Namespace, limit: int) -> tuple[ELMClassifier, float]:
    """The machine with at most so many bytes for a direct solution, and its seconds."""
    solve.DIRECT_BYTES = limit
    X, y = drawn_rows(arguments.rows, arguments.features, 1)
    model = ELMClassifier(
        arguments.nodes, strategy="covariance", input_scale=1.0, lam=arguments.lam, precision="double", random_state=0
    )
    started = time.perf_counter()
    return model.fit(X, y), time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=30_000)
    parser.add_argument("--rows", type=int, default=40_000)
    parser.add_argument("--features", type=int, default=20)
    parser.add_argument("--lam", type=float, default=1.0)
    parser.add_argument("--direct", action="store_true", help="solve directly too, and compare")
    arguments = parser.parse_args()
    model, seconds = fitted(arguments, 0)
    X_test, y_test = drawn_rows(5000, arguments.features, 2)
    found = {
        "nodes": arguments.nodes,
        "rows": arguments.rows,
        "lam": arguments.lam,
        "solver": model.solver_,
        "seconds": round(seconds, 1),
        "accuracy": model.score(X_test, y_test),
        "peak_gb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 2),
    }
    if arguments.direct:
        direct, seconds = fitted(arguments, 2**60)
        found["direct_seconds"], found["direct_accuracy"] = round(seconds, 1), direct.score(X_test, y_test)
        found["largest_difference"] = float(np.abs(direct.scores(X_test) - model.scores(X_test)).max())
    print(json.dumps(found))


if __name__ == "__main__":
    main()
