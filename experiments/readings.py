"""Runs the readings of the papers' tables, then judges every published cell from all records that are there."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence

from celm.analysis.words import CELL_VERDICTS, counted
from experiments.analyses.published_numbers import RANKING, verdicts_of
from experiments.analysis import analyses
from experiments.command import command
from experiments.config.schema import register
from experiments.config.studies import composed_study
from experiments.dry_run import Forecast, told
from experiments.execution import report_failures, run_study
from experiments.outputs import write_tables
from experiments.papers import PublishedTable, papers
from experiments.results import Records, Results

TABLES: dict[str, PublishedTable] = {name: table for paper in papers().values() for name, table in paper.tables.items()}


def run_readings(experiment: str, only: Sequence[str] = (), further: Sequence[str] = ()) -> bool:
    """Run what is left of the readings of a table, of all unless some are named; whether any cell failed."""
    table = TABLES[experiment]
    failed = False
    for name in [*([table.base] if table.run_base else []), *map(table.study_of, only or table.readings)]:
        outcome = run_study(composed_study(name, further))
        if isinstance(outcome, Forecast):
            print(told(outcome))
            continue
        report_failures(outcome.failed)
        failed |= bool(outcome.failed)
    return failed


def write_judgement(experiments: Sequence[str], results: Results, store: str) -> None:
    """results/tables/EXPERIMENT_verdicts.{csv,md} of these tables, and readings.{csv,md} of all of them."""
    records = Records(results, store)
    for experiment in experiments:
        analysis = analyses()[verdicts_of(experiment)]
        found = analysis.findings(records)
        write_tables(analysis, found, records.folder)
        counts = counted(found.verdicts["verdict"], CELL_VERDICTS)
        words = ", ".join(f"{n} {word}" for word, n in counts.items() if n)
        print(f"{experiment}: {len(found.verdicts)} cells, {words}")
    write_tables(RANKING, RANKING.findings(records), records.folder)


def main() -> None:
    """Command line: python -m experiments.readings [EXPERIMENT] [--only READING …] [--no-run]."""
    parser = argparse.ArgumentParser(prog="python -m experiments.readings", description=__doc__)
    parser.add_argument("experiment", nargs="?", choices=list(TABLES), help="a table of the paper; default: all")
    parser.add_argument("--only", nargs="+", default=[], metavar="READING", help="run these readings of it alone")
    parser.add_argument("--no-run", action="store_true", help="run nothing, judge from the published records alone")
    arguments = parser.parse_args()
    chosen = [arguments.experiment] if arguments.experiment else list(TABLES)
    _refuse_unknown(parser, arguments.experiment, arguments.only)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    register()
    failed = False
    try:
        for experiment in [] if arguments.no_run else chosen:
            failed |= run_readings(experiment, arguments.only)
    except KeyboardInterrupt:
        raise SystemExit("stopped: finished cells are kept, the same command goes on from them") from None
    write_judgement(chosen, Results(), "published" if arguments.no_run else "both")
    if failed:
        raise SystemExit(1)


def _refuse_unknown(parser: argparse.ArgumentParser, experiment: str | None, only: Sequence[str]) -> None:
    if only and experiment is None:
        parser.error("--only needs an experiment: readings belong to one")
    unknown = [name for name in only if name not in TABLES[str(experiment)].readings]
    if unknown:
        allowed = ", ".join(TABLES[str(experiment)].readings)
        parser.error(f"{experiment} has no reading {', '.join(unknown)}; it has {allowed}")


if __name__ == "__main__":
    command(main)
