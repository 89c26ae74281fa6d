"""The library alone: the wheel holds celm, needs what it declares and nothing else, and starts quickly."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys
import zipfile
from importlib.metadata import distribution, requires
from inspect import isabstract
from pathlib import Path

import pytest
from sklearn.base import BaseEstimator

import celm

ROOT = Path(__file__).resolve().parents[1]
HARD = {"numpy", "scipy", "scikit-learn", "threadpoolctl"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "flit_core.wheel", "--outdir", str(folder)], cwd=ROOT, check=True)
    (built,) = folder.glob("*.whl")
    return built


def _name_of(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower()


def _hard_dependencies(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as files:
        (metadata,) = (name for name in files.namelist() if name.endswith("METADATA"))
        lines = files.read(metadata).decode().splitlines()
    declared = [line.partition(": ")[2] for line in lines if line.startswith("Requires-Dist: ")]
    return {_name_of(requirement) for requirement in declared if "extra ==" not in requirement}


def _closure(names: set[str]) -> set[str]:
    """The distributions of ``names`` with all that they need, extras left out."""
    found: set[str] = set()
    waiting = set(names)
    while waiting:
        name = waiting.pop()
        found.add(name)
        needed = {
            _name_of(each) for each in requires(name) or [] if "extra ==" not in each and "sys_platform" not in each
        }
        waiting |= needed - found
    return found


def test_the_wheel_holds_celm_and_declares_four_dependencies(wheel):
    with zipfile.ZipFile(wheel) as files:
        names = files.namelist()
    assert {name.split("/")[0] for name in names} == {"celm", f"celm-{celm.__version__}.dist-info"}
    assert "celm/py.typed" in names
    assert _hard_dependencies(wheel) == HARD


def test_the_wheel_fits_and_predicts_with_nothing_but_its_dependencies(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as files:
        files.extractall(tmp_path)
    for name in _closure(_hard_dependencies(wheel)):
        installed = distribution(name)
        for top in {Path(str(file)).parts[0] for file in installed.files or []} - {"..", "__pycache__"}:
            (tmp_path / top).symlink_to(installed.locate_file(top))
    probe = ROOT / "scripts" / "wheel_probe.py"
    run = f"import sys, runpy; sys.path[:0], sys.argv[1:] = [{str(tmp_path)!r}], [{str(tmp_path)!r}]; "
    run += f"runpy.run_path({str(probe)!r}, run_name='__main__')"
    ended = subprocess.run([sys.executable, "-I", "-S", "-c", run], capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    assert "fits and predicts" in ended.stdout


def test_importing_celm_takes_less_than_a_second_beyond_scikit_learn():
    code = (
        "import time, sklearn.linear_model; start = time.process_time(); import celm; "
        "print(time.process_time() - start)"
    )
    # A second time only where the first was slow: files may not have been at hand.
    seconds = (
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout)
        for _ in range(2)
    )
    assert any(one < 1.0 for one in seconds)


def test_every_estimator_is_exported_from_the_top():
    import celm.models

    modules = [
        importlib.import_module(found.name) for found in pkgutil.walk_packages(celm.models.__path__, "celm.models.")
    ]
    estimators = {
        value
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, BaseEstimator) and value.__module__.startswith("celm.models.")
        if not name.startswith(("_", "Base")) and not isabstract(value)
    }
    assert {value.__name__ for value in estimators} <= set(celm.__all__)
    assert sorted(celm.__all__) == celm.__all__
    assert all(hasattr(celm, name) for name in celm.__all__)
