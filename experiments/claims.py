"""Judges the paper's sentences from the records alone: make claims; make check-claims is the regression gate."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from omegaconf import OmegaConf

from celm.analysis.claims import Claim, Outcome, claims_document, claims_of, judge, to_csv, to_markdown
from celm.analysis.claims.outcome import REPRODUCED
from celm.analysis.claims.selection import PRINTED
from celm.analysis.claims.texts import verdict_counts
from celm.base.files import write_whole
from experiments.config.entries import ROOT, options
from experiments.config.schema import register
from experiments.publish import complete_frame
from experiments.reporting import PAPER, RESULTS

CLAIMS = Path(__file__).resolve().parent / "claims.yaml"
DOCUMENT = RESULTS / "claims.json"


def written_claims() -> list[Claim]:
    """The claims of experiments/claims.yaml."""
    content: Any = OmegaConf.to_container(OmegaConf.load(CLAIMS))
    return claims_of(content["claims"])


def command_of(experiment: str) -> str:
    """The command that runs an experiment such as ``table1+raw_values`` or ``label_noise``."""
    name, *readings = experiment.split("+")
    chosen = f"-m sweep={name}" if name in options("sweep") else f"experiment={name}"
    words = ["python -m experiments.run", chosen, *(f"reading={reading}" for reading in readings)]
    return " ".join(words) + f", then python -m experiments.publish records {experiment}"


def frame_of(experiment: str, store: str) -> pd.DataFrame:
    """The complete records of an experiment, or a printed table; empty where not all of it is in the store."""
    if not experiment.startswith(PRINTED):
        return complete_frame(experiment, store)
    printed = pd.read_csv(PAPER / f"{experiment.removeprefix(PRINTED)}.csv")
    printed[["round", "n_hidden"]] = 0
    return printed


def judged_claims(store: str = "published") -> list[tuple[Claim, Outcome]]:
    """Every claim with its outcome, from the records of a store alone."""
    claims = written_claims()
    names = dict.fromkeys(name for claim in claims for name in claim.reads)
    frames = {name: frame_of(name, store) for name in names}
    commands = {name: command_of(name) for name in names}
    return [(claim, judge(claim, frames, commands)) for claim in claims]


def write_claims(judged: Sequence[tuple[Claim, Outcome]]) -> list[Path]:
    """results/tables/claims.{csv,md} and results/claims.json."""
    document = json.dumps(claims_document(judged), indent=1, ensure_ascii=False) + "\n"
    texts = {
        RESULTS / "tables" / "claims.csv": to_csv(judged),
        RESULTS / "tables" / "claims.md": to_markdown(judged),
        DOCUMENT: document,
    }
    for path, text in texts.items():
        write_whole(path, text)
    return list(texts)


def lost_claims(recorded: Mapping[str, Any], judged: Sequence[tuple[Claim, Outcome]]) -> list[str]:
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


def check_claims(judged: Sequence[tuple[Claim, Outcome]]) -> None:
    """Exit with 1 when a claim recorded as reproduced no longer is; writes nothing."""
    if not DOCUMENT.exists():
        raise SystemExit(f"{DOCUMENT.relative_to(ROOT)} does not exist: python -m experiments.claims writes it")
    recorded = json.loads(DOCUMENT.read_text(encoding="utf-8"))
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
    judged = judged_claims(arguments.store)
    if arguments.check:
        check_claims(judged)
        return
    for claim, outcome in judged:
        print(f"{outcome.verdict:15} {claim.id}: {outcome.sentence}")
    print("\n" + ", ".join(f"{n} {verdict}" for verdict, n in verdict_counts(judged).items()))
    print("written: " + ", ".join(str(path.relative_to(ROOT)) for path in write_claims(judged)))


if __name__ == "__main__":
    main()
