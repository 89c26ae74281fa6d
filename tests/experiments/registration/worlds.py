"""A small git repository with a registration, and the records of its experiment."""

import subprocess

from celm.base.files import cell_key
from experiments.registration.entries import Planned, plan_digest, registration_of
from experiments.registration.standing import status_in
from experiments.results import Results

CLAIMS = "experiments/papers/celm/claims.yaml"
ANALYSIS = "experiments/analyses/suite.py"
CONFIG = "conf/experiment/suite.yaml"
FILES = {
    CLAIMS: "# The margins.\nclaims:\n  - {id: lead, reads: [suite], at_least: 0.01}\n"
    "  - {id: level, reads: [suite], at_least: 0.9}\n",
    ANALYSIS: '"""Judges."""\n\ndef find(frames):\n    """Findings."""\n    return max(frames)\n',
    CONFIG: "name: suite\ntitle: The wide study\nrounds: 2\n",
}
FIXED = (f"{CLAIMS}#lead", f"{CLAIMS}#level", ANALYSIS, CONFIG)
SEED = 2015


def git(root, *words):
    done = subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", *words],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def committed(root, **files):
    """Write files (none: as they are) and commit everything; returns the commit."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--allow-empty", "--message", "change")
    return git(root, "rev-parse", "HEAD")


def identity(round_, seed=SEED):
    return {"dataset": "iris", "model": {"name": "elm"}, "round": round_, "n_hidden": [5], "seed": seed}


KEYS = [cell_key(identity(round_)) for round_ in range(2)]
PLANNED = {"suite": Planned(SEED, 2, 2, plan_digest(KEYS))}


class World:
    """A repository and the records of its experiment."""

    def __init__(self, root):
        self.root, self.results = root / "house", Results(root / "results", root / "runs")

    def head(self):
        return git(self.root, "rev-parse", "HEAD")

    def run(self, rounds=2, seed=SEED, **provenance):
        """Publish the records of a run that starts now; ``provenance`` says what they claim beside the truth."""
        stamp = registration_of("suite", self.root).stamp()
        origin = {"cpu": "a", "commit": self.head(), "registration": stamp, **provenance}
        documents = {}
        for round_ in range(rounds):
            who = identity(round_, seed)
            shared = {"dataset": "iris", "model": "elm", "round": round_, "seed": seed, "threads": 1}
            document = {"experiment": "suite", "key": cell_key(who), "identity": who, "status": "ok", "seconds": 0.1}
            document |= {"shared": shared, "records": [{"n_hidden": 5, "accuracy": 0.5}]}
            documents[document["key"]] = {
                **document,
                "provenance": {name: value for name, value in origin.items() if value is not None},
            }
        self.results.published.write("suite", documents, {"title": "t", "planned_cells": len(documents)})

    def change(self, path, old, new):
        text = (self.root / path).read_text()
        assert old in text
        (self.root / path).write_text(text.replace(old, new))

    def status(self, **asked):
        return status_in(self.results, self.root, asked.pop("experiment", "suite"), **asked)
