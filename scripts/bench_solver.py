"""Times the large-data ridge solver against its floor, on random data of a given shape.

    python scripts/bench_solver.py --rows 60000 --features 784 --nodes 1000 --repeat 3

The floor is what no arrangement can avoid: the two matrix products XW and HᵀH, the sigmoid and one Cholesky, each
timed alone on the same threads. Everything is timed in turns within one run and the best of the repeats counts;
CPU seconds (all threads) bear a busy machine better than wall seconds.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from ending import count, end_in_words, positive
from scipy.special import expit
from threadpoolctl import threadpool_limits

from celm.base.threads import blas_threads, one_blas_thread
from celm.linalg import blas
from celm.linalg.blocks import Pass
from celm.linalg.gram import accumulate, room_for_hidden
from celm.linalg.layer import Layer
from celm.linalg.ridge import choose_lambda, ridge_from_gram, ridge_path

LAMBDAS = [10.0**e for e in range(-8, 9)]
N_CLASSES = 10
N_FOLDS = 3


class Seconds(NamedTuple):
    """Time on the clock and on the processors."""

    wall: float
    cpu: float

    def plus(self, other: Seconds) -> Seconds:
        return Seconds(self.wall + other.wall, self.cpu + other.cpu)

    def times(self, factor: float) -> Seconds:
        return Seconds(self.wall * factor, self.cpu * factor)


class Problem:
    """Random rows, targets, folds and a hidden layer."""

    def __init__(self, rows: int, features: int, nodes: int) -> None:
        rng = np.random.default_rng(0)
        self.X = np.empty((rows, features))
        for start in range(0, rows, 1000):
            self.X[start : start + 1000] = rng.standard_normal(self.X[start : start + 1000].shape)
        self.W, self.b = rng.standard_normal((features, nodes)) / np.sqrt(features), rng.uniform(0, 1, nodes)
        self.codes = rng.integers(0, N_CLASSES, rows)
        self.T = 2.0 * np.eye(N_CLASSES)[self.codes] - 1.0
        self.folds = rng.integers(0, N_FOLDS, rows)

    def fit(self, threads: int, precision: str = "double") -> None:
        sums = accumulate(Layer(self.W, self.b, precision=precision), self.X, self.T, how=Pass(n_threads=threads))
        ridge_from_gram(*sums.total(), 1e3)

    def fit_with_choice(self, threads: int, hidden_bytes: float = 0.0) -> None:
        """One pass, a path per fold, the held-out scores, and the readout for the chosen λ."""
        layer, how = Layer(self.W, self.b), Pass(n_threads=threads)
        hidden = room_for_hidden(layer, len(self.X), hidden_bytes)
        sums = accumulate(layer, self.X, self.T, folds=self.folds, n_folds=N_FOLDS, how=how, hidden=hidden)
        choice = choose_lambda(sums, layer, self.X, self.codes, self.folds, LAMBDAS, how=how, hidden=hidden)
        ridge_from_gram(*sums.total(), choice.lam)

    def floor(self, threads: int) -> dict[str, Seconds]:
        """The unavoidable parts, each timed alone; H is held whole here."""
        rows, nodes = len(self.X), len(self.b)
        H = np.ones((rows, nodes))
        grams = [np.zeros((nodes, nodes), order="F") for _ in range(threads)]
        parts = np.array_split(np.arange(rows), threads)
        cuts = [slice(part[0], part[-1] + 1) for part in parts]
        with one_blas_thread(), ThreadPoolExecutor(threads) as pool:

            def on_all(work: Callable[[int], Any]) -> Seconds:
                return timed(lambda: list(pool.map(work, range(threads))))

            seconds = {
                "XW": on_all(lambda i: np.matmul(self.X[cuts[i]], self.W, out=H[cuts[i]])),
                "sigmoid": on_all(lambda i: expit(H[cuts[i]], out=H[cuts[i]])),
                "HᵀH": on_all(lambda i: blas.add_gram(H[cuts[i]], grams[i])),
            }
        total = np.asfortranarray(sum(grams) + np.eye(nodes))
        seconds["Cholesky"] = best([timed_cholesky(total, limit) for limit in (1, threads)])
        return seconds

    def path_against_choleskys(self) -> tuple[Seconds, Seconds]:
        """17 λ by one reduction and by 17 Choleskys (three timed, then scaled), on one thread."""
        rows = min(len(self.X), 2 * len(self.b))
        gram, moment = accumulate(Layer(self.W, self.b), self.X[:rows], self.T[:rows]).total()
        with one_blas_thread():
            path = timed(lambda: ridge_path(gram, moment, LAMBDAS))
            choleskys = timed(lambda: [cholesky_solve(gram, moment, lam) for lam in (1e-3, 1.0, 1e3)])
        return path, choleskys.times(len(LAMBDAS) / 3)


def timed_cholesky(gram: blas.Floats, threads: int) -> Seconds:
    """One Cholesky with so many BLAS threads; a second one does not always help."""
    A = gram.copy(order="F")
    with threadpool_limits(threads, user_api="blas"):
        return timed(lambda: blas.cholesky(A))


def cholesky_solve(gram: blas.Floats, moment: blas.Floats, lam: float) -> blas.Floats:
    """β for one λ with no check of the condition: the least that a Cholesky per λ costs."""
    A, beta = np.array(gram, order="F"), np.array(moment, order="F")
    A.flat[:: len(A) + 1] += 1.0 / lam
    if not blas.cholesky(A):
        raise ValueError(f"benchmark: the Gram matrix must be positive definite at λ = {lam:g}.")
    blas.cholesky_solve(A, beta)
    return beta


def timed(work: Callable[[], Any]) -> Seconds:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Seconds(time.perf_counter() - wall, time.process_time() - cpu)


def peak_bytes() -> int:
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def best(runs: list[Seconds]) -> Seconds:
    return Seconds(min(run.wall for run in runs), min(run.cpu for run in runs))


def measure(problem: Problem, threads: int, repeat: int, hidden_bytes: float) -> dict[str, Seconds]:
    """The best of ``repeat`` rounds of everything, in turns."""
    runs: dict[str, list[Seconds]] = {}
    for _ in range(repeat):
        parts = problem.floor(threads)
        floor = Seconds(0, 0)
        for part in parts.values():
            floor = floor.plus(part)
        path, choleskys = problem.path_against_choleskys()
        round_of_runs = {
            **{f"  {name}": part for name, part in parts.items()},
            "floor": floor,
            "fit": timed(lambda: problem.fit(threads)),
            "fit, single-precision products": timed(lambda: problem.fit(threads, "single_products")),
            "fit with choice of λ": timed(lambda: problem.fit_with_choice(threads)),
            "fit with choice of λ, H kept": timed(lambda: problem.fit_with_choice(threads, hidden_bytes)),
            "path of 17 λ, one thread": path,
            "17 Choleskys, one thread": choleskys,
        }
        for name, seconds in round_of_runs.items():
            runs.setdefault(name, []).append(seconds)
    return {name: best(times) for name, times in runs.items()}


def ratios(seconds: dict[str, Seconds]) -> list[tuple[str, Seconds]]:
    """The comparisons that matter, as name and (wall, CPU) ratio."""
    pairs = [
        ("fit / floor", "fit", "floor"),
        ("fit, single-precision products / floor", "fit, single-precision products", "floor"),
        ("fit with choice / fit", "fit with choice of λ", "fit"),
        ("fit with choice, H kept / fit", "fit with choice of λ, H kept", "fit"),
        ("path of 17 λ / 17 Choleskys", "path of 17 λ, one thread", "17 Choleskys, one thread"),
    ]
    return [
        (title, Seconds(seconds[a].wall / seconds[b].wall, seconds[a].cpu / seconds[b].cpu)) for title, a, b in pairs
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=count, default=60_000)
    parser.add_argument("--features", type=count, default=784)
    parser.add_argument("--nodes", type=count, default=1000)
    parser.add_argument("--repeat", type=count, default=3, help="rounds of everything; the best counts")
    parser.add_argument("--threads", type=count, default=blas_threads())
    parser.add_argument("--hidden-gb", type=positive, default=1.0, help="room for H where it is kept, in gigabytes")
    options = parser.parse_args()
    problem = Problem(options.rows, options.features, options.nodes)
    held = peak_bytes()
    problem.fit_with_choice(options.threads, 1e9 * options.hidden_gb)
    peak = peak_bytes() - held
    seconds = measure(problem, options.threads, options.repeat, 1e9 * options.hidden_gb)
    shape = f"{options.rows} × {options.features}, {options.nodes} nodes, {options.threads} threads"
    print(f"{shape:44}{'wall s':>10}{'CPU s':>10}")
    for name, time_taken in seconds.items():
        print(f"{name:44}{time_taken.wall:10.2f}{time_taken.cpu:10.2f}")
    print(f"{'ratios':44}{'wall':>10}{'CPU':>10}")
    for name, ratio in ratios(seconds):
        print(f"{name:44}{ratio.wall:10.2f}{ratio.cpu:10.2f}")
    print(f"peak memory of a fit with choice of λ, beyond the data: {peak / 1e9:.2f} GB")


if __name__ == "__main__":
    end_in_words(main)
