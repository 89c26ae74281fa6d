"""A machine of very many nodes in little memory, beside the direct solution of fewer: seconds, accuracy, peak memory.

    python scripts/many_nodes.py                                # 30,000 and 7000 nodes on 40,000 rows (ten minutes)
    python scripts/many_nodes.py --nodes 3000 --rows 5000       # one machine, told in a line of JSON

Rows are drawn, with ten classes. Without ``--nodes`` every machine has a process of its own, so that peaks are its own,
and docs/measured/many_nodes.json is written, from which scripts/measured_pages.py fills docs/large_data.md.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from ending import count, end_in_words, place, positive

from celm import ELMClassifier
from celm.base.files import write_whole
from celm.linalg import solve

OUT = Path(__file__).resolve().parent.parent / "docs" / "measured" / "many_nodes.json"
# Nodes and whether they are solved directly.
MACHINES = ((30_000, False), (7000, False), (7000, True))


def drawn_rows(n_rows: int, n_features: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows whose class is which of ten random directions they lie closest to, up to sign."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_rows, n_features))
    return X, np.abs(X @ np.random.default_rng(0).standard_normal((n_features, 10))).argmax(axis=1)


def measured(arguments: argparse.Namespace) -> dict[str, object]:
    """One machine, by passes or directly, and what it took."""
    solve.DIRECT_BYTES = 2**60 if arguments.direct else 0
    X, y = drawn_rows(arguments.rows, arguments.features, 1)
    model = ELMClassifier(
        arguments.nodes, strategy="covariance", input_scale=1.0, lam=arguments.lam, precision="double", random_state=0
    )
    started = time.perf_counter()
    model.fit(X, y)
    seconds = time.perf_counter() - started
    return {
        "nodes": arguments.nodes,
        "rows": arguments.rows,
        "features": arguments.features,
        "lam": arguments.lam,
        "solver": model.solver_,
        "seconds": round(seconds, 1),
        "peak_gb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 2),
        "accuracy": model.score(*drawn_rows(5000, arguments.features, 2)),
    }


def in_its_own_process(arguments: argparse.Namespace, nodes: int, direct: bool) -> dict[str, object]:
    """One machine of all."""
    shared = [f"--{name}={getattr(arguments, name)}" for name in ("rows", "features", "lam")]
    command = [sys.executable, __file__, f"--nodes={nodes}", *shared, *(["--direct"] if direct else [])]
    found: dict[str, object] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    print(json.dumps(found), flush=True)
    return found


def main() -> None:
    """One machine, or all of them into a file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=count, default=None)
    parser.add_argument("--rows", type=count, default=40_000)
    parser.add_argument("--features", type=count, default=20)
    parser.add_argument("--lam", type=positive, default=1.0)
    parser.add_argument("--direct", action="store_true", help="solve directly, whatever the memory")
    parser.add_argument("--out", type=place, default=OUT)
    arguments = parser.parse_args()
    if arguments.nodes is not None:
        print(json.dumps(measured(arguments)))
        return
    found = [in_its_own_process(arguments, nodes, direct) for nodes, direct in MACHINES]
    write_whole(arguments.out, json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    end_in_words(main)
