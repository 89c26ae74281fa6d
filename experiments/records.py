"""The published records as files: make verify-store checks every digest, count and range of them."""

from __future__ import annotations

import argparse
from pathlib import Path

from celm.study.store import PublishedStore, StoreError
from celm.study.store.checks import records_fault
from celm.study.store.earlier import earlier_documents, is_earlier
from celm.study.study_config import StudyConfig
from experiments.command import command
from experiments.config.entries import ROOT

RECORDS = ROOT / StudyConfig.published


def faults(folder: Path) -> list[str]:
    """What is wrong with a published store, one sentence each; empty when every cell is what it was when published."""
    store = PublishedStore(folder)
    found = []
    if not store.experiments():
        return [f"{folder} holds no published records: there is nothing to check"]
    for experiment in store.experiments():
        try:
            documents = store.documents(experiment)
        except (StoreError, KeyError, TypeError, IndexError) as error:
            found.append(str(error) if isinstance(error, StoreError) else f"{experiment}.json lacks {error!r}")
            continue
        for key, document in documents.items():
            if fault := records_fault(document["records"]):
                found.append(f"{experiment}.csv: cell {key}: {fault}")
    return found or [f"{path} is in no manifest" for path in store.unlisted()]


def rewrite(folder: Path) -> list[str]:
    """Give records of the first format digests and move their bulk beside; returns the experiments that were."""
    store = PublishedStore(folder)
    if not store.experiments():
        raise ValueError(f"{folder} holds no published records: there is nothing to rewrite.")
    earlier = [experiment for experiment in store.experiments() if is_earlier(folder, experiment)]
    for experiment in earlier:
        documents, about = earlier_documents(folder, experiment)
        store.write(experiment, documents, about)
        print(f"{experiment}: {len(documents)} cells rewritten")
    return earlier


def main() -> None:
    """Command line: python -m experiments.records verify|rewrite [--folder results/records]."""
    parser = argparse.ArgumentParser(prog="python -m experiments.records", description=__doc__)
    parser.add_argument("what", choices=["verify", "rewrite"], help="rewrite: from the first format, without digests")
    parser.add_argument("--folder", type=Path, default=RECORDS)
    arguments = parser.parse_args()
    if arguments.what == "rewrite":
        rewrite(arguments.folder)
        return
    found = faults(arguments.folder)
    for fault in found:
        print(fault)
    if found:
        raise SystemExit(f"{len(found)} faults in {arguments.folder}")
    store = PublishedStore(arguments.folder)
    manifests = [store.manifest(name) for name in store.experiments()]
    cells, rows = sum(manifest["cells"] for manifest in manifests), sum(manifest["rows"] for manifest in manifests)
    print(f"{len(manifests)} experiments, {cells} cells, {rows} rows: every digest, count and range holds")


if __name__ == "__main__":
    command(main)
