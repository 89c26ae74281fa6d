"""The answer in one paragraph: numbers are compared with numbers of the same cells and rounds."""

import numpy as np
import pandas as pd
import pytest

from experiments.papers.celm.analyses.protocols import DEFAULT, PROTOCOLS
from experiments.report.gather import gather
from experiments.report.lead import headline
from experiments.report.paragraph import headline_parts, headline_text
from experiments.report.verdict import verdict
from experiments.results import printed

FAMILY = ("elm", "orthogonal_elm", "cdelm", "cselm", "selm", "rselm", "cmelm")
ROUNDS, TESTS = 30, 1000


def surfaces(paper):
    """The published numbers under raw values, 2 points below them under the default scaling, 30 rounds each."""
    rng = np.random.default_rng(3)
    values = paper.set_index(["dataset", "model"])["accuracy"]
    rows = []
    for scaling, below in (("raw", 0.0), ("per_feature", 0.02)):
        for dataset in ("mdd_fac", "mdd_kar"):
            for model in FAMILY:
                for r in range(ROUNDS):
                    hits = round(TESTS * (values[dataset, model] - below) + 3 * rng.standard_normal())
                    texts = dict.fromkeys(("held_out", "tested"), " ".join([str(hits)] * 6))
                    rows.append(
                        {"features": scaling, "dataset": dataset, "model": model, "round": r, "counts": [5, 10],
                         "exponents": [0, 2], "n_test": TESTS, **texts, "plain": "7 9"}
                    )  # fmt: skip
    return pd.DataFrame(rows)


@pytest.fixture(scope="module")
def report(small_results):
    paper = printed("celm/table1")
    found = PROTOCOLS.find({"celm/table1": paper, "protocols": surfaces(paper)})
    return gather(small_results)._replace(protocols=found)


def test_default_and_nearest_are_compared_on_the_same_numbers_and_rounds(report):
    cells = verdict(report)["cells"]
    common, kind = cells["common_cells"], "most_probable" if report.fits() else "nearest"
    assert (common["table"], common["rounds"]) == ("table1", ROUNDS)
    assert common["default"]["protocol"] == DEFAULT
    assert common[kind]["protocol"].startswith("raw/")
    assert common["default"]["total"] == common[kind]["total"] == 14
    assert common[kind] == cells[kind]
    assert common["default"]["different"] > common[kind]["different"]
    assert (cells["default"]["total"], cells["total"]) == (79, 79)


def test_the_paragraph_says_which_numbers_in_how_many_rounds(report):
    told = headline_text(report)
    assert (
        f"Like with like, on the same 14 numbers of Table I in the same {ROUNDS} rounds: our default, {DEFAULT}:"
        in told
    )
    assert "(default, 2 rounds)" in told
    bars = headline(report).partition('class="counts"')[2]
    assert f"14 of them, {ROUNDS} rounds, default: {DEFAULT}" in bars
    assert f"14 of them, {ROUNDS} rounds, nearest: raw/" in bars


def test_no_choice_is_said_to_move_all_methods_together(report):
    told = headline_text(report)
    assert "together" not in told
    assert "scaling moves it by up to" in told
    assert "judged under the default scaling, standardised features, which the paper states" in told


def test_before_protocols_are_run_nothing_is_compared(small_results):
    plain = gather(small_results)._replace(protocols=None, protocols_lack="protocols are missing")
    assert verdict(plain)["cells"]["common_cells"] is None
    assert "whole protocols are not run" in headline_text(plain)
    assert not any("scaling" in part for part in headline_parts(plain))


def test_the_counts_say_what_rests_on_calibrated_defaults(report):
    found = verdict(report)["claims"]
    assert found["holds_calibrated"] == sum(
        claim["calibrated"] for claim in found["list"] if claim["verdict"] == "holds"
    )
    assert (f"{found['holds_calibrated']} rest on calibrated defaults" in headline_text(report)) == bool(
        found["holds_calibrated"]
    )
