"""Which reading explains which number: runs the readings of an experiment, then judges every published cell."""

from __future__ import annotations

import argparse
import logging

from celm.datasets import DatasetError
from celm.store import LocalStore, PublishedStore, merged, write_whole
from celm.tables import to_csv
from celm.verdicts import cell_verdicts, to_markdown
from experiments.configs import options, register
from experiments.execution import report_failures, run_study
from experiments.publish import RECORDS, RUNS
from experiments.reporting import RESULTS, experiment_summary
from experiments.studies import composed_study

# Readings that change the cells of an experiment, nearest to the paper's text first.
READINGS = {
    "table1": [
        "scaled_on_all_rows",
        "stratified",
        "largest_nodes",
        "best_on_test",
        "redrawn_per_fold",
        "independent_nodes",
        "raw_values",
        "unit_samples",
        "per_sample",
        "minmax",
        "unit_norm",
        "sums_doubled",
        "samples_doubled",
        "classes_first",
        "distinct_samples",
        "random_orientation",
        "small_norm_filter",
        "cosine_filter",
        "orthogonal_uniform_bias",
        "orthogonal_unit_columns",
        "binary_targets",
        "bp_class_index",
        "svm_max_label",
    ],
}


def run_readings(experiment: str, readings: list[str]) -> bool:
    """Run what is left of every reading; whether any cell failed."""
    failed = False
    for reading in readings:
        outcome = run_study(composed_study(f"{experiment}+{reading}"))
        if outcome is not None:
            report_failures(outcome.failed)
            failed |= bool(outcome.failed)
    return failed


def write_verdicts(experiment: str) -> None:
    """results/tables/EXPERIMENT_verdicts.{csv,md} from the finished cells of the default and of every reading."""
    local, published = LocalStore(RUNS), PublishedStore(RECORDS)
    summaries = {}
    for name in [experiment, *(f"{experiment}+{reading}" for reading in READINGS[experiment])]:
        keys = [cell.key for cell in composed_study(name).plan()]
        documents = merged(published.documents(name), local.documents(name), keys)
        if documents:
            summaries[name] = experiment_summary(name, documents.values())
    default = summaries.pop(experiment)
    verdicts = cell_verdicts(default, {name.partition("+")[2]: table for name, table in summaries.items()})
    title = f"{composed_study(experiment).config.title}: is every number reached?"
    write_whole(RESULTS / "tables" / f"{experiment}_verdicts.csv", to_csv(verdicts))
    write_whole(RESULTS / "tables" / f"{experiment}_verdicts.md", to_markdown(verdicts, title))
    counts = verdicts["verdict"].value_counts()
    print(f"{experiment}: {len(verdicts)} cells, " + ", ".join(f"{n} {word}" for word, n in counts.items()))


def main() -> None:
    """Command line: python -m experiments.readings [EXPERIMENT] [--only READING …] [--no-run]."""
    parser = argparse.ArgumentParser(prog="python -m experiments.readings", description=__doc__)
    parser.add_argument("experiment", nargs="?", default="table1", choices=sorted(READINGS))
    parser.add_argument("--only", nargs="+", choices=options("reading"), metavar="READING", help="run these alone")
    parser.add_argument("--no-run", action="store_true", help="judge from the stores, run nothing")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    register()
    failed = False
    try:
        if not arguments.no_run:
            failed = run_readings(arguments.experiment, arguments.only or READINGS[arguments.experiment])
    except (ValueError, DatasetError) as error:
        raise SystemExit(str(error)) from error
    except KeyboardInterrupt:
        raise SystemExit("stopped: finished cells are kept, the same command goes on from them") from None
    write_verdicts(arguments.experiment)
    if failed:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
