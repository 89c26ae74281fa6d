"""Runs of one small study in real processes, and what is in a store afterwards but for the times."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from celm.base.signals import hearing_again

ROOT = Path(__file__).resolve().parent.parent
MACHINE = Path(__file__).resolve().parent / "machine"
STUDY = [
    *("grid.datasets=[wdbc]", "grid.models=[elm,cdelm,linear_svm]", "rounds=3", "n_hidden=[10,40,80]"),
    *("progress=false", "executor.workers=2"),
]
ENDED_BY = {0, 1, 130, 143, 129, -signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP}
# Seconds that a stopped run, and workers of a killed one, have to be gone.
GRACE = 60.0


class Ended(NamedTuple):
    """A run that is over."""

    code: int
    output: str


def start(store: Path, *words: str, fault: str = "") -> subprocess.Popen[str]:
    """Start the study in a process and a session of its own, on a machine with a fault if one is named."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(MACHINE), str(ROOT)]), "CELM_CHAOS": fault}
    return subprocess.Popen(
        [sys.executable, "-m", "experiments.run", *STUDY, f"store={store}", *words],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        # A shell that starts us in the background has us, and all we start, ignore Ctrl-C.
        preexec_fn=hearing_again,
    )


def end(process: subprocess.Popen[str]) -> Ended:
    """Wait for a run; one that does not end is a fault of its own."""
    output, _ = process.communicate(timeout=600)
    return Ended(process.returncode, output)


def run(store: Path, *words: str, fault: str = "") -> Ended:
    """The study from start to end."""
    return end(start(store, *words, fault=fault))


class Alone(NamedTuple):
    """A study that nothing happened to: how long it took, and what it left."""

    seconds: float
    content: str


def left_alone(store: Path, *words: str) -> Alone:
    """Run the study where nothing happens to it."""
    started = time.monotonic()
    ended = run(store, *words)
    if ended.code != 0:
        raise SystemExit(f"the study does not end well when it is left alone: {ended.output[-400:]}")
    return Alone(time.monotonic() - started, content(store))


def members(session: int, *, but: str = "") -> list[int]:
    """The processes of a session that still run, but for those whose command has these words in it."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,sess=,stat=,command="], capture_output=True, text=True, check=True)
    rows = [line.split(maxsplit=3) for line in listed.stdout.splitlines()]
    mine = [(int(row[0]), row[3:]) for row in rows if int(row[1]) == session and not row[2].startswith("Z")]
    return [pid for pid, command in mine if not (but and but in " ".join(command))]


def wait_until_gone(session: int) -> list[int]:
    """The processes of a session that are still there after the time of grace."""
    deadline = time.monotonic() + GRACE
    while members(session) and time.monotonic() < deadline:
        time.sleep(0.05)
    return members(session)


def _timeless(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if "seconds" not in name}


def content(store: Path) -> str:
    """All that the cells and the table of the study say, but for the times: equal runs give equal bytes."""
    cells = {}
    for path in store.glob("*/cells/*.json"):
        document = json.loads(path.read_text(encoding="utf-8"))
        cells[document["key"]] = [document["status"], document["shared"], *map(_timeless, document["records"])]
    (table,) = store.glob("*/table.csv")
    frame = pd.read_csv(table, dtype=str)
    kept = frame[[column for column in frame if "seconds" not in column]]
    return json.dumps(cells, sort_keys=True) + "\n" + str(kept.to_csv(index=False))


def leftovers(store: Path) -> list[str]:
    """Files of a store that are not whole."""
    return [path.name for path in store.rglob(".*") if path.is_file()]
