"""make help: every target, in groups, on one screen."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def screen():
    command = ["make", "--no-print-directory", "help"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


def test_help_fits_a_screen(screen):
    assert 20 < len(screen) <= 50
    assert max(map(len, screen)) <= 100


def test_help_names_every_target_once(screen):
    targets = [name for name in re.findall(r"^([a-z0-9-]+):", MAKEFILE, flags=re.MULTILINE) if name != "help"]
    minor = [name for line in screen if line.startswith("  and:") for name in line.split()[1:]]
    named = [line.split()[0] for line in screen if line.startswith("  ") and not line.startswith("  and:")]
    assert sorted(minor + named) == sorted(targets)
    assert minor


def test_help_is_grouped(screen):
    groups = [line for line in screen if line and not line.startswith(" ")]
    assert groups == re.findall(r"^##@ (.*)", MAKEFILE, flags=re.MULTILINE)
    assert len(groups) >= 4


def test_a_python_that_is_not_there_is_named(tmp_path):
    for name in ("Makefile", "pyproject.toml", "requirements/study.lock"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    done = subprocess.run(
        ["make", "PYTHON=/nowhere/python", "doctor"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: there is no program /nowhere/python; PYTHON=python3.11 make … names one\n")
    assert not (tmp_path / ".venv").exists()
