"""Executes the steps of the Containerfile without an engine: a clean copy of the commit, an empty environment.

python scripts/check_container.py [--steps environment]     # all steps take as long as the two commands do
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What a step may see of the machine: where programs are, and how packages are fetched here.
KEPT = ("PATH", "HOME", "LANG", "PIP_CONFIG_FILE", "PIP_FIND_LINKS", "PIP_CERT", "SSL_CERT_FILE", "CELM_CACHE")


def steps(text: str) -> list[str]:
    """The commands of a Containerfile, in order; packages of the system are the machine's own."""
    lines = re.sub(r"\\\n", " ", text).splitlines()
    found = [line.removeprefix("RUN ") for line in lines if line.startswith("RUN ") and "apt-get" not in line]
    for line in lines:
        if line.startswith("CMD "):
            found += json.loads(line.removeprefix("CMD "))[-1].split(" && ")
    return found


def clean_copy(folder: Path) -> None:
    """The committed files with their history, nothing else, as COPY gives them: registrations are held against it."""
    subprocess.run(["git", "clone", "--quiet", "--no-local", str(ROOT), str(folder)], check=True)


def main() -> None:
    """Run the steps that contain one of the asked words; all without one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", nargs="*", default=[""], help="words of the steps to run")
    asked = parser.parse_args().steps
    environment = {name: os.environ[name] for name in KEPT if name in os.environ}
    with tempfile.TemporaryDirectory(prefix="celm-container-") as name:
        clean_copy(Path(name))
        for step in steps((ROOT / "Containerfile").read_text(encoding="utf-8")):
            if any(word in step for word in asked):
                print(f"step: {step}", flush=True)
                if subprocess.run(step, shell=True, cwd=name, env=environment, check=False).returncode:
                    sys.exit(f"check container: the step {step!r} failed.")


if __name__ == "__main__":
    main()
