"""What the pages tell to do can be done: code runs, commands are understood, targets exist, links lead somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from experiments.config.overrides import check_arguments
from experiments.config.readings import with_protocols
from experiments.config.studies import composed, parsed, study_of

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(
    path
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md")]
    if not {"_build", "auto_examples"} & set(path.relative_to(ROOT).parts)
)
BLOCK = re.compile(r"^(?:<!-- not run: (?P<reason>.+?) -->\n)?```(?P<kind>python|sh|)\n(?P<code>.*?)^```$", re.M | re.S)
# Pages whose code needs what a test has not.
NOT_RUN = {"docs/dask.md": 1}


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def blocks(path: Path, *kinds: str) -> list[re.Match[str]]:
    return [block for block in BLOCK.finditer(path.read_text(encoding="utf-8")) if block["kind"] in kinds]


def commands(path: Path) -> list[str]:
    """The lines of shell blocks, without comments, continued ones joined."""
    text = "\n".join(block["code"] for block in blocks(path, "sh", ""))
    return [line.strip() for line in text.replace("\\\n", " ").splitlines() if line.strip()]


def test_the_test_sees_the_pages():
    assert len(PAGES) > 20
    assert sum(bool(blocks(path, "python")) for path in PAGES) >= 5
    assert {
        named(path): n for path in PAGES if (n := sum(bool(one["reason"]) for one in blocks(path, "python")))
    } == NOT_RUN


@pytest.mark.parametrize("path", [path for path in PAGES if blocks(path, "python")], ids=named)
def test_the_code_of_a_page_runs_from_top_to_bottom(path, monkeypatch):
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {"__name__": "page"}
    for block in blocks(path, "python"):
        if not block["reason"]:
            exec(compile(block["code"], named(path), "exec"), names)


def runs_of(path: Path) -> list[str]:
    found = re.findall(r"python -m experiments\.run (.*)", "\n".join(commands(path)))
    return [line.split("   ")[0].split(" #")[0].removesuffix("…").strip() for line in found]


@pytest.mark.parametrize(
    ("path", "line"), [(path, line) for path in PAGES for line in dict.fromkeys(runs_of(path))], ids=str
)
def test_the_harness_understands_every_command(path, line, tmp_path):
    """Composed and named as a run would, at the first value of everything that a sweep varies; nothing is fetched."""
    if "--help" in line:
        return
    check_arguments(shlex.split(line))
    given = [word for word in shlex.split(line) if word not in ("-m", "--cfg", "job")]
    given = with_protocols([word for word in given if not word.startswith("hydra")])
    first = [f"{key}={_first(one)}" for key, one in parsed(given).items()]
    study = study_of(composed(first), first)
    assert study.datasets
    assert study.models


def _first(override) -> str:
    text = override.input_line.partition("=")[2]
    return text.split(",")[0] if override.is_sweep_override() else text


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_a_command_runs_as_it_is_copied(path):
    """Nobody has activated anything: python is the environment's own, and celm comes from the clone."""
    assert [line for line in commands(path) if line.startswith("python")] == []
    assert "pip install 'celm" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_targets_and_links_exist(path):
    text = path.read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    asked = {word for line in commands(path) for word in re.findall(r"^make ([a-z0-9-]+)", line)}
    asked |= set(re.findall(r"`make ([a-z0-9-]+)`", text))
    assert asked - targets - {"lock"} == set()
    links = re.findall(r"(?<!`)\]\((?!https?:|#|mailto:)([^)#\s]+)", text)
    links += re.findall(r"^```\{figure\} (\S+)", text, re.M)
    # In the documentation a link that begins with a slash counts from its folder.
    places = {link: DOCS / link[1:] if link.startswith("/") else path.parent / link for link in links}
    assert [link for link, place in places.items() if not place.exists()] == []
    if path.is_relative_to(DOCS):  # Sphinx copies a linked file and cannot link a folder
        assert [link for link, place in places.items() if place.is_dir()] == []


def test_every_page_has_its_place_in_a_menu():
    """Sphinx says the same, but only where it is installed."""
    listed = {"docs/index.md"}
    for path in PAGES:
        for menu in re.findall(r"```\{toctree\}\n(.*?)```", path.read_text(encoding="utf-8"), re.S):
            for entry in (line.strip() for line in menu.splitlines() if line.strip() and not line.startswith(":")):
                page = DOCS / f"{entry[1:]}.md" if entry.startswith("/") else path.parent / f"{entry}.md"
                listed.add(named(page.resolve()))
    assert {named(path) for path in PAGES if path.is_relative_to(DOCS)} - listed == set()
