"""The exact splits of a published experiment as .mat files, with our accuracies beside them.

A reader can run the authors' published functions on the same rows under Octave or MATLAB:

    python scripts/export_splits.py --experiment table1 --datasets mdd_pix mdd_zer --to splits

Every file SPLITS/DATASET_ROUND.mat has X, y, X_test, y_test (scaled as the experiment scales them; classes from 1), and
in ``models`` and ``ours`` the models with the accuracies that our published records have on these rows.
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
    for one in exported(arguments.experiment, arguments.datasets, arguments.rounds, Results()):
        path = arguments.to / f"{one.dataset}_{one.round}.mat"
        savemat(path, one.content(), do_compression=True)
        told = ", ".join(f"{model} {accuracy:.3f}" for model, accuracy in one.ours.items())
        print(f"{path}: {len(one.split.y)} + {len(one.split.y_test)} rows; ours: {told or 'not published'}")


if __name__ == "__main__":
    end_in_words(main)
