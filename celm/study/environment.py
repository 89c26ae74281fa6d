"""The machine a number was made on: BLAS threads and kernels, versions, processor, commit."""

from __future__ import annotations

import platform
import subprocess
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_info

from celm.base.threads import n_cores

LIBRARIES = ("celm", "numpy", "scipy", "scikit-learn", "pandas", "threadpoolctl")


def _cpu_field(name: str) -> str:
    """A field of the first processor in Linux's list; empty elsewhere."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith(name)), "")


def blas_libraries() -> list[str]:
    """``openblas 0.3.31 Haswell`` for every BLAS that is loaded."""
    pools = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    return sorted(
        {" ".join(str(pool.get(key)) for key in ("internal_api", "version", "architecture")) for pool in pools}
    )


@lru_cache(maxsize=1)
def commit() -> str:
    """The commit of the code that runs, with ``+changes`` when the work tree differs; ``unknown`` outside git."""
    here = Path(__file__).resolve().parents[1]

    def git(*words: str) -> str:
        return subprocess.run(
            ["git", *words], cwd=here, capture_output=True, text=True, timeout=10, check=True
        ).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--", ".", "../experiments", "../conf")
        return git("rev-parse", "HEAD") + ("+changes" if changed else "")
    except (OSError, subprocess.SubprocessError):
        return "unknown"


@lru_cache(maxsize=1)
def provenance() -> dict[str, Any]:
    """Versions, BLAS, processor and commit, as every cell records them."""
    return {
        "python": platform.python_version(),
        "libraries": {name: version(name) for name in LIBRARIES},
        "blas": blas_libraries(),
        "cpu": _cpu_field("model name") or platform.processor() or platform.machine(),
        "cores": n_cores(),
        "platform": f"{platform.system()} {platform.machine()}",
        "commit": commit(),
    }
