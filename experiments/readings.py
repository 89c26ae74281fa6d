"""Which reading explains which number: runs the readings of the paper's tables, then judges every published cell."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from celm.analysis.ranking import ranking
from celm.analysis.ranking import to_markdown as ranking_markdown
from celm.analysis.summary import COLUMNS as SUMMARY_COLUMNS
from celm.analysis.summary import to_csv
from celm.analysis.verdicts import cell_verdicts, to_markdown
from celm.base.files import write_whole
from celm.datasets import DatasetError
from celm.study.store import LocalStore, PublishedStore, merged
from experiments.config.schema import register
from experiments.config.studies import composed_study
from experiments.execution import report_failures, run_study
from experiments.publish import RECORDS, RUNS
from experiments.reporting import PAPER, RESULTS, experiment_summary


class Readings(NamedTuple):
    """The readings that change the cells of a table, nearest to the paper's text first.

    base: the experiment they are run on, the table itself or a smaller form of it. run_base: whether the base is run
    too, because the table has none of its node counts to compare with.
    """

    title: str
    base: str
    names: tuple[str, ...]
    run_base: bool = False


# Readings of the hidden layer and its targets, wherever the ELM family runs.
OF_THE_LAYER = (
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
)

READINGS = {
    "table1": Readings(
        "Table I",
        "table1",
        (
            "scaled_on_all_rows",
            "stratified",
            "largest_nodes",
            "one_choice_for_all_rounds",
            "best_on_test",
            "redrawn_per_fold",
            "independent_nodes",
            "raw_values",
            "unit_samples",
            "per_sample",
            "minmax",
            "unit_norm",
            *OF_THE_LAYER,
            "bp_class_index",
            "svm_max_label",
        ),
    ),
    "table2": Readings(
        "Table II",
        "table2_readings",
        (
            "pixels",
            "unit_norm",
            "per_feature",
            "redrawn_per_fold",
            *OF_THE_LAYER,
            "single_precision",
            "ml_elm_other_preset",
        ),
    ),
    "table3": Readings(
        "Table III",
        "table3_readings",
        (
            "one_sided",
            "sum_pooling",
            "jia_constants",
            "plain_zscore",
            "minmax_features",
            "raw_features",
            "unit_norm_features",
            "every_round",
            "sums_doubled",
            "samples_doubled",
            "orthogonal_uniform_bias",
            "orthogonal_unit_columns",
            "binary_targets",
            "r2svm_cumulative",
            "dcn_elm_scale",
        ),
        run_base=True,
    ),
}

# Readings that choose or scale with test rows.
SEES_TEST = ("best_on_test", "scaled_on_all_rows")


class Evidence(NamedTuple):
    """What is known of a published table: its numbers, the default's summary, those of its readings and their base."""

    paper: pd.DataFrame
    default: pd.DataFrame
    readings: dict[str, pd.DataFrame]
    base: pd.DataFrame | None


def evidence_of(experiment: str, local: bool = False) -> Evidence:
    """The published records of a table and of its readings; with ``local`` also cells that are not published yet."""
    study = READINGS[experiment]
    return Evidence(
        pd.read_csv(PAPER / f"{experiment}.csv", dtype={"n_hidden": str}),
        _summary(experiment, local),
        {name: _summary(f"{study.base}+{name}", local) for name in study.names},
        _summary(study.base, local) if study.run_base else None,
    )


def _summary(name: str, local: bool) -> pd.DataFrame:
    """Means over the rounds that exist, however few; no rows without records."""
    documents = PublishedStore(RECORDS).documents(name, chosen_alone=True)
    here = LocalStore(RUNS).documents(name) if local else {}
    if here:
        documents = merged(documents, here, [cell.key for cell in composed_study(name).plan()])
    return experiment_summary(name, documents.values()) if documents else pd.DataFrame(columns=SUMMARY_COLUMNS)


def verdicts_of(experiment: str) -> pd.DataFrame:
    """One row per published cell of a table, from the published records."""
    return cell_verdicts(*evidence_of(experiment))


def ranking_of(experiment: str) -> pd.DataFrame:
    """One row per reading of a table, from the published records (see :func:`celm.analysis.ranking.ranking`)."""
    return _ranked(experiment, evidence_of(experiment))


def _ranked(experiment: str, known: Evidence) -> pd.DataFrame:
    ranked = ranking(*known, sees_test=SEES_TEST)
    ranked.insert(0, "experiment", experiment)
    return ranked


def run_readings(experiment: str, only: Sequence[str] = (), further: Sequence[str] = ()) -> bool:
    """Run what is left of the readings of a table, of all unless some are named; whether any cell failed."""
    study = READINGS[experiment]
    failed = False
    for name in [*([study.base] if study.run_base else []), *(f"{study.base}+{r}" for r in only or study.names)]:
        outcome = run_study(composed_study(name, further))
        if outcome is not None:
            report_failures(outcome.failed)
            failed |= bool(outcome.failed)
    return failed


def write_judgement(experiments: Sequence[str], local: bool) -> None:
    """results/tables/EXPERIMENT_verdicts.{csv,md} of these tables, and readings.{csv,md} of all of them."""
    rankings = []
    for experiment in READINGS:
        known = evidence_of(experiment, local)
        rankings.append(_ranked(experiment, known))
        if experiment in experiments:
            _write_verdicts(experiment, cell_verdicts(*known))
    together = pd.concat(rankings, ignore_index=True)
    write_whole(RESULTS / "tables" / "readings.csv", to_csv(together))
    write_whole(RESULTS / "tables" / "readings.md", ranking_markdown(together))


def _write_verdicts(experiment: str, verdicts: pd.DataFrame) -> None:
    title = f"{READINGS[experiment].title}: is every published number reached?"
    write_whole(RESULTS / "tables" / f"{experiment}_verdicts.csv", to_csv(verdicts))
    write_whole(RESULTS / "tables" / f"{experiment}_verdicts.md", to_markdown(verdicts, title))
    counts = verdicts["verdict"].value_counts()
    print(f"{experiment}: {len(verdicts)} cells, " + ", ".join(f"{n} {word}" for word, n in counts.items()))


def main() -> None:
    """Command line: python -m experiments.readings [EXPERIMENT] [--only READING …] [--no-run]."""
    parser = argparse.ArgumentParser(prog="python -m experiments.readings", description=__doc__)
    parser.add_argument("experiment", nargs="?", choices=list(READINGS), help="a table of the paper; default: all")
    parser.add_argument("--only", nargs="+", default=[], metavar="READING", help="run these readings of it alone")
    parser.add_argument("--no-run", action="store_true", help="run nothing, judge from the published records alone")
    arguments = parser.parse_args()
    chosen = [arguments.experiment] if arguments.experiment else list(READINGS)
    _refuse_unknown(parser, arguments.experiment, arguments.only)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    register()
    failed = False
    try:
        for experiment in [] if arguments.no_run else chosen:
            failed |= run_readings(experiment, arguments.only)
    except (ValueError, DatasetError) as error:
        raise SystemExit(str(error)) from error
    except KeyboardInterrupt:
        raise SystemExit("stopped: finished cells are kept, the same command goes on from them") from None
    write_judgement(chosen, local=not arguments.no_run)
    if failed:
        raise SystemExit(1)


def _refuse_unknown(parser: argparse.ArgumentParser, experiment: str | None, only: Sequence[str]) -> None:
    if only and experiment is None:
        parser.error("--only needs an experiment: readings belong to one")
    unknown = [name for name in only if name not in READINGS[str(experiment)].names]
    if unknown:
        allowed = ", ".join(READINGS[str(experiment)].names)
        parser.error(f"{experiment} has no reading {', '.join(unknown)}; it has {allowed}")


if __name__ == "__main__":
    main()
