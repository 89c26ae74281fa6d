"""Executes the steps of the Containerfile without an engine: a clean copy of the commit, an empty environment.

python scripts/check_container.py [--steps environment]     # all steps take as long as the two commands do
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What a step may see of the machine: where programs are, and how packages are fetched here. Without a proxy or an index
# that is needed, pip tries every package anew for minutes.
KEPT = {
    *("PATH", "HOME", "LANG", "TMPDIR", "SSL_CERT_FILE", "CELM_CACHE", "CELM_CHROMIUM"),
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"),
}
PREFIXES = ("PIP_", "npm_config_", "NPM_CONFIG_")
# Minutes that a step may take, many times what the tests need on two cores that have nothing else to do.
LIMIT = 60.0


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


def seen(machine: Mapping[str, str]) -> dict[str, str]:
    """The part of a machine's environment that a step is given."""
    return {name: value for name, value in machine.items() if name in KEPT or name.startswith(PREFIXES)}


def failure(step: str, folder: str, minutes: float) -> str:
    """Run a step and all that it starts, without anybody to answer it; why it failed, or nothing."""
    started = time.monotonic()
    running = subprocess.Popen(
        step, shell=True, cwd=folder, env=seen(os.environ), stdin=subprocess.DEVNULL, start_new_session=True
    )
    try:
        code = running.wait(60 * minutes)
    except subprocess.TimeoutExpired:
        return f"was not done after {minutes:g} minutes; --limit gives it more"
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()
    print(f"step: {step}: {(time.monotonic() - started) / 60:.1f} minutes", flush=True)
    return f"ended with exit code {code}" if code else ""


def main() -> None:
    """Run the steps that contain one of the asked words; all without one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", nargs="*", default=[""], help="words of the steps to run")
    parser.add_argument(
        "--limit", type=float, default=LIMIT, help=f"minutes that a step may take, {LIMIT:g} by default"
    )
    asked = parser.parse_args()
    if not 0 < asked.limit < math.inf:
        parser.error(f"--limit: it must be a number above 0; got {asked.limit:g}")
    every = steps((ROOT / "Containerfile").read_text(encoding="utf-8"))
    chosen = [step for step in every if any(word in step for word in asked.steps)]
    if not chosen:
        parser.error(f"--steps: no step has one of the words {asked.steps}")
    with tempfile.TemporaryDirectory(prefix="celm-container-") as name:
        clean_copy(Path(name))
        for step in chosen:
            print(f"step: {step}", flush=True)
            if why := failure(step, name, asked.limit):
                sys.exit(f"check container: the step {step!r} {why}.")


if __name__ == "__main__":
    main()
