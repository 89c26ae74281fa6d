"""Times the linear SVM against scikit-learn's LinearSVC at the same C, in CPU seconds of one thread, in one run.

    python scripts/bench_svm.py [--data cifar10|random] [--rows 50000] [--C 500]

Both objectives are stated in one form, that of celm.LinearSVM: the sum over classes of ½‖w‖² + C·mean squared hinge.
LinearSVC states its loss as a sum, so its C is this one divided by the rows, and it also penalises the intercept.
cifar10 are the first rows of the 400 Coates-Ng features, computed once and cached; random needs no data. LinearSVC
takes minutes on 50,000 rows.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from ending import count, end_in_words, positive
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from celm.datasets import load
from celm.datasets.cache import cache_folder
from celm.features.coates_ng import CoatesNgFeatures
from celm.features.feature_cache import cached_features
from celm.features.whitening import OffsetStandardizer
from celm.models.baselines.linear_svm import LinearSVM
from celm.models.baselines.svm_columns import class_targets

N_RANDOM_FEATURES, N_RANDOM_CLASSES = 400, 10


def cifar10_rows(n_rows: int) -> tuple[Any, Any]:
    """The first training rows, their features standardised on themselves."""
    data = load("cifar10")
    features = CoatesNgFeatures(random_state=0, progress=True)
    encoded = cached_features(data.X, np.arange(50_000), features, cache_folder() / "features", data.digest)
    X = encoded[: min(n_rows, 50_000)].astype(np.float64)
    return OffsetStandardizer().fit_transform(X), data.y[: len(X)]


def random_rows(n_rows: int) -> tuple[Any, Any]:
    """Correlated features, and classes that are the largest of noisy linear scores: no line tells them apart."""
    rng = np.random.default_rng(0)
    spreads = 1.0 / np.sqrt(1.0 + np.arange(N_RANDOM_FEATURES))
    X = (rng.standard_normal((n_rows, N_RANDOM_FEATURES)) * spreads) @ rng.standard_normal(2 * (N_RANDOM_FEATURES,))
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    scores = X @ rng.standard_normal((N_RANDOM_FEATURES, N_RANDOM_CLASSES))
    return X, (scores + scores.std() * rng.standard_normal(scores.shape)).argmax(axis=1)


def objective(fitted: Any, X: Any, y: Any, C: float) -> float:
    """Σ over classes of ½‖w‖² + C·mean max(0, 1 − t(x·w + b))²."""
    targets = class_targets(np.searchsorted(fitted.classes_, y), len(fitted.classes_))
    hinge = np.maximum(0.0, 1.0 - targets * (X @ fitted.coef_.T + fitted.intercept_).T)
    return float(0.5 * np.sum(fitted.coef_**2) + C * np.sum(np.mean(hinge**2, axis=1)))


def main() -> None:
    """Print time and objective of both and their ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", choices=("cifar10", "random"), default="cifar10")
    parser.add_argument("--rows", type=count, default=50_000)
    parser.add_argument("--C", type=positive, default=500.0, help="weight of the mean squared hinge")
    options = parser.parse_args()
    if options.rows < 100 or not options.C > 0:
        parser.error(f"--rows must be at least 100 and --C above 0; got {options.rows} and {options.C:g}")
    X, y = (cifar10_rows if options.data == "cifar10" else random_rows)(options.rows)
    models = {
        "celm LinearSVM": LinearSVM(options.C),
        "LinearSVC(dual=False)": LinearSVC(C=options.C / len(X), dual=False),
    }
    seconds, objectives = [], []
    print(f"{options.data} {X.shape[0]} × {X.shape[1]}, {len(set(y.tolist()))} classes, C = {options.C:g}, one thread")
    with threadpool_limits(limits=1):
        for name, model in models.items():
            started = time.process_time()
            model.fit(X, y)
            seconds.append(time.process_time() - started)
            objectives.append(objective(model, X, y, options.C))
            print(f"{name:24}{seconds[-1]:10.2f} CPU s   objective {objectives[-1]:.6f}", flush=True)
    print(f"{seconds[1] / seconds[0]:.1f} times the CPU; objective {objectives[1] / objectives[0] - 1:+.2e} above ours")


if __name__ == "__main__":
    end_in_words(main)
