"""The same floating-point sums on every machine: chosen before numpy loads its BLAS, so nothing of celm is imported."""

import os
import platform
from pathlib import Path

CHOICE = "OPENBLAS_CORETYPE"
# What the user chose, before anything here did.
GIVEN = os.environ.get(CHOICE)


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
    """Take our choice back before numpy is loaded: speed is that of the kernels that users of the library have."""
    if GIVEN is None:
        os.environ.pop(CHOICE, None)
