"""Hydra's launchers for real: each job in its own process, one store, and the sweep's table at the end."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

from celm.base.signals import hearing_again
from fuzz.command_line_runs import ended

ROOT = Path(__file__).resolve().parents[2]
TINY = ["rounds=2", "max_counts=2", "split.subset=150", "split.subset_test=80", "progress=false", "executor.workers=1"]


@pytest.mark.heavy
@pytest.mark.parametrize("launcher", ["joblib", "submitit_local"])
def test_jobs_of_a_launcher_share_one_store_and_one_table(launcher, tmp_path):
    # mdd_kar states its node counts by the ${nodes:…} shorthand, which a job's process must know too.
    words = [f"hydra/launcher={launcher}", "dataset=wdbc,mdd_kar", "model=elm", *TINY]
    places = [f"store={tmp_path / 'store'}", f"hydra.sweep.dir={tmp_path / 'hydra'}"]
    done = subprocess.run(
        [sys.executable, "-m", "experiments.run", "-m", *words, *places],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    (folder,) = (tmp_path / "store").iterdir()
    documents = [json.loads(path.read_text()) for path in folder.glob("cells/*.json")]
    assert [document["status"] for document in documents] == ["ok"] * 4
    table = pd.read_csv(folder / "table.csv")
    assert list(table["dataset"]) == ["wdbc", "mdd_kar"]
    assert list(table["rounds"]) == [2, 2]
    assert f"sweep {folder.name}: " in done.stdout


def test_slurm_knows_the_settings_that_the_documentation_names():
    end = ended(["hydra/launcher=submitit_slurm", "--cfg", "hydra", "--package", "hydra.launcher"])
    assert end.code == 0, end.error
    documented = re.findall(r"hydra\.launcher\.(\w+)=", (ROOT / "docs" / "sweeps.md").read_text(encoding="utf-8"))
    assert {"partition", "cpus_per_task", "timeout_min"} <= set(documented)
    for key in set(documented) - {"n_jobs"}:
        assert f"\n{key}: " in end.output


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_stop_while_a_launcher_waits_ends_in_a_word(monkeypatch, number, code):
    monkeypatch.setattr("experiments.run.main", lambda: os.kill(os.getpid(), number))
    hearing_again()  # a shell's background jobs are started deaf to Ctrl-C
    try:
        end = ended(["-m", "rounds=1,2", "dry_run=true"])
    finally:
        hearing_again()
    assert (end.code, end.output) == (code, "stopped\n")


JOB = """
import os, subprocess, sys, time
os.environ["CELM_SWEEP_RUNNER"] = str(os.getpid())
says = "import time; from experiments.config.sweeps import end_with_runner as end; end(); print('here', flush=True)"
subprocess.Popen([sys.executable, "-c", f"{says}; time.sleep(60)"])
time.sleep(60)
"""


def test_a_job_ends_with_the_command_that_started_it():
    runner = subprocess.Popen([sys.executable, "-c", JOB], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert runner.stdout.readline() == "here\n"
    started = time.monotonic()
    runner.kill()
    assert runner.stdout.read() == ""  # its end: nobody has the pipe any more
    assert time.monotonic() - started < 30
    runner.wait()
    runner.stdout.close()
