"""Whose kernels a process computes with: records with those that all processors share, the benchmark with its own."""

import os
import platform
import subprocess
import sys
from pathlib import Path

from experiments.portable_sums import CHOICE

ROOT = Path(__file__).resolve().parents[2]
CPU = Path("/proc/cpuinfo")
PORTABLE = platform.machine() == "x86_64" and CPU.exists() and " avx2 " in CPU.read_text(encoding="utf-8")
SAYS = "import sys; sys.argv[0] = {started!r}; import {package}, os; print(os.environ.get({name!r}))"


def kernels(package, *, started, chosen=None):
    """What a fresh process asks OpenBLAS for once it has imported a package, started as a command or not."""
    here = {name: value for name, value in os.environ.items() if name != CHOICE}
    words = SAYS.format(started="-m" if started else "x", package=package, name=CHOICE)
    asked = here if chosen is None else {**here, CHOICE: chosen}
    done = subprocess.run(
        [sys.executable, "-c", words], cwd=ROOT, env=asked, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_records_are_made_with_the_kernels_that_all_processors_share():
    assert kernels("experiments", started=True) == ("Haswell" if PORTABLE else "None")


def test_the_benchmark_is_run_with_the_processors_own_kernels():
    assert kernels("bench", started=True) == "None"


def test_importing_it_changes_nothing_for_the_process_that_does():
    assert kernels("experiments, bench", started=False) == ("Haswell" if PORTABLE else "None")


def test_a_choice_of_the_user_is_left_alone_where_records_are_made():
    assert kernels("experiments", started=True, chosen="Zen") == "Zen"


def test_a_choice_of_the_user_that_would_hold_back_some_libraries_alone_is_not_for_the_benchmark():
    assert kernels("bench", started=True, chosen="Zen") == "None"
