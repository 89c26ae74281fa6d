"""What a whole nested curve costs against the single largest fit, in one run: bar 2× on a full-rank set.

python scripts/bench_curve.py [--dataset mdd_fac] [--strategy selm] [--repeat 15]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from ending import count, end_in_words
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from celm.base.seeds import seed_of
from celm.datasets import load, split_rows
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.node_curves import pseudo_inverse_rows
from celm.models.elm.weights import STRATEGIES


def interleaved(works: dict[str, Callable[[], Any]], repeat: int) -> dict[str, float]:
    """The least processor time of each work, all of them run in turns."""
    best = dict.fromkeys(works, np.inf)
    for _ in range(repeat):
        for name, work in works.items():
            started = time.process_time()
            work()
            best[name] = min(best[name], time.process_time() - started)
    return best


def main() -> None:
    """Print both times and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", default="mdd_fac")
    parser.add_argument("--strategy", default="selm", choices=sorted(STRATEGIES))
    parser.add_argument("--repeat", type=count, default=15)
    arguments = parser.parse_args()
    data = load(arguments.dataset)
    train, test = split_rows(len(data.y), rng=np.random.default_rng(0))
    scaler = StandardScaler().fit(data.X[train])
    X, X_test = scaler.transform(data.X[train]), scaler.transform(data.X[test])
    y, y_test, counts = data.y[train], data.y[test], list(range(5, 201, 5))
    model = ELMClassifier(counts[-1], strategy=arguments.strategy, random_state=seed_of(0, "nodes"))

    def fit() -> float:
        return float(model.fit(X, y).score(X_test, y_test))

    def curve() -> Any:
        return pseudo_inverse_rows(model, counts, X, y, X_test, y_test, nested=True, seed=0)

    with threadpool_limits(limits=1):
        best = interleaved({"largest": fit, "curve": curve}, arguments.repeat)
        ranks = [row.rank for row in curve()]
    print(f"{arguments.dataset} {arguments.strategy}: {len(counts)} points, rank {ranks[-1]} at {counts[-1]} nodes")
    print(f"largest fit, scored: {best['largest'] * 1e3:.1f} ms; whole curve: {best['curve'] * 1e3:.1f} ms; ", end="")
    print(f"ratio {best['curve'] / best['largest']:.2f}; CPU time of one thread")


if __name__ == "__main__":
    end_in_words(main)
