"""What the jobs of a sweep leave for its end, each in its own folder of the sweep: what it ran, or would run."""

from __future__ import annotations

import json
import logging
from collections import Counter
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig

from celm.base.files import read_json, write_whole
from experiments.dry_run import Expected, Forecast, joined, listed, told
from experiments.run_end import mode

logger = logging.getLogger(__name__)

FILE = "job.json"


def report_job(name: str, ran: int) -> None:
    """Leave word of a job that ran so many cells of a study."""
    _leave({"name": name, "ran": ran})


def foresee_job(foreseen: Forecast) -> None:
    """List what a job would run, and leave it for the sum of all."""
    if not mode() and foreseen.cells:
        print(listed(foreseen))
    _leave(foreseen._asdict())


def _leave(report: dict[str, Any]) -> None:
    path = Path(HydraConfig.get().runtime.output_dir) / FILE
    try:
        write_whole(path, json.dumps(report) + "\n")
    except OSError as error:
        logger.warning("%s cannot be written (%s): the end of the sweep leaves this job out", path, error)


def forget_reports(folder: str) -> None:
    """Nothing that an earlier sweep left in the same folder counts."""
    for path in Path(folder).rglob(FILE):
        path.unlink()


def cells_run(folder: str) -> Counter[str]:
    """Study -> how many cells its jobs ran."""
    ran: Counter[str] = Counter()
    for path in Path(folder).rglob(FILE):
        report = read_json(path)
        ran[report["name"]] += report["ran"]
    return ran


def told_foreseen(folder: str) -> str:
    """What all jobs of a sweep would run, as this run speaks; their cells were listed job by job."""
    reports = [read_json(path) for path in sorted(Path(folder).rglob(FILE))]
    jobs = [Forecast(**{**report, "cells": [Expected(*cell) for cell in report["cells"]]}) for report in reports]
    return told(joined(jobs), list_cells=False) if jobs else ""
