"""Judges the papers' sentences from the records alone: make claims; make check-claims is the regression gate."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from celm.analysis.claims import Judged, verdict_counts
from celm.analysis.words import HOLDS
from celm.base.files import read_json
from experiments.analyses.sentences import CLAIMS, Gone, gone_claims
from experiments.command import command
from experiments.config.schema import register
from experiments.outputs import write_tables
from experiments.results import Records, Results, add_store_option

DOCUMENT = "claims.json"
NOTHING_GONE = Gone()


def held(recorded: Mapping[str, Any]) -> list[str]:
    """The claims that are recorded as holding on these data."""
    return [entry["id"] for entry in recorded["claims"] if entry["on_these_data"]["verdict"] == HOLDS]


def recorded_claims(path: Path) -> dict[str, Any]:
    """What a file of claims records; a ValueError where it is none, or records nothing that could be lost."""
    recorded: dict[str, Any] = read_json(path)
    try:
        if held(recorded):
            return recorded
    except (KeyError, TypeError, IndexError) as error:
        raise ValueError(f"{path} is no file of claims: python -m experiments.claims writes it anew.") from error
    raise ValueError(f"{path} records no claim that holds: nothing would be checked.")


def lost_claims(recorded: Mapping[str, Any], judged: Judged, gone: Gone = NOTHING_GONE) -> list[str]:
    """What is wrong with every claim that is recorded as holding and now does not, or is gone.

    A claim that was merged into another one is lost if that one does not hold; a withdrawn one is not lost.
    """
    now = {claim.id: outcome for claim, outcome in judged}
    lost = []
    for name in held(recorded):
        if name in gone.withdrawn:
            continue
        heir = gone.merged.get(name, name)
        told = name if heir == name else f"{name}, now {heir}"
        if heir not in now:
            lost.append(f"{told}: held, is no longer among the claims")
        elif now[heir].verdict != HOLDS:
            lost.append(f"{told}: held, now {now[heir].verdict}. {now[heir].sentence}")
    return lost


def check_claims(judged: Judged, results: Results) -> None:
    """Exit with 1 when a claim recorded as holding no longer does; writes nothing."""
    path = results.folder / DOCUMENT
    if not path.exists():
        raise SystemExit(f"{path} does not exist: python -m experiments.claims writes it")
    recorded, gone = recorded_claims(path), gone_claims()
    lost = lost_claims(recorded, judged, gone)
    for line in lost:
        print(line)
    if lost:
        raise SystemExit(f"{len(lost)} claims are lost: see above")
    for name in sorted(set(held(recorded)) & gone.withdrawn.keys()):
        print(f"{name}: withdrawn, {gone.withdrawn[name]}")
    print(f"every one of the {len(held(recorded))} claims recorded as holding still does, or was withdrawn by name")


def main() -> None:
    """Command line: python -m experiments.claims [--check] [--store published|local]."""
    parser = argparse.ArgumentParser(prog="python -m experiments.claims", description=__doc__)
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; exit with 1 when a claim that holds in results/claims.json no longer does",
    )
    add_store_option(parser)
    arguments = parser.parse_args()
    register()
    records = Records(Results(), arguments.store)
    judged = CLAIMS.findings(records)
    if arguments.check:
        check_claims(judged, records.results)
        return
    for claim, outcome in judged:
        print(f"{outcome.verdict:15} {claim.id}: {outcome.sentence}")
    print("\n" + ", ".join(f"{n} {verdict}" for verdict, n in verdict_counts(judged).items()))
    print("written: " + ", ".join(map(str, write_tables(CLAIMS, judged, records.folder))))


if __name__ == "__main__":
    command(main)
