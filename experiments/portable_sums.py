"""The same floating-point sums on every machine: chosen before numpy loads its BLAS, so nothing of celm is imported."""

import os
import platform
from pathlib import Path


def portable_kernels() -> None:
    """Ask OpenBLAS for the same kernels on every x86-64 processor with AVX2, so that sums round alike everywhere.

    A processor with newer instructions would otherwise add in another order. A choice the user made is left alone.
    """
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return
    if platform.machine() == "x86_64" and " avx2 " in flags:
        os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")
