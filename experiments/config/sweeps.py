"""What a Hydra multirun adds to its jobs: one identity for the whole sweep, one table, one list of failures."""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from hydra.experimental.callback import Callback
from omegaconf import DictConfig

from celm.base.files import cell_key, read_json, write_whole
from celm.base.signals import start_tracker
from celm.study.cells import Cell
from celm.study.store import Document
from experiments.config.job_reports import cells_run, forget_reports, told_foreseen
from experiments.execution import report_failures
from experiments.run_end import hushed, last_words
from experiments.sweep_summary import show_sweep, sweep_ending

logger = logging.getLogger(__name__)

VARIABLE = "CELM_SWEEP"
# The process of the command that started a sweep.
RUNNER = "CELM_SWEEP_RUNNER"
# Seconds between two looks whether it is still there.
LOOK = 1.0
# What the note of a job holds, and of which kind.
NOTE = {"experiment": str, "sweep": list, "overrides": list, "cells": list, "error": str}


def current_sweep() -> list[str] | None:
    """The overrides of the sweep this process belongs to; None outside a sweep."""
    text = os.environ.get(VARIABLE)
    return None if text is None else list(json.loads(text))


@cache
def end_with_runner() -> None:
    """End this process, a launcher's, once the command that started it was killed: nobody waits for its job."""
    if os.environ.get(RUNNER) == str(os.getppid()):
        threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()


def _watch(runner: int) -> None:
    while os.getppid() == runner:
        time.sleep(LOOK)
    os._exit(1)


class SweepReport(Callback):
    """Gives the jobs of a multirun a common identity, and shows the sweep's tables and failures at its end."""

    def on_multirun_start(self, config: DictConfig, **_: Any) -> None:
        """Jobs inherit the sweep through the environment, whatever launcher starts them."""
        os.environ[VARIABLE] = json.dumps(list(config.hydra.overrides.task))
        os.environ[RUNNER] = str(os.getpid())
        if "joblib" in str(config.hydra.launcher.get("_target_")):
            start_tracker("joblib.externals.loky.backend.resource_tracker")
        self._started = time.monotonic()
        forget_reports(str(config.hydra.sweep.dir))

    def on_multirun_end(self, config: DictConfig, **_: Any) -> None:
        """One table and last words per study of the sweep; the exit code says whether any job or cell failed."""
        sweep, folder = current_sweep() or [], str(config.hydra.sweep.dir)
        for name in (VARIABLE, RUNNER):
            os.environ.pop(name, None)
        if config.dry_run:
            print(told_foreseen(folder))
            return
        jobs = noted_jobs(str(config.store), sweep)
        if not jobs:
            logger.error("nothing was run: the sweep has no job")
            raise SystemExit(2)
        failed = self._show(config, sweep, jobs, cells_run(folder))
        report_failures(failed)
        broken = [job for job in jobs if job["error"]]
        for job in broken:
            logger.error("job not run: %s: %s", " ".join(job["overrides"]), job["error"])
        if failed or broken:
            raise SystemExit(1)

    def _show(
        self, config: DictConfig, sweep: Sequence[str], jobs: Sequence[Mapping[str, Any]], ran: Mapping[str, int]
    ) -> list[Document]:
        """Tables and last words of every study; returns the cells that failed."""
        with hushed():
            shown = show_sweep(str(config.store), sweep, jobs)
            ends = [sweep_ending(swept, str(config.published), ran.get(swept.name, 0)) for swept in shown]
        for end in ends:
            print(last_words(end._replace(seconds=time.monotonic() - self._started)))
        return [document for swept in shown for document in swept.failed()]


def note_job(
    store: str, experiment: str, sweep: Sequence[str], overrides: Sequence[str], cells: Sequence[Cell], error: str = ""
) -> None:
    """Keep what one job of a sweep planned, or why it could not; it replaces the note of an earlier run."""
    note = {
        "experiment": experiment,
        "sweep": list(sweep),
        "overrides": list(overrides),
        "cells": [cell.key for cell in cells],
        "error": error,
    }
    path = Path(store) / experiment / "jobs" / f"{cell_key({'overrides': list(overrides)})}.json"
    if _note_in(path) == note:
        return
    for earlier in Path(store).glob(f"*/jobs/{path.name}"):
        if earlier != path and (_note_in(earlier) or note | {"sweep": []})["sweep"] == list(sweep):
            earlier.unlink()
    write_whole(path, json.dumps(note, indent=1) + "\n")


def noted_sweeps(store: str) -> list[tuple[str, ...]]:
    """The sweeps whose jobs a store knows."""
    notes = filter(None, map(_note_in, Path(store).glob("*/jobs/*.json")))
    return sorted({tuple(map(str, note["sweep"])) for note in notes})


def _note_in(path: Path) -> dict[str, Any] | None:
    """The note in a file; None, with a word, for a file that holds none."""
    try:
        note = read_json(path)
        if isinstance(note, dict) and all(isinstance(note.get(name), kind) for name, kind in NOTE.items()):
            return note
        logger.warning("%s is not the note of a job: it is passed over", path)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        logger.warning("%s cannot be read (%s): it is passed over", path, error)
    return None


def noted_jobs(store: str, sweep: Sequence[str]) -> list[dict[str, Any]]:
    """The notes of all jobs of ``sweep``, whatever process they ran in."""
    notes = map(_note_in, sorted(Path(store).glob("*/jobs/*.json")))
    return [note for note in notes if note is not None and note["sweep"] == list(sweep)]
