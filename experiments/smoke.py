"""Every experiment of conf/experiment on small subsets, one after the other: make smoke."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time

from experiments.configs import ROOT, options


def main() -> None:
    """Run each at scale=smoke in a store of its own; the exit code is 1 when any fails."""
    failed = []
    for experiment in options("experiment"):
        started = time.perf_counter()
        with tempfile.TemporaryDirectory(prefix="celm-smoke-") as store:
            command = [f"experiment={experiment}", "scale=smoke", f"store={store}", "progress=false"]
            code = subprocess.run([sys.executable, "-m", "experiments.run", *command], cwd=ROOT, check=False).returncode
        print(
            f"smoke {experiment}: {'ok' if code == 0 else f'exit code {code}'} in {time.perf_counter() - started:.1f} s"
        )
        if code:
            failed.append(experiment)
    if failed:
        raise SystemExit(f"smoke failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
