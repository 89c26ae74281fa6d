"""The same floating-point sums on every machine: chosen before numpy loads its BLAS, so nothing of celm is imported."""

import os
import platform
from pathlib import Path

CHOICE = "OPENBLAS_CORETYPE"
# What else holds OpenBLAS to less than the processor offers.
HELD_BY = (CHOICE, "OPENBLAS_L2_SIZE")


def portable_kernels() -> None:
    """Ask OpenBLAS for the same kernels on every x86-64 processor with AVX2, so that sums round alike everywhere.

    A processor with newer instructions would otherwise add in another order. A choice the user made is left alone.
    """
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return
    if platform.machine() == "x86_64" and " avx2 " in flags:
        os.environ.setdefault(CHOICE, "Haswell")


def native_kernels() -> None:
    """Let OpenBLAS choose for itself before numpy is loaded, whoever had chosen.

    Speed is that of the kernels that users of the library have, and these variables hold back the libraries that
    compute with OpenBLAS alone.
    """
    for name in HELD_BY:
        os.environ.pop(name, None)
