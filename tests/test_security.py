"""No pickle is ever loaded, and nothing that a file says is run: what docs/security.md promises."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest

from celm.datasets.cache import array_path, read_arrays
from celm.datasets.dataset import SourceError

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("celm", "experiments", "bench", "fuzz", "chaos", "scripts")
FILES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))

LOADERS = {"pickle", "cPickle", "dill", "cloudpickle", "shelve", "marshal"}
READERS = {"read_pickle", "unsafe_load", "full_load", "eval", "exec"}


def _named(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def dangers(text: str) -> list[str]:
    """What of a source could run what a file says."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if alias.name.split(".")[0] in LOADERS]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in LOADERS:
            found.append(str(node.module))
        elif isinstance(node, ast.Call):
            owner = node.func.value if isinstance(node.func, ast.Attribute) else None
            plain = not isinstance(node.func, ast.Attribute)
            if _named(node) in READERS and (plain or _named(node) not in ("eval", "exec")):
                found.append(_named(node))
            if _named(node) == "load" and getattr(owner, "id", "") in ("joblib", "yaml"):
                found.append(f"{owner.id}.load")
            if any(k.arg == "allow_pickle" and getattr(k.value, "value", True) is not False for k in node.keywords):
                found.append("allow_pickle")
            if _named(node) == "load" and getattr(owner, "id", "") == "np":
                found += [] if any(k.arg == "allow_pickle" for k in node.keywords) else ["np.load"]
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_source_loads_a_pickle(path):
    assert dangers(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "text",
    [
        "import pickle",
        "from joblib import load\nimport dill",
        "import joblib\njoblib.load('a')",
        "import numpy as np\nnp.load('a')",
        "import numpy as np\nnp.load('a', allow_pickle=True)",
        "import pandas as pd\npd.read_pickle('a')",
        "import yaml\nyaml.load('a')",
        "eval('1')",
    ],
)
def test_a_source_that_would_is_seen(text):
    assert dangers(text) != []


class Bomb:
    """Would write a file if it were unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (Path.touch, (self.path,))


def test_a_pickle_in_the_cache_is_refused_and_does_not_go_off(tmp_path):
    mark = tmp_path / "it went off"
    path = array_path(tmp_path, "wdbc", "X", "0" * 64)
    path.parent.mkdir()
    with path.open("wb") as file:
        np.lib.format.write_array(file, np.array([Bomb(mark)], dtype=object), allow_pickle=True)
    with pytest.raises(SourceError, match="cannot be read"):
        read_arrays(tmp_path, "wdbc", "0" * 64, "0" * 64)
    assert not mark.exists()


def test_every_test_that_the_threat_page_names_is_there():
    named = re.findall(r"`(tests/[^`]+)`", (ROOT / "docs" / "security.md").read_text(encoding="utf-8"))
    assert len(named) > 10
    assert [path for path in named if not (ROOT / path).exists()] == []
