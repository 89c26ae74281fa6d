"""The allowed import edges of the house, and the habits that a reader relies on in every file."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted([*(ROOT / "celm").rglob("*.py"), *(ROOT / "experiments").rglob("*.py")])
AROUND = [path for folder in ("bench", "chaos", "fuzz", "scripts") for path in sorted((ROOT / folder).rglob("*.py"))]

LINES_OF_A_MODULE, LINES_OF_A_BODY = 250, 40
# The same estimator on rows that one machine holds and on rows that none does.
SAME_THING = {"classifier", "regressor", "search"}

# Room -> rooms it may import besides itself. Study and analysis meet in a tidy frame, never in code.
ALLOWED = {
    "celm": {"models", "features"},
    "base": set(),
    "linalg": {"base"},
    "models": {"base", "linalg"},
    "features": {"base"},
    "datasets": {"base"},
    "study": {"base", "linalg", "models", "features", "datasets"},
    "dask": {"base", "linalg", "models"},
    "onnx": {"base", "models"},
    "analysis": {"base"},
    "render": {"base", "analysis"},
}


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


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
    return {name.split(".")[1] for name in imported_modules(path) if name.startswith("celm.")} & ALLOWED.keys()


def test_the_test_sees_the_house():
    assert {room_of(path) for path in FILES} == {"experiments", *ALLOWED}
    assert rooms_imported(ROOT / "celm" / "study" / "inputs.py") >= {"base", "datasets", "features", "study"}
    assert len(list((ROOT / "celm").glob("*.py"))) <= 3
    assert len(ALLOWED) <= 12


def test_a_name_means_one_thing():
    """No two modules of one name in different rooms: a stranger who hears it finds the file."""
    rooms: dict[str, set[str]] = {}
    for path in FILES:
        if not path.stem.startswith("__"):
            rooms.setdefault(path.stem, set()).add(room_of(path))
    shared = {name: sorted(found) for name, found in rooms.items() if len(found) > 1}
    assert {name: found for name, found in shared.items() if name not in SAME_THING} == {}


@pytest.mark.parametrize("path", [*FILES, *AROUND], ids=named)
def test_a_file_says_what_it_is_for_and_nothing_in_it_is_too_long_to_be_read_at_once(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LINES_OF_A_MODULE
    tree = ast.parse(text)
    assert len((ast.get_docstring(tree) or "").partition("\n")[0]) > 20
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    assert [node.name for node in functions if body_lines(node) > LINES_OF_A_BODY] == []


def body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function below its docstring."""
    statements = node.body[1:] if ast.get_docstring(node) is not None else node.body
    return statements[-1].end_lineno - statements[0].lineno + 1 if statements else 0


@pytest.mark.parametrize("path", [path for path in FILES if room_of(path) != "experiments"], ids=named)
def test_imports_follow_the_one_way_flow_and_only_experiments_knows_hydra(path):
    room = room_of(path)
    assert room in ALLOWED, f"{room} is a new room: say here what it may import"
    forbidden = rooms_imported(path) - ALLOWED[room] - {room}
    assert not forbidden, f"{named(path)} imports {sorted(forbidden)}"
    assert not {name.split(".")[0] for name in imported_modules(path)} & {"hydra", "omegaconf", "experiments"}
