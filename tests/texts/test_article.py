"""The article: no result is typed into it, its numbers are the findings', it is set quickly, on four pages or more."""

from __future__ import annotations

import io
import json
import re
import time
from pathlib import Path

import pytest
import typst

from celm.study.reading_config import ORIGINS
from experiments.config.origins import default_origins
from experiments.report.gather import gather
from experiments.report.verdict import answers
from experiments.results import Results
from experiments.texts import article
from experiments.texts.article import FOLDER, SOURCE, defaults, write_numbers
from experiments.texts.facts import facts, found_in
from experiments.texts.later import told_later

ROOT = Path(__file__).resolve().parents[2]
# Digits of the prose that are no results: years, and the level of every interval.
NO_RESULTS = {"2015", "95"}


def prose(source: str) -> str:
    """The text of a Typst source without comments, formulas, raw text and what code says."""
    text = re.sub(r"^//.*$", "", source, flags=re.M)
    text = re.sub(r"\$[^$]*\$|`[^`]*`", "", text)
    # Names that have a digit, then places and widths in code.
    text = re.sub(r"CIFAR-10|Fig\. \d|fig\d", "", text)
    return re.sub(r"n\.[a-z_0-9]+|\.(?:at|slice)\(\d\)|(?:width|height|columns|words|gutter): [^,)]*", "", text)


def typed(source: str) -> list[str]:
    """Numbers in the prose that may be results."""
    return [found for found in re.findall(r"\d+(?:[.,]\d+)?", prose(source)) if found not in NO_RESULTS]


def test_no_result_is_typed_by_hand():
    assert typed(SOURCE.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "words", ["CELMs lead by 3.4 points.", "The gap is closed by 92 %.", "63 of #n.cells_total hold."]
)
def test_a_result_typed_by_hand_is_found(words):
    assert typed(SOURCE.read_text(encoding="utf-8") + f"\n{words}\n")


@pytest.fixture(scope="module")
def given() -> dict:
    """All its numbers, found anew."""
    return article.numbers()


@pytest.mark.heavy
def test_what_is_said_of_later_studies_is_what_their_analyses_answer():
    assert answers(gather(Results().folder)) == found_in().verdict["answers"]


def test_every_later_study_is_told_once():
    first = [lines[0] for groups in told_later().values() for lines in groups]
    assert len(set(first)) == len(first)


def test_its_numbers_are_the_facts_that_readme_and_documentation_say(given):
    told = facts()
    assert {name: given[name] for name in told} == told


def test_every_published_number_stands_in_its_tables(given):
    verdict = json.loads((ROOT / "results" / "verdict.json").read_text(encoding="utf-8"))
    texts = [cell for table in ("table1", "table2", "table3") for row in given[table] for cell in row]
    for cell in verdict["cells"]["list"]:
        assert any(f"({cell['paper']:.3f})" in text and f"{cell['ours']:.3f}" in text for text in texts)
    assert len(given["claims"]) == verdict["claims"]["total"]


def test_what_a_contradicted_sentence_asks_for_is_said_in_words():
    found = "+1.0 points pooled; asked is at least +2.0: holds in 0 of 5, fails in 5. Farthest: MNIST, +0.5 points."
    told = "+1.0 points pooled; the sentence asks for at least +2.0: holds in 0 of 5, fails in 5."
    assert article.judged({"sentence": found}) == told


def test_every_default_has_an_origin():
    assert {origin for _, _, origin in defaults()} == set(ORIGINS)


def test_origins_are_those_that_the_configs_give():
    told = {choice: origin for choice, _, origin in defaults()}
    assert told["shape of the spiral"] == told["scaling of the digits"] == "fitted"
    assert told["scaling of the UCI sets"] == told["bias of ELM, samples and sums"] == "paper"
    assert told["pseudo-inverse"] == told["targets"] == default_origins()["elm.cutoff"].origin == "code"


@pytest.mark.parametrize(
    "row",
    [
        {"keys": ["elm.cutof"]},
        {"keys": ["elm.cutoff", "elm.bias_width"]},
        {"keys": ["elm.cutoff"], "origin": "practice"},
    ],
)
def test_a_choice_with_unknown_keys_or_two_origins_is_refused(row):
    with pytest.raises(ValueError, match="'cut' must have keys of one origin"):
        article.origin_of({"choice": "cut", **row})


def test_choices_that_were_fitted_for_a_figure_are_among_the_calibrated():
    assert [words.partition(",")[0] for words in article.fitted()] == [
        "the scaling of the digits",
        "the preset of ML-ELM",
        "the shape of the spiral",
    ]


def test_what_is_not_run_is_said(given):
    assert all(given["later"].values())


def test_it_is_set_in_half_a_minute_on_four_to_eight_pages(tmp_path, given):
    started = time.monotonic()
    pages = typst.compile(str(SOURCE), root=str(ROOT), format="svg")
    assert time.monotonic() - started < 30
    assert 4 <= len(pages) <= 8
    assert write_numbers(given, tmp_path).read_text(encoding="utf-8") == (FOLDER / "numbers.json").read_text(
        encoding="utf-8"
    )
    assert io.BytesIO(typst.compile(str(SOURCE), root=str(ROOT))).read(5) == b"%PDF-"
