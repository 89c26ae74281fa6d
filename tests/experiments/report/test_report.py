"""The page, the summary and the verdict of a small study: what they tell, and that they tell it twice alike."""

import json
import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

from celm.analysis.table_cells import TableCell
from celm.study.store import PublishedStore
from experiments.analyses.sentences_judged import written_claims
from experiments.analysis import analyses
from experiments.config.studies import composed_study
from experiments.report.__main__ import write_report
from experiments.report.gather import gather
from experiments.report.markup import anchor_of
from experiments.report.number_tables import rerun_command, seconds_text
from experiments.report.page import page
from experiments.report.paragraph import headline_parts
from experiments.report.readme import summary
from experiments.report.verdict import verdict
from experiments.results import Results

ROOT = Path(__file__).resolve().parents[3]
COUNTED = {"total": 79, "run": 5, "reproduced": 3, "explained": 1, "unexplained": 1, "not_run": 74}


@pytest.fixture(scope="module")
def report(small_results):
    return gather(small_results)


def test_the_verdict_counts_every_cell_of_the_paper(report):
    found = verdict(report)["cells"]
    assert {word: found[word] for word in COUNTED} == COUNTED
    assert len(found["list"]) == 79


def test_the_verdict_tells_a_cell_whole(report):
    cells = {(cell["dataset"], cell["model"]): cell for cell in verdict(report)["cells"]["list"]}
    assert cells["wdbc", "linear_svm"] == {
        "table": "table1", "dataset": "wdbc", "model": "linear_svm", "n_hidden": "50.5", "paper": 0.628, "ours": 0.95,
        "interval": [pytest.approx(0.822938), pytest.approx(1.077062)],
        "rounds": [pytest.approx(0.94), pytest.approx(0.96)], "verdict": "explained",
        "reading": {"name": "svm_max_label", "mean": 0.63,
                    "interval": [pytest.approx(0.502938), pytest.approx(0.757062)]},
        "equivalence": {"verdict": "different", "margin": 0.015, "difference": pytest.approx(0.322),
                        "low": pytest.approx(0.252812), "high": pytest.approx(0.391188), "p": pytest.approx(0.988643)},
    }  # fmt: skip
    assert cells["cifar10", "elm"]["ours"] is None


def test_every_claim_is_in_the_verdict_with_whether_its_margin_came_first(report):
    found = verdict(report)["claims"]
    assert found["total"] == len(found["list"]) == len(written_claims())
    assert found["run"] + found["not_run"] == found["total"]
    assert {claim["margin_first"] for claim in found["list"]} == {True, False}


def test_before_anything_was_run_the_report_says_so(tmp_path):
    empty = gather(tmp_path)
    assert verdict(empty)["cells"]["not_run"] == 79
    assert "held against ours by equivalence within the margin: 79 not run." in summary(empty)
    assert "79 not run." in page(empty)
    assert verdict(empty)["cells"]["default"] == {
        "total": 79, "run": 0, "equivalent": 0, "different": 0, "open": 0, "not_run": 79,
    }  # fmt: skip
    assert verdict(empty)["protocols"] == []
    assert "not run yet: protocols: needs all cells of" in verdict(empty)["protocols_reason"]
    assert "Not run yet. causes: needs all cells of causes_mdd or causes_mnist" in page(empty)


def test_the_summary_has_paper_and_ours_and_the_sign_of_the_verdict(report):
    text = summary(report)
    assert "| ELM | 0.970 (0.974) ✓ |" in text
    assert "0.950 (0.628) ≈ `svm_max_label`" in text
    assert "| Normalized ELM | 0.960 |" in text
    assert "- [statistics](tables/statistics.md): Tests over data sets and rounds" in text


def test_page_and_summary_answer_first_and_then_say_what_it_rests_on(report):
    first, *rest = headline_parts(report)
    assert "of what the records decide" in first
    whole = " ".join([first, *rest])
    assert f'<p class="answer"><strong>{first}</strong>' in page(report)
    answer = page(report).partition('<p class="answer">')[2].partition("</p>")[0]
    assert unescape(re.sub(r"<[^>]+>", "", answer)) == whole
    assert summary(report).splitlines()[2] == whole


def test_the_page_tells_effects_protocols_numbers_and_sentences_before_anything_else(report):
    text = page(report)
    order = [
        '<p class="answer">',
        "pooled effects on both levels",
        "Which protocol did the paper use?",
        'class="counts"',
        '<section id="tables"',
        '<section id="claims"',
        '<section id="also-found"',
        '<section id="curves"',
    ]
    places = [text.index(word) for word in order]
    assert places == sorted(places)
    assert 'class="finding"' not in text[: places[order.index('<section id="also-found"')]]
    assert '<a href="#also-found">Also found</a>' in text


def test_the_page_tells_rounds_analyses_and_provenance(report):
    text = page(report)
    for told in (
        "Ours 0.970 (0.843 to 1.097), paper 0.974, difference -0.004",
        "Are the differences more than chance?",
        "A &lt;fast&gt; chip, 2 cores",
        '<code title="0123456789abcdef">0123456789</code>',
        "python -m experiments.run experiment=table1 dataset=wdbc model=linear_svm",
    ):
        assert told in text


def test_every_chapter_of_an_analysis_is_on_the_page_and_in_its_navigation(report):
    text = page(report)
    for chapter in {one.chapter for one in analyses().values() if one.chapter}:
        assert f'<a href="#{anchor_of(chapter)}">{chapter}</a>' in text
        assert f'<section id="{anchor_of(chapter)}"' in text


def test_the_page_fetches_nothing(report):
    addresses = re.findall(r"""(?:src|href|url)\s*[=(]\s*["']?([^"')>\s]+)""", page(report))
    assert addresses
    assert not [address for address in addresses if not address.startswith(("#", "../", "data:"))]


@pytest.mark.heavy
def test_another_process_writes_the_same_bytes(results, tmp_path):
    write_report(results, tmp_path / "here")
    environment = {**os.environ, "PYTHONHASHSEED": "4711", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "experiments.report", "--results", results, "--to", tmp_path / "there"]
    subprocess.run(command, check=True, env=environment, cwd=ROOT, capture_output=True)
    for name in ("report/index.html", "README.md", "verdict.json"):
        assert (tmp_path / "here" / name).read_bytes() == (tmp_path / "there" / name).read_bytes()


def test_the_json_has_no_numbers_that_json_does_not_know(results):
    write_report(results, results)
    json.loads((results / "verdict.json").read_text(), parse_constant=pytest.fail)


def test_the_command_of_a_cell_plans_exactly_its_published_rounds():
    published = Results().published.documents("table1")
    rows = {key: document["records"][0] for key, document in published.items()}
    for pair in (("wdbc", "elm"), ("mdd_zer", "linear_svm")):
        experiment, *overrides = rerun_command(TableCell("table1", *pair, n_hidden="")).split()[3:]
        planned = {cell.key for cell in composed_study(experiment.partition("=")[2], overrides).plan()}
        assert planned == {key for key, row in rows.items() if (row["dataset"], row["model"]) == pair}


def test_the_command_of_a_reading_is_that_of_the_study_that_gave_it(results):
    store = PublishedStore(results / "records")
    for name in ("table1_second_seed+svm_max_label", "table1+raw_values", "fig3+svm_max_label"):
        store.write(name, store.documents("fig3"), {"planned_cells": 4})
    text = page(gather(results))
    assert "experiment=table1_second_seed reading=svm_max_label dataset=wdbc model=linear_svm" in text
    assert "experiment=fig3 reading" not in text


@pytest.mark.parametrize(("value", "text"), [(36.46, "36"), (0.0021, "0.0021"), (1.234, "1.2"), (5e-5, "5e-05")])
def test_seconds_have_two_digits(value, text):
    assert seconds_text(value) == text
