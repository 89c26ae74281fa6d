"""From the stores to what people read: published records, tables. Never fits a model."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence

from celm.schema import StudyConfig
from celm.store import Document, LocalStore, PublishedStore, differing, merged
from celm.tables import to_text
from experiments.configs import ROOT, register
from experiments.reporting import PAPER_TABLES, RESULTS, experiment_summary, write_tables
from experiments.studies import composed_study, is_named

logger = logging.getLogger(__name__)

RECORDS = ROOT / StudyConfig.published
RUNS = ROOT / StudyConfig.store


def publish_records(names: Sequence[str]) -> None:
    """Move the finished cells of named experiments from the local store to the published one.

    Cells that the experiment no longer plans (an older algorithm, other settings) leave the published file.
    """
    local, published = LocalStore(RUNS), PublishedStore(RECORDS)
    for experiment in names or [name for name in local.experiments() if is_named(name)]:
        study = composed_study(experiment)
        keys = [cell.key for cell in study.plan()]
        ours, theirs = local.documents(experiment), published.documents(experiment)
        changed = differing({key: doc for key, doc in ours.items() if doc["status"] == "ok"}, theirs)
        if changed:
            raise SystemExit(
                f"{experiment}: {len(changed)} local accuracies differ from the published ones of the same "
                f"cells, first {changed[0]}. One of the two is not what this code computes: find out which."
            )
        documents = merged(theirs, ours, keys)
        about = {"title": study.config.title, "planned_cells": len(keys)}
        published.write(experiment, documents, about)
        print(f"{experiment}: {len(documents)} of {len(keys)} cells published")


def documents_of(experiment: str, store: str) -> dict[str, Document]:
    """The cells of an experiment in the published or the local store."""
    return (PublishedStore(RECORDS) if store == "published" else LocalStore(RUNS)).documents(experiment)


def publish_tables(names: Sequence[str], store: str) -> None:
    """Write the tables of the paper from the records of a store."""
    for experiment in names or PAPER_TABLES:
        summary = experiment_summary(experiment, documents_of(experiment, store).values())
        if summary.empty:
            print(f"{experiment}: no records in the {store} store")
            continue
        title = composed_study(experiment).config.title
        paths = write_tables(summary, RESULTS / "tables", experiment, title)
        print(f"\n{title}\n\n{to_text(summary)}\n\nwritten: {', '.join(str(p.relative_to(ROOT)) for p in paths)}")


def main() -> None:
    """Command line: python -m experiments.publish {records,tables} [--store published|local] [experiment …]."""
    parser = argparse.ArgumentParser(prog="python -m experiments.publish", description=__doc__)
    parser.add_argument("what", choices=["records", "tables"])
    parser.add_argument("experiments", nargs="*", help="names such as table1 or table1+raw_values; default: all")
    parser.add_argument("--store", choices=["published", "local"], default="published", help="where tables read from")
    arguments = parser.parse_args()
    for name in arguments.experiments:
        if not is_named(name):
            parser.error(f"no experiment {name!r} under conf/experiment (readings are written EXPERIMENT+READING)")
    register()
    if arguments.what == "records":
        publish_records(arguments.experiments)
    else:
        publish_tables(arguments.experiments, arguments.store)


if __name__ == "__main__":
    main()
