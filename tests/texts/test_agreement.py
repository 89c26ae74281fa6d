"""README, results/README.md, page, article and documentation as they stand here: one number for every fact."""

import html
import json
import re
from pathlib import Path

import pytest
import typst

from celm.base.names import dataset_label, model_label
from experiments.texts.answer import told
from experiments.texts.article import SOURCE

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results"
# How texts say facts; a group of a pattern has the name of its fact.
SAID = [
    r"Of the paper's (?P<cells_total>\d+) accuracies, held against ours",
    r"(?P<cells_equivalent>\d+) are equivalent, (?P<cells_different>\d+) differ and (?P<cells_open>\d+) are open",
    r"committed first, (?P<cells_reproduced>\d+) are reproduced under our default protocol",
    r"(?P<cells_explained>\d+) more under a reading .{,80}?, and (?P<cells_unexplained>\d+) under none",
    r"Of its (?P<claims_total>\d+) testable sentences (?P<claims_said>[\w, ]+)\.",
    r"testable sentences (?P<claims_held>\d+) hold, (?P<claims_failed>\d+) fail",
    r"lead plain ELM on (?P<gap_sets>\d+) of (?P<causes_sets>\d+) data sets",
    r"data sets, by (?P<gap_least>[\d.]+) to (?P<gap_most>[\d.]+) points",
    r"to close (?P<covariance_least>\d+) % to (?P<covariance_most>\d+) % of that lead",
    r"Samples in the place of those Gaussian weights add (?P<samples_least>\S+) to (?P<samples_most>\S+) points",
    r"labels on top of samples (?P<labels_least>\S+) to (?P<labels_most>[-+\d.]*\d)\.",
    r"On (?P<wide_sources>\d+) tables that no trial had seen.{,80}? by (?P<wide_celms>[-+][^,;]+)[,;]",
    r"images, directions with the data's covariance gain (?P<wide_images>.+?) beyond such a scale",
    r"Of the paper's (?P<cells_total>\d+) accuracy numbers, held .{,60}?: (?P<cells_equivalent>\d+) equivalent",
    r"tables below: (?P<cells_reproduced>\d+) reproduced, (?P<cells_explained>\d+) explained",
    r"tables below: \d+ reproduced, \d+ explained, (?P<cells_unexplained>\d+) unexplained",
    r"Of (?P<claims_total>\d+) claims in its text, on these data: (?P<claims_told>[\w, ]+);",
    r"numbers equivalent: (?P<cells_equivalent>\d+) of (?P<cells_total>\d+), (?P<cells_different>\d+) differ",
    r"sentences that hold: (?P<claims_held>\d+) of (?P<claims_total>\d+)",
    r"(?P<claims_total>\d+) sentences (?P<claims_held>\d+) hold, (?P<claims_failed>\d+) fail",
    r"(?P<claims_held>\d+) holds, (?P<claims_failed>\d+) fails",
    r"fits (?P<table1_cells>\d+) cells in about (?P<table1_minutes>\d+) minutes on (?P<cores>\d+) cores",
    r"(?P<table1_records>\d+) records in (?P<table1_cells>\d+) cells are equal",
    r"(?P<table1_records>\d+) of \d+ records are equal to the last digit",
    r"(?P<cores>\d+) cores it takes about (?P<table1_minutes>\d+) minutes",
    *(
        rf"\| [^|]*{name}(?:: [^|]*)? \|(?: \d+ \|)* \+?(?P<lead_{table}_paper>[\d.]+) points \|"
        rf" \+?(?P<lead_{table}_ours>[\d.]+) points"
        for table, name in (("table1", "Table I"), ("table2", "Table II"), ("table3", "Table III"))
    ),
]
NUMBER = re.compile(r"(0\.\d{3}) \((0\.\d{3})\)")


def read(place: str) -> str:
    return (RESULTS / place).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def known() -> dict[str, str]:
    return told()


def told_by_pages(words: dict[str, str]) -> str:
    """The pages of the documentation with their facts put in, as Sphinx does."""
    pages = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").rglob("*.md"))]
    return re.sub(r"\{\{ (\w+) \}\}", lambda found: words.get(found[1], found[0]), "\n".join(pages))


@pytest.fixture(scope="module")
def article() -> dict:
    """All that the article is given."""
    return json.loads(read("article/numbers.json"))


@pytest.fixture(scope="module")
def texts(article, known) -> dict[str, str]:
    page = re.sub(r"<(script|style)\b.*?</\1>|<[^>]+>", " ", read("report/index.html"), flags=re.S)
    found = {
        "README.md": (ROOT / "README.md").read_text(encoding="utf-8"),
        "results/README.md": read("README.md"),
        "the page": html.unescape(page),
        "the article": " ".join(article["answer"].values()),
        "the documentation": told_by_pages(known),
    }
    return {name: " ".join(text.split()) for name, text in found.items()}


def said(texts: dict[str, str]) -> dict[str, dict[str, set[str]]]:
    """Fact -> text -> the values that it gives that fact."""
    found: dict[str, dict[str, set[str]]] = {}
    for name, text in texts.items():
        for place in (place for pattern in SAID for place in re.finditer(pattern, text)):
            for fact, value in place.groupdict().items():
                found.setdefault(fact, {}).setdefault(name, set()).add(value)
    return found


def differing(found: dict[str, dict[str, set[str]]]) -> list[str]:
    return [fact for fact, by_text in found.items() if len(set.union(*by_text.values())) > 1]


def test_every_text_gives_a_fact_the_same_number(texts, known):
    found = said(texts)
    assert differing(found) == []
    assert {
        fact: value for fact, by_text in found.items() for (value,) in by_text.values() if known[fact] != value
    } == {}
    for fact in (name for pattern in SAID for name in re.compile(pattern).groupindex):
        assert len(found[fact]) >= 2 or fact.startswith("table1"), fact
    for name in ("cells_reproduced", "cells_equivalent", "claims_total", "claims_held"):
        assert found[name].keys() == texts.keys()


@pytest.mark.parametrize("name", ["README.md", "results/README.md", "the page", "the article"])
def test_a_text_that_was_left_behind_is_seen(texts, known, name):
    total = known["claims_total"]
    changed = re.sub(rf"\b{total}\b", str(int(total) + 1), texts[name])
    assert differing(said({**texts, name: changed})) == ["claims_total"]


def test_every_published_accuracy_is_one_number_on_the_page_in_the_summary_and_in_the_article(article):
    page, summary = read("report/index.html"), NUMBER.findall(read("README.md"))
    cells = json.loads(read("verdict.json"))["cells"]["list"]
    set_in = [NUMBER.findall(" ".join(row)) for table in ("table1", "table2", "table3") for row in article[table]]
    assert [pair for row in set_in for pair in row] == summary
    assert len(summary) == len(cells)
    for cell in cells:
        nodes = f"-{cell['n_hidden']}" if cell["table"] == "table2" else ""
        button = page.partition(f'aria-controls="{cell["table"]}-{cell["dataset"]}-{cell["model"]}{nodes}">')[2]
        ours, paper = re.findall(r"0\.\d{3}", button.partition("</button>")[0])
        assert (ours, paper) == (f"{cell['ours']:.3f}", f"{cell['paper']:.3f}")
        assert f"{model_label(cell['model'])} on {dataset_label(cell['dataset'])}" in button.partition("</button>")[0]


def test_the_article_that_is_here_is_set_from_its_numbers():
    assert typst.compile(str(SOURCE), root=str(ROOT)) == (RESULTS / "article" / "article.pdf").read_bytes()
