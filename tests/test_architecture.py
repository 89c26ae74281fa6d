"""The allowed import edges of the house, and the habits that a reader relies on in every file."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted([*(ROOT / "celm").rglob("*.py"), *(ROOT / "experiments").rglob("*.py")])

# Room -> rooms it may import. A room may always import itself.
ROOMS = {"datasets", "features", "models"}
ALLOWED = {
    "celm": {"models", "datasets", "features"},
    "seeds": set(),
    "validation": set(),
    "environment": set(),
    "style": set(),
    "datasets": {"seeds", "validation"},
    "features": {"seeds", "validation"},
    "models": {"seeds", "validation"},
    "protocols": {"validation"},
    "data_schema": {"validation"},
    "schema": {"data_schema", "protocols", "validation"},
    "store": set(),
    "cells": {"data_schema", "schema", "seeds", "store"},
    "families": {"cells", "models", "schema", "validation"},
    "choices": {"datasets", "store"},
    "inputs": {"cells", "data_schema", "datasets", "features", "schema", "seeds", "store"},
    "runner": {
        "cells",
        "choices",
        "data_schema",
        "datasets",
        "environment",
        "families",
        "inputs",
        "schema",
        "store",
        "validation",
    },
    "dask_executor": {"cells", "datasets", "environment", "inputs", "runner", "store"},
    "executors": {"cells", "dask_executor", "environment", "runner", "schema", "store"},
    "one_choice": set(),
    "tables": {"statistics", "style"},
    "verdicts": {"style"},
    "ranking": {"style", "verdicts"},
    "plane_tables": {"style", "tables"},
    "feature_tables": {"statistics", "style"},
    "causes": {"statistics", "style"},
    "cause_tables": {"causes", "style"},
    "figures": {"style"},
    "spiral_map": set(),
    "statistics": set(),
    "comparisons": {"statistics", "style", "tables"},
    "claims": {"statistics", "style", "tables", "validation"},
}


def room_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return "celm" if parts == ("celm", "__init__") else parts[1] if parts[0] == "celm" else "experiments"


def imported_modules(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    return found


def rooms_imported(path: Path) -> set[str]:
    parts = [name.split(".") for name in imported_modules(path) if name.startswith("celm.")]
    return {
        names[1]
        for names in parts
        if (ROOT / "celm" / names[1]).exists() or (ROOT / "celm" / f"{names[1]}.py").exists()
    }


def test_the_test_sees_the_house():
    assert {room_of(path) for path in FILES} >= {"celm", "experiments", "runner", "store", *ROOMS}
    assert rooms_imported(ROOT / "celm" / "runner.py") >= {"datasets", "families", "inputs", "store"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_follow_the_one_way_flow(path):
    room = room_of(path)
    if room == "experiments":
        return
    assert room in ALLOWED, f"{room} is a new room: say here what it may import"
    forbidden = rooms_imported(path) - ALLOWED[room] - {room}
    assert not forbidden, f"{path.relative_to(ROOT)} imports {sorted(forbidden)}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_experiments_knows_hydra(path):
    if room_of(path) != "experiments":
        roots = {name.split(".")[0] for name in imported_modules(path)}
        assert not roots & {"hydra", "omegaconf", "experiments"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_says_what_it_is_for(path):
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert docstring
    assert len(docstring.splitlines()[0]) > 20
