"""Installs a wheel of celm into two throw-away environments and fits there: newest and lowest declared versions.

python scripts/check_wheel.py dist/celm-0.2.0-py3-none-any.whl
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

from ending import end_in_words

PROBE = Path(__file__).with_name("wheel_probe.py")


def lowest_versions(wheel: Path) -> list[str]:
    """``name==lowest`` for every hard dependency of the wheel."""
    with zipfile.ZipFile(wheel) as files:
        (metadata,) = (name for name in files.namelist() if name.endswith(".dist-info/METADATA"))
        lines = files.read(metadata).decode().splitlines()
    declared = [line.partition(": ")[2] for line in lines if line.startswith("Requires-Dist: ") and "extra" not in line]
    pins = [re.match(r"([\w.-]+)\s*\(?>=\s*([\w.]+)", requirement) for requirement in declared]
    if not pins or not all(pins):
        sys.exit(f"check wheel: every dependency must state its lowest version (name>=version); got {declared}.")
    return [f"{pin[1]}=={pin[2]}" for pin in pins if pin]


def check(wheel: Path, pins: list[str]) -> None:
    """Install the wheel with ``pins`` into an environment of its own and run the probe there."""
    with tempfile.TemporaryDirectory(prefix="celm-wheel-") as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder, "Scripts" if sys.platform == "win32" else "bin", "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", str(wheel), *pins], check=True)
        subprocess.run([python, "-I", str(PROBE), folder], check=True, cwd=folder)


def main() -> None:
    """Check the wheel that is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheels", type=Path, nargs="+", metavar="WHEEL")
    wheels = parser.parse_args().wheels
    if len(wheels) != 1:
        parser.error(f"one wheel must be named; got {len(wheels)}. Old ones in dist/ may be deleted.")
    if not zipfile.is_zipfile(wheels[0]):
        parser.error(f"{wheels[0]} is no wheel")
    check(wheels[0].resolve(), [])
    check(wheels[0].resolve(), lowest_versions(wheels[0]))


if __name__ == "__main__":
    end_in_words(main)
