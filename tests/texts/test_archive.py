"""What an archive asks for: one version everywhere, metadata with its fields, a crate that names every file."""

import hashlib
import importlib.util
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from omegaconf import OmegaConf

import celm
from experiments.texts.crate import crate

ROOT = Path(__file__).resolve().parents[2]
# The fields of ReScience C's template.
FIELDS = {
    "title", "authors", "affiliations", "keywords", "code", "data", "replication", "contributors", "dates", "article",
    "journal", "review", "type", "language", "domain", "bibliography", "abstract",
}  # fmt: skip


def test_citation_codemeta_and_changelog_name_this_version():
    citation = OmegaConf.load(ROOT / "CITATION.cff")
    codemeta = json.loads((ROOT / "codemeta.json").read_text(encoding="utf-8"))
    first = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)[1]
    assert citation.version == codemeta["version"] == first == celm.__version__
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert {"@context", "@type", "name", "author", "license"} <= set(codemeta)
    assert str(citation["date-released"]) == codemeta["dateModified"]
    assert f"## {first} ({citation['date-released']})" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_article_and_metadata_have_the_title_of_the_paper_and_one_author():
    citation, metadata = OmegaConf.load(ROOT / "CITATION.cff"), OmegaConf.load(ROOT / "metadata.yaml")
    look = (ROOT / "article" / "look.typ").read_text(encoding="utf-8")
    assert metadata.title == f"[Re] {citation.references[0].title}"
    assert f'title: "{metadata.title}", author: "{metadata.authors[0].name}"' in look
    assert citation.authors[0].name == metadata.authors[0].name


def test_the_metadata_have_the_fields_of_the_journal():
    metadata = OmegaConf.load(ROOT / "metadata.yaml")
    assert set(metadata) == FIELDS
    assert (ROOT / metadata.bibliography).exists()
    assert metadata.replication[1].bib in OmegaConf.load(ROOT / metadata.bibliography)


@pytest.fixture
def results(tmp_path):
    for name, text in {"verdict.json": "{}", "records/table1.csv": "a\n1\n", "figures/x.png": "…"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_a_crate_names_every_file_with_its_digest_and_nothing_that_it_does_not_hold(results):
    graph = {entity["@id"]: entity for entity in crate(results)["@graph"]}
    assert {part["@id"] for part in graph["./"]["hasPart"]} == {"verdict.json", "records/table1.csv", "figures/x.png"}
    assert {"sha256", "wasGeneratedBy"} <= crate(results)["@context"][1].keys() & graph["verdict.json"].keys()
    assert graph["verdict.json"]["sha256"] == hashlib.sha256(b"{}").hexdigest()
    assert graph["records/table1.csv"]["description"].startswith("Records: Table I")
    assert graph["ro-crate-metadata.json"]["about"] == {"@id": "./"}
    assert {"name", "description", "datePublished", "license"} <= set(graph["./"])
    assert graph[graph["./"]["author"][0]["@id"]]["name"] == "The celm maintainers"
    for entity in graph.values():  # flattened: what an entity points to is an entity of its own
        for value in entity.values():
            assert all(
                set(one) == {"@id"} for one in ([value] if isinstance(value, dict) else value) if type(one) is dict
            )
    named = set(re.findall(r'"@id": "([^"]+)"', json.dumps(list(graph.values()))))
    assert named - graph.keys() == {"https://w3id.org/ro/crate/1.1"}


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("check_container", ROOT / "scripts" / "check_container.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_step_of_the_container_that_hangs_is_ended_with_all_that_it_started(script, tmp_path):
    assert script.failure('read answer; test -z "$answer"', str(tmp_path), 1) == ""
    assert script.failure("exit 3", str(tmp_path), 1) == "ended with exit code 3"
    child = "sleep 300 & echo $! > child; wait"
    assert script.failure(child, str(tmp_path), 0.01) == "was not done after 0.01 minutes; --limit gives it more"
    state = Path("/proc", (tmp_path / "child").read_text(encoding="utf-8").strip(), "stat")
    deadline = time.monotonic() + 30  # of a busy machine: a signal that was sent is heard when its process has a turn

    def is_over() -> bool:
        try:
            return state.read_text(encoding="utf-8").split()[2] == "Z"
        except (FileNotFoundError, ProcessLookupError):
            return True

    while not is_over():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_step_sees_how_packages_are_fetched_and_nothing_else_of_the_machine(script):
    machine = {"PATH": "/bin", "PIP_INDEX_URL": "https://mirror", "https_proxy": "http://proxy", "PYTHONPATH": "/mine"}
    assert script.seen(machine).keys() == machine.keys() - {"PYTHONPATH"}


def test_the_steps_of_the_container_are_commands_of_a_clean_copy(script, tmp_path):
    """As far as a test can go: every step is found in the committed files and make knows what to do for it."""
    found = script.steps((ROOT / "Containerfile").read_text(encoding="utf-8"))
    assert found == ["make environment", "make reproduce-table1", "make test"]
    script.clean_copy(tmp_path)
    for step in found:
        told = subprocess.run([*step.split(), "-n"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
        assert "requirements/study.lock" in told  # a clean copy has no environment yet
    help_text = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "check_container.py"), "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "--steps" in help_text.stdout
