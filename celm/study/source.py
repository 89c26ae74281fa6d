"""A digest of the source that a cell's numbers come from: what its family runs, without comments and layout.

It does not enter the key of a cell. Where it differs from that of a stored cell, the cell was made by other code.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import platform
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from celm.study.cells import Cell
from celm.study.data_config import CoatesNgConfig
from celm.study.families import FAMILIES, Family

ROOT = Path(__file__).resolve().parents[2]
# The packages whose imports are followed.
OURS = ("celm", "experiments")

# What every cell runs beside its family: its rows, their features and folds.
ALWAYS = ("celm.study.inputs", "celm.datasets.splits")
# Where a weight strategy has its own file, under its name.
STRATEGIES = "celm.models.elm.strategies"
# What only cells on image features run.
IMAGES = "celm.features.coates_ng"
# Modules that decide no number of a cell whose key is the same: settings and the content of data are in the key, the
# rest keeps and moves records. A closure does not go through them.
LEFT_OUT = ("celm.study", "celm.datasets", "celm.base.files", "celm.base.names", "celm.features.feature_cache")
KEPT = ("celm.study.families", "celm.study.inputs", "celm.datasets.splits", "celm.datasets.noise")


def is_within(module: str, packages: Iterable[str]) -> bool:
    """Whether a module is one of these packages or in one of them."""
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def counts(module: str) -> bool:
    """Whether a module is one whose source can change a number."""
    return is_within(module, KEPT) or not is_within(module, LEFT_OUT)


def path_of(module: str) -> Path | None:
    """The file of a module of ours; None when there is none."""
    base = ROOT.joinpath(*module.split("."))
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


def _names(module: str) -> tuple[tuple[str, str], ...]:
    """Module and name of everything of ours that a module imports; the name is empty for ``import celm.x``."""
    path = path_of(module)
    return () if path is None else _names_in(path)


@lru_cache(maxsize=256)
def _names_in(path: Path) -> tuple[tuple[str, str], ...]:
    return tuple(_imported(ast.parse(path.read_text(encoding="utf-8"))))


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in OURS:
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name.split(".")[0] in OURS)


def defining(module: str, name: str) -> str:
    """The module in which a name is defined that ``module`` offers: itself, a submodule, or one it takes it from."""
    if name and path_of(f"{module}.{name}") is not None:
        return f"{module}.{name}"
    path = path_of(module)
    if path is not None and path.name == "__init__.py":
        for source, offered in _names(module):
            if offered == name and source != module:
                return defining(source, name)
    return module


def closure(
    modules: Iterable[str], without: Collection[str] = (), counting: Callable[[str], bool] = counts
) -> list[str]:
    """These modules and all of ours that they import, directly or not, as far as it counts: can change a number."""
    found: set[str] = set()
    waiting = [module for module in modules if path_of(module) is not None]
    while waiting:
        module = waiting.pop()
        if module in found or module in without or not counting(module):
            continue
        found.add(module)
        waiting += [defining(source, name) for source, name in _names(module)]
    return sorted(found)


def _without_docstrings(source: str) -> ast.Module:
    """The tree of a source in which no statement is a mere text."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [line for line in body if not _is_text(line)] or [ast.Pass()]  # type: ignore[attr-defined]
    return tree


def _is_text(line: ast.stmt) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and isinstance(line.value.value, str)


def bare_source(source: str) -> str:
    """A source without comments, layout and docstrings; the same under one version of Python alone."""
    return ast.dump(_without_docstrings(source))


@lru_cache(maxsize=256)
def module_digest(path: Path) -> str:
    """The sha256 of a file's source without comments, layout and docstrings."""
    return hashlib.sha256(bare_source(path.read_text(encoding="utf-8")).encode()).hexdigest()


def family_modules(family: Family, strategy: str | None, with_images: bool) -> list[str]:
    """Every module that decides the numbers of a family's cells with a strategy, on image features or plain ones."""
    parts = [inspect.unwrap(part) for part in (family.run, family.choose) if part is not None]
    roots = sorted({part.__module__ for part in parts if part.__module__.startswith("celm.")})
    return closure([*ALWAYS, *roots, f"{STRATEGIES}.{strategy}"], without=() if with_images else (IMAGES,))


@lru_cache(maxsize=256)
def code_digest(task: str, family: str, strategy: str | None, with_images: bool) -> str:
    """``3.11 1f0c…``: the Python whose grammar it was read by, and 32 digits for the source of a family's cells."""
    modules = family_modules(FAMILIES[task][family], strategy, with_images)
    digests = [f"{module} {_digest_of(module)}" for module in modules]
    python = ".".join(platform.python_version_tuple()[:2])
    return f"{python} {hashlib.sha256(chr(10).join(digests).encode()).hexdigest()[:32]}"


def code_of(cell: Cell) -> str:
    """The digest of the source that a cell would be run with now."""
    model = cell.model
    return code_digest(cell.task, model.family, model.strategy, isinstance(cell.features, CoatesNgConfig))


def _digest_of(module: str) -> str:
    path = path_of(module)
    return "" if path is None else module_digest(path)


def made_by_other_code(cells: Iterable[Cell], documents: Mapping[str, Mapping[str, Any]]) -> list[Cell]:
    """The cells whose stored documents name another source than the one here."""
    stored = [(cell, documents[cell.key].get("code")) for cell in cells if cell.key in documents]
    return [cell for cell, recorded in stored if recorded is not None and is_other_code(recorded, code_of(cell))]


def is_other_code(recorded: object, here: str) -> bool:
    """Whether a cell was made by other code; not known (and so no) without a digest or under another Python."""
    if not isinstance(recorded, str):
        return False
    return recorded != here and recorded.split(" ")[0] == here.split(" ")[0]
