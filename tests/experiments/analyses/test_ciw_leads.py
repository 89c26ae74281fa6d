"""The second paper from made-up draws: its sentences, its numbers and the words, whichever way they fall."""

import json

import numpy as np
import pandas as pd
import pytest

from celm.render.document import plain
from celm.render.markdown import markdown
from experiments.config.schema import register
from experiments.papers.ciw.analyses.ciw_leads import LEADS, TABLE
from experiments.results import printed

register()
ROUNDS = {"ciw": 5, "rf_ciw": 5, "rf_ciw_rf_c": 3}


@pytest.fixture(scope="module")
def paper():
    return printed(TABLE.printed)


def draws(paper, shift=None):
    """Draws around the published numbers, a model's moved as told; the combination has fewer of them."""
    rng = np.random.default_rng(0)
    rows = []
    for _, row in paper.iterrows():
        for number in range(ROUNDS[row["model"]]):
            value = row["accuracy"] + (shift or {}).get(row["model"], 0.0) + 0.0005 * rng.standard_normal()
            about = {"dataset": "mnist", "model": row["model"], "n_hidden": int(row["n_hidden"]), "round": number}
            rows.append({**about, "accuracy": value, "n_train": 60000, "n_test": 10000, "official_split": True})
    return pd.DataFrame(rows)


def found(paper, shift=None):
    return LEADS.find({TABLE.printed: paper, TABLE.name: draws(paper, shift)})


def verdicts(one):
    return {judged.hypothesis.id: judged.verdict for judged in one.hypotheses}


def test_where_draws_lie_at_the_paper_sentences_hold_and_numbers_are_inside(paper):
    one = found(paper)
    assert verdicts(one) == {"ciw_fields_gain": "holds", "ciw_combined_gains": "holds"}
    assert len(one.differences) == len(paper)
    assert sum(number.inside for number in one.differences) >= 4
    lines = [plain(line) for line in LEADS.answer(one).lines]
    assert lines[0].startswith(f"{sum(number.inside for number in one.differences)} of 5 published numbers lie in our")
    assert [line.partition(":")[0] for line in lines[1:]] == ["holds", "holds"]
    assert "not registered" in plain(LEADS.answer(one).lead)


def test_a_spoilt_model_fails_its_sentences_and_leaves_its_intervals(paper):
    one = found(paper, {"rf_ciw": -0.012})
    assert verdicts(one) == {"ciw_fields_gain": "fails", "ciw_combined_gains": "holds"}
    assert [number.inside for number in one.differences if number.model == "rf_ciw"] == [False, False]
    assert "from -1.2" not in plain(LEADS.answer(one).lines[0])
    assert "ours lie -1.2 to " in plain(LEADS.answer(one).lines[0])
    assert [row.count("| no |") for row in markdown(LEADS.document(one)).splitlines()].count(1) == 2


def test_what_programs_read_has_every_number_with_its_limits(paper):
    told = json.loads(json.dumps(LEADS.judged(found(paper)), allow_nan=False))
    assert told["registered"] is False
    assert [(one["model"], one["n_hidden"], one["rounds"]) for one in told["numbers"]] == [
        (row["model"], int(row["n_hidden"]), ROUNDS[row["model"]]) for _, row in paper.iterrows()
    ]
    assert all(one["low"] < one["difference"] < one["high"] for one in told["numbers"])


def test_a_single_draw_has_no_interval_and_holds_nothing(paper):
    one = LEADS.find({TABLE.printed: paper, TABLE.name: draws(paper).query("round == 0")})
    assert not any(number.inside for number in one.differences)
    told = json.loads(json.dumps(LEADS.judged(one), allow_nan=False))
    assert {number["low"] for number in told["numbers"]} == {None}
