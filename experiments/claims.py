"""Judges the papers' sentences from the records alone: make claims; make check-claims is the regression gate."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import Any

from celm.analysis.claims import Judged, verdict_counts
from celm.analysis.words import REPRODUCED
from experiments.analyses.sentences import CLAIMS
from experiments.config.schema import register
from experiments.outputs import write_tables
from experiments.results import Records, Results

DOCUMENT = "claims.json"


def lost_claims(recorded: Mapping[str, Any], judged: Judged) -> list[str]:
    """What is wrong with every claim that is recorded as reproduced and now is not, or is gone."""
    now = {claim.id: outcome for claim, outcome in judged}
    lost = []
    for entry in recorded["claims"]:
        if entry["verdict"] != REPRODUCED:
            continue
        outcome = now.get(entry["id"])
        if outcome is None:
            lost.append(f"{entry['id']}: was reproduced, is no longer among the claims")
        elif outcome.verdict != REPRODUCED:
            lost.append(f"{entry['id']}: was reproduced, now {outcome.verdict}. {outcome.sentence}")
    return lost


def check_claims(judged: Judged, results: Results) -> None:
    """Exit with 1 when a claim recorded as reproduced no longer is; writes nothing."""
    path = results.folder / DOCUMENT
    if not path.exists():
        raise SystemExit(f"{path} does not exist: python -m experiments.claims writes it")
    recorded = json.loads(path.read_text(encoding="utf-8"))
    lost = lost_claims(recorded, judged)
    for line in lost:
        print(line)
    if lost:
        raise SystemExit(f"{len(lost)} claims are lost: see above")
    print(f"every one of the {recorded['counts'][REPRODUCED]} claims recorded as reproduced still is")


def main() -> None:
    """Command line: python -m experiments.claims [--check] [--store published|local]."""
    parser = argparse.ArgumentParser(prog="python -m experiments.claims", description=__doc__)
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; exit with 1 when a claim that results/claims.json calls reproduced no longer is",
    )
    parser.add_argument("--store", choices=["published", "local"], default="published", help="where to read from")
    arguments = parser.parse_args()
    register()
    results = Results()
    judged = CLAIMS.findings(Records(results, arguments.store))
    if arguments.check:
        check_claims(judged, results)
        return
    for claim, outcome in judged:
        print(f"{outcome.verdict:15} {claim.id}: {outcome.sentence}")
    print("\n" + ", ".join(f"{n} {verdict}" for verdict, n in verdict_counts(judged).items()))
    print("written: " + ", ".join(map(str, write_tables(CLAIMS, judged, results.folder))))


if __name__ == "__main__":
    main()
