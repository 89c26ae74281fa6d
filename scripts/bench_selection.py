"""How much the joint selection of node count and λ gains over naive solves on the same inputs, in one run.

python scripts/bench_selection.py [--dataset mdd_kar] [--strategy cselm] [--repeat 3]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from ending import count, end_in_words
from scipy.linalg import solve
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from celm.base.validation import signed_targets
from celm.datasets import fold_ids, load, split_rows
from celm.linalg.layer import Layer
from celm.linalg.selection import Problem, correct_surface
from celm.models.elm.base_search import LAMBDAS
from celm.models.elm.drawing import draw_layer
from celm.models.elm.options import WeightOptions
from celm.models.elm.weights import STRATEGIES


def naive_surface(H: Any, T: Any, codes: Any, folds: Any, counts: list[int], lams: tuple[float, ...]) -> Any:
    """Every fold, node count and λ solved on its own, as calling a ridge solver in three loops would."""
    surface = np.zeros((len(counts), len(lams)), dtype=count)
    for fold in range(3):
        train, held_out = folds != fold, folds == fold
        for i, L in enumerate(counts):
            h, h_out = H[train, :L], H[held_out, :L]
            for j, lam in enumerate(lams):
                beta = solve(np.eye(L) / lam + h.T @ h, h.T @ T[train], assume_a="pos")
                surface[i, j] += np.count_nonzero((h_out @ beta).argmax(axis=1) == codes[held_out])
    return surface


def cpu_seconds(work: Callable[[], Any], repeat: int) -> tuple[float, Any]:
    """The least processor time of ``repeat`` runs, and what the work returned."""
    times = []
    for _ in range(repeat):
        started = time.process_time()
        result = work()
        times.append(time.process_time() - started)
    return min(times), result


def main() -> None:
    """Print both times, their ratio and whether the surfaces agree."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", default="mdd_kar")
    parser.add_argument("--strategy", default="cselm", choices=sorted(STRATEGIES))
    parser.add_argument("--repeat", type=count, default=3)
    arguments = parser.parse_args()
    data, rng = load(arguments.dataset), np.random.default_rng(0)
    train, _ = split_rows(len(data.y), rng=rng)
    X, codes = StandardScaler().fit_transform(data.X[train]), data.y[train].astype(np.intp)
    T, folds, counts = signed_targets(codes, len(data.classes)), fold_ids(len(train), 3, rng), list(range(5, 201, 5))
    H = Layer(*draw_layer(X, codes, arguments.strategy, counts[-1], 0, WeightOptions())).outputs(X)
    with threadpool_limits(limits=1):
        fast, ours = cpu_seconds(
            lambda: correct_surface(lambda *_: H, Problem(T, codes, folds, counts, LAMBDAS), nested=True),
            arguments.repeat,
        )
        slow, theirs = cpu_seconds(lambda: naive_surface(H, T, codes, folds, counts, LAMBDAS), 1)
    print(f"{arguments.dataset} {arguments.strategy}: {len(counts)} node counts × {len(LAMBDAS)} λ × 3 folds")
    print(f"naive {slow:.2f} s, joint {fast:.3f} s, ratio {slow / fast:.0f}; CPU seconds of one thread")
    print(f"held-out rows judged differently: {np.abs(ours - theirs).max()} at most, of {len(train)}")


if __name__ == "__main__":
    end_in_words(main)
