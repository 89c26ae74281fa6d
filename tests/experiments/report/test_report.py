"""The page, the summary and the verdict of a small study: what they tell, and that they tell it twice alike."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from celm.study.store import PublishedStore
from experiments.config.schema import register
from experiments.config.studies import composed_study
from experiments.report.__main__ import main, write_report
from experiments.report.cells import TableCell
from experiments.report.gather import gather
from experiments.report.page import page
from experiments.report.summary import summary
from experiments.report.tables import rerun_command, seconds_text
from experiments.report.verdict import verdict
from experiments.reporting import RESULTS

ROOT = Path(__file__).resolve().parents[3]
NOT_RUN = 79 - 3


@pytest.fixture
def report(results):
    return gather(results)


def test_the_verdict_counts_every_cell_of_the_paper(report):
    found = verdict(report)["cells"]
    counts = {word: found[word] for word in ("total", "run", "reproduced", "explained", "unexplained", "not_run")}
    assert counts == {"total": 79, "run": 3, "reproduced": 1, "explained": 1, "unexplained": 1, "not_run": NOT_RUN}
    assert len(found["list"]) == 79


def test_the_verdict_tells_a_cell_whole(report):
    cells = {(cell["dataset"], cell["model"]): cell for cell in verdict(report)["cells"]["list"]}
    assert cells["wdbc", "linear_svm"] == {
        "table": "table1", "dataset": "wdbc", "model": "linear_svm", "n_hidden": "50.5", "paper": 0.628, "ours": 0.95,
        "interval": [pytest.approx(0.822938), pytest.approx(1.077062)],
        "rounds": [pytest.approx(0.94), pytest.approx(0.96)], "verdict": "explained",
        "reading": {"name": "svm_max_label", "mean": 0.63, "interval": [0.6, 0.65]},
    }  # fmt: skip
    assert cells["cifar10", "elm"]["ours"] is None


def test_the_verdict_counts_claims_alike(report):
    found = verdict(report)["claims"]
    assert [found[word] for word in ("total", "run", "partly", "not_run", "reproduced")] == [2, 1, 1, 1, 0]
    assert found["list"][0]["says"] == "A < B holds"


def test_before_anything_was_run_the_report_says_so(tmp_path):
    empty = gather(tmp_path)
    assert verdict(empty)["cells"]["not_run"] == 79
    assert "0 are reproduced" in summary(empty)
    assert "0 stay open, 79 not run." in page(empty)
    assert "claims are not judged yet" in page(empty)


def test_the_summary_has_paper_and_ours_and_the_sign_of_the_verdict(report):
    text = summary(report)
    assert "| ELM | 0.970 (0.974) ✓ |" in text
    assert "0.950 (0.628) ≈ `svm_max_label`" in text
    assert "| Normalized ELM | 0.960 |" in text
    assert "| ½ | IV | A < B holds | partly | On WDBC. |" in text


def test_the_page_tells_rounds_claims_texts_and_provenance(report):
    text = page(report)
    for told in (
        "Ours 0.970 (0.843 to 1.097), paper 0.974, difference -0.004",
        '<q>A &lt; B holds</q> <small class="found">+2.0 points (+1.0 to +3.0); asked at least +1</small>',
        "<p>On 5 of 6 sets:</p><ul><li>scale <strong>alone</strong> closes it</li></ul>",
        "<td>0</td><td>? open</td>",
        "A &lt;fast&gt; chip, 2 cores",
        '<code title="0123456789abcdef">0123456789</code>',
        "python -m experiments.run experiment=table1 dataset=wdbc model=linear_svm",
    ):
        assert told in text


def test_the_page_fetches_nothing(report):
    addresses = re.findall(r"""(?:src|href|url)\s*[=(]\s*["']?([^"')>\s]+)""", page(report))
    assert addresses
    assert not [address for address in addresses if not address.startswith(("#", "../", "data:"))]


def test_another_process_writes_the_same_bytes(results, tmp_path):
    write_report(results, tmp_path / "here")
    environment = {**os.environ, "PYTHONHASHSEED": "4711", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "experiments.report", "--results", results, "--to", tmp_path / "there"]
    subprocess.run(command, check=True, env=environment, cwd=ROOT, capture_output=True)
    for name in ("report/index.html", "README.md", "verdict.json"):
        assert (tmp_path / "here" / name).read_bytes() == (tmp_path / "there" / name).read_bytes()


def test_stale_results_are_refused_with_a_word(results, monkeypatch):
    (results / "tables" / "table1_verdicts.csv").unlink()
    monkeypatch.setattr(sys, "argv", ["report", "--results", str(results)])
    with pytest.raises(SystemExit, match="make tables"):
        main()
    assert not (results / "report").exists()


def test_the_json_has_no_numbers_that_json_does_not_know(results):
    write_report(results, results)
    json.loads((results / "verdict.json").read_text(), parse_constant=pytest.fail)


def test_the_command_of_a_cell_plans_exactly_its_published_rounds():
    register()
    published = PublishedStore(RESULTS / "records").documents("table1")
    rows = {key: document["records"][0] for key, document in published.items()}
    for pair in (("wdbc", "elm"), ("mdd_zer", "linear_svm")):
        experiment, *overrides = rerun_command(TableCell("table1", *pair, n_hidden="")).split()[3:]
        planned = {cell.key for cell in composed_study(experiment.partition("=")[2], overrides).plan()}
        assert planned == {key for key, row in rows.items() if (row["dataset"], row["model"]) == pair}


def test_the_command_of_a_reading_is_that_of_the_study_that_gave_it(results):
    store = PublishedStore(results / "records")
    for name in ("table1_second+svm_max_label", "table1+raw_values", "fig3+svm_max_label"):
        store.write(name, store.documents("fig3"), {"planned_cells": 4})
    text = page(gather(results))
    assert "experiment=table1_second reading=svm_max_label dataset=wdbc model=linear_svm" in text
    assert "experiment=fig3 reading" not in text


@pytest.mark.parametrize(("value", "text"), [(36.46, "36"), (0.0021, "0.0021"), (1.234, "1.2"), (5e-5, "5e-05")])
def test_seconds_have_two_digits(value, text):
    assert seconds_text(value) == text
