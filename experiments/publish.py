"""From the stores to what people read: published records, and all that analyses make of them. Never fits a model."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

from celm.study.store import differing, merged
from experiments.analysis import Analysis, NotComplete, analyses
from experiments.command import command
from experiments.config.entries import ROOT
from experiments.config.schema import register
from experiments.config.studies import composed_study, is_named
from experiments.config.sweeps import noted_jobs, noted_sweeps
from experiments.outputs import write_figure, write_tables
from experiments.results import Records, Results, add_store_option
from experiments.run_summary import place_of
from experiments.sweep_summary import show_sweep

WRITERS: dict[str, Callable[[Analysis[Any], Any, Path], list[Path]]] = {"tables": write_tables, "figures": write_figure}


def publish_records(names: Sequence[str], results: Results) -> None:
    """Move the finished cells of named experiments from the local store to the published one.

    Cells that the experiment no longer plans (an older algorithm, other settings) leave the published file.
    """
    for experiment in names or [name for name in results.local.experiments() if is_named(name)]:
        study = composed_study(experiment)
        keys = [cell.key for cell in study.plan()]
        ours, theirs = results.local.documents(experiment), results.published.documents(experiment)
        changed = differing({key: doc for key, doc in ours.items() if doc["status"] == "ok"}, theirs)
        if changed:
            raise SystemExit(
                f"{experiment}: {len(changed)} local records differ from the published ones of the same "
                f"cells, first (local and published) {place_of(changed[0].ours)}: {changed[0].told()}. "
                "One of the two is not what this code computes: find out which."
            )
        documents = merged(theirs, ours, keys)
        about = {"title": study.config.title, "planned_cells": len(keys)}
        results.published.write(experiment, documents, about)
        print(f"{experiment}: {len(documents)} of {len(keys)} cells published")


def has_output(analysis: Analysis[Any], what: str) -> bool:
    """Whether an analysis has tables, or figures."""
    if what == "figures":
        return analysis.picture is not None
    return any(part is not None for part in (analysis.document, analysis.numbers, analysis.files))


def publish(what: str, names: Sequence[str], results: Results, store: str) -> None:
    """Write the tables or the figures of some analyses, of all unless some are named, from the records of a store.

    What is made from the published records lies beside them, under results/, anything else under runs/.
    """
    records = Records(results, store)
    known = analyses()
    for name in names or [name for name, one in known.items() if has_output(one, what)]:
        try:
            paths = WRITERS[what](known[name], known[name].findings(records), records.folder)
        except NotComplete as missing:
            print(missing)
            continue
        print(f"{name}: {', '.join(_short(path) for path in paths)}")


def belongs(analysis: Analysis[Any], studies: Collection[str]) -> bool:
    """Whether studies that were just run are what an analysis needs: all of that, or half of what it can do with."""
    needed = [name for name in (analysis.reads if analysis.needs is None else analysis.needs) if "/" not in name]
    if needed:
        return set(needed) <= set(studies)
    reads = [name for name in analysis.reads if "/" not in name]
    return bool(reads) and 2 * len(set(reads) & set(studies)) >= len(reads)


def write_local(studies: Sequence[str], results: Results) -> None:
    """Tables and figures of the analyses that read these studies, from the local store to where that is."""
    known = analyses()
    for what in WRITERS:
        names = [name for name, one in known.items() if has_output(one, what) and belongs(one, studies)]
        if names:
            publish(what, names, results, "local")


def _short(path: Path) -> str:
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def show_local_sweeps(results: Results) -> None:
    """Tables and small multiples of every sweep in the local store."""
    for sweep in noted_sweeps(str(results.runs)):
        show_sweep(str(results.runs), sweep, noted_jobs(str(results.runs), sweep))


def list_analyses() -> None:
    """A line for every analysis: what it is called, what it writes, what it tells."""
    for name, one in sorted(analyses().items()):
        outputs = " ".join(what.removesuffix("s") for what in WRITERS if has_output(one, what))
        print(f"{name:22} {outputs:13} {one.about}")


def main() -> None:
    """Command line: python -m experiments.publish WHAT [--store published|local] [name …]."""
    parser = argparse.ArgumentParser(prog="python -m experiments.publish", description=__doc__)
    parser.add_argument("what", choices=["records", "local", "sweeps", "list", *WRITERS])
    parser.add_argument(
        "names",
        nargs="*",
        help="analyses, or for records and local experiments (table1+raw_values); default: all",
    )
    add_store_option(parser)
    arguments = parser.parse_intermixed_args()
    register()
    known = [name for name, one in analyses().items() if has_output(one, arguments.what)]
    for name in arguments.names:
        if arguments.what in WRITERS and name not in known:
            parser.error(f"no analysis {name!r} has {arguments.what}; those that do are {', '.join(sorted(known))}")
        if arguments.what in ("records", "local") and not is_named(name):
            parser.error(f"no experiment {name!r} under conf/experiment (readings are written EXPERIMENT+READING)")
    if arguments.names and arguments.what in ("sweeps", "list"):
        parser.error(f"{arguments.what} takes no names; got {' '.join(arguments.names):.80}")
    results = Results()
    if arguments.what == "records":
        publish_records(arguments.names, results)
    elif arguments.what == "local":
        write_local(arguments.names, results)
    elif arguments.what == "sweeps":
        show_local_sweeps(results)
    elif arguments.what == "list":
        list_analyses()
    else:
        publish(arguments.what, arguments.names, results, arguments.store)


if __name__ == "__main__":
    command(main)
