"""The exact splits of a published experiment as .mat files, with our accuracies beside them.

A reader can run the authors' published functions on the same rows under Octave or MATLAB:

    python scripts/export_splits.py --experiment table1 --datasets mdd_pix mdd_zer --to splits

Every file SPLITS/DATASET_ROUND.mat has X, y, X_test, y_test (scaled as the experiment scales them; classes from 1), and
in ``models`` and ``ours`` the models with the accuracies that our published records have on these rows. The last lines
that are printed call one of these functions on the first file.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from ending import count, end_in_words
from scipy.io import savemat

from celm.analysis.summary import chosen_rows
from celm.study.cells import Cell, Split
from celm.study.runner import split_of
from experiments.config.schema import register
from experiments.config.studies import composed_study
from experiments.results import Records, Results

# The authors' functions that a model of ours is; theirs of single samples is not published.
THEIRS = {"cdelm": "CELM", "cselm": "CSELM", "rselm": "SELM", "cmelm": "MELM"}
NODES = 200


class Exported(NamedTuple):
    """One round of one data set: its rows, and what our models reach on them."""

    dataset: str
    round: int
    split: Split
    ours: dict[str, float]

    def content(self) -> dict[str, Any]:
        """What the .mat file holds."""
        classes = np.unique(self.split.y)
        codes = [np.searchsorted(classes, labels) + 1 for labels in (self.split.y, self.split.y_test)]
        rows = {"X": self.split.X, "y": codes[0][:, None], "X_test": self.split.X_test, "y_test": codes[1][:, None]}
        names = np.array(list(self.ours), dtype=object)
        return {**rows, "models": names, "ours": np.array(list(self.ours.values()))}


def exported(experiment: str, datasets: list[str] | None, rounds: int, results: Results) -> Iterator[Exported]:
    """The splits of an experiment round by round; models of a round share theirs."""
    frame = chosen_rows(Records(results).frame(experiment, chosen_alone=True))
    seen: dict[tuple[str, int], Cell] = {}
    for cell in composed_study(experiment).plan():
        seen.setdefault((cell.dataset.name, cell.round), cell)
    for (dataset, number), cell in seen.items():
        if number < rounds and (datasets is None or dataset in datasets):
            mine = frame[(frame["dataset"] == dataset) & (frame["round"] == number)] if len(frame) else frame
            ours = {str(row["model"]): float(row["accuracy"]) for _, row in mine.iterrows()}
            yield Exported(dataset, number, split_of(cell), ours)


def example(path: Path) -> str:
    """How the authors' functions are called on one of the files, under Octave or MATLAB.

    They take matrices with the class in the first column (labels are whole numbers here, and a matrix of whole numbers
    would round the features), 1 for classification, the node count, the activation, and λ, which is 10^100 for none.
    """
    named = ", ".join(f"{function}.m is {model.upper()}" for model, function in THEIRS.items())
    return (
        "To run the authors' functions (github.com/wentaozhu/constrained-extreme-learning-machine) on these rows:\n"
        f"  s = load('{path.as_posix()}');\n"
        "  train = [double(s.y), s.X]; test = [double(s.y_test), s.X_test];\n"
        f"  [seconds, test_seconds, training, accuracy] = CSELM(train, test, 1, {NODES}, 'sig', 10^100)\n"
        f"{named}. {NODES} is the node count; 10^100 means no penalty, any other number is their C, the paper's λ."
    )


def main() -> None:
    """Command line, see the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--experiment", default="table1")
    parser.add_argument("--datasets", nargs="*", help="all of the experiment by default")
    parser.add_argument("--rounds", type=count, default=10, help="so many of its first rounds")
    parser.add_argument("--to", type=Path, default=Path("splits"))
    arguments = parser.parse_args()
    register()
    arguments.to.mkdir(parents=True, exist_ok=True)
    paths = []
    for one in exported(arguments.experiment, arguments.datasets, arguments.rounds, Results()):
        path = arguments.to / f"{one.dataset}_{one.round}.mat"
        savemat(path, one.content(), do_compression=True)
        told = ", ".join(f"{model} {accuracy:.3f}" for model, accuracy in one.ours.items())
        paths.append(path)
        print(f"{path}: {len(one.split.y)} + {len(one.split.y_test)} rows; ours: {told or 'not published'}")
    if paths:
        print(example(paths[0]))


if __name__ == "__main__":
    end_in_words(main)
