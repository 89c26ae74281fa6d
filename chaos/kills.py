"""A study that is killed again and again at drawn moments must end with what it ends with when it is left alone."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import numpy as np

from chaos.runs import ENDED_BY, Alone, content, end, leftovers, members, run, start, wait_until_gone

Generator = np.random.Generator
# Who is killed and by what: the runner alone, everybody as a terminal does, or one worker.
BLOWS = (
    *(("runner", signal.SIGKILL), ("worker", signal.SIGKILL), ("runner", signal.SIGTERM), ("all", signal.SIGINT)),
    *(("all", signal.SIGHUP), ("runner", signal.SIGKILL), ("worker", signal.SIGKILL)),
)
# Python's own helper, which cleans up after workers and complains in its own words when it is killed.
TRACKER = "resource_tracker"


def _strike(process: subprocess.Popen[str], rng: Generator) -> str:
    """Send one drawn signal; says to whom, or nothing when there was nobody."""
    whom, number = BLOWS[rng.integers(len(BLOWS))]
    if process.poll() is not None:
        return ""
    workers = [pid for pid in members(process.pid, but=TRACKER) if pid != process.pid]
    targets = {"runner": [process.pid], "worker": workers, "all": members(process.pid)}[whom]
    if whom == "worker" and targets:
        targets = [int(rng.choice(targets))]
    with suppress(ProcessLookupError):
        for pid in targets:
            os.kill(pid, number)
        return f"{signal.Signals(number).name} of {'a ' if whom == 'worker' else ''}{whom}" if targets else ""
    return ""


def killed_runs(
    folder: Path, kills: int, seed: int | list[int], alone: Alone, *words: str
) -> tuple[Counter[str], list[str]]:
    """Kill a study that often, beginning anew whenever it is finished; how often what was sent, and the faults."""
    rng = np.random.default_rng(seed)
    sent: Counter[str] = Counter()
    faults: list[str] = []
    study = 0
    while sent.total() < kills:
        store = folder / f"study{study}"
        finished = False
        while not finished and sent.total() < kills:
            process = start(store, *words)
            time.sleep(float(rng.uniform(0.0, alone.seconds)))
            blow = _strike(process, rng)
            if blow:
                sent[blow] += 1
            finished = _judge(process, blow, store, faults)
        final = run(store, *words)
        if final.code != 0 or content(store) != alone.content:
            faults.append(f"study {study} ended with {final.code} and other numbers: {final.output[-300:]}")
        study += 1
    return sent, faults


def _judge(process: subprocess.Popen[str], blow: str, store: Path, faults: list[str]) -> bool:
    """Whether the run came to its end all the same; what it did that it must not is added to ``faults``."""
    ended = end(process)
    gentle = blow.startswith(("SIGINT", "SIGTERM", "SIGHUP"))
    if ended.code not in ENDED_BY:
        faults.append(f"{blow}: exit code {ended.code}: {ended.output[-300:]}")
    # Ctrl-C while Python itself starts is Python's to answer; while we do, a test of its own holds it.
    if "Traceback" in ended.output and ended.code != -signal.SIGINT:
        faults.append(f"{blow}: {ended.output[-600:]}")
    left = wait_until_gone(process.pid)
    if left:
        faults.append(f"{blow}: processes {left} are left behind")
    if gentle and leftovers(store):
        faults.append(f"{blow}: unfinished files {leftovers(store)}")
    for path in store.rglob(".*.json.*"):
        path.unlink()  # what kill -9 left half written; no later run reads it
    return ended.code == 0
