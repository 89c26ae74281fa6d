"""Pooled effects on the page: what is exploratory is called so, and the registered result stands beside it."""

from types import SimpleNamespace

import pandas as pd
import pytest

from celm.analysis.claims import Outcome
from celm.analysis.levels import LevelVerdict
from celm.analysis.suite_hypotheses import HypothesisVerdict, PartVerdict
from celm.analysis.suite_leads import Lead
from experiments.analyses.sentences_judged import written_claims
from experiments.analyses.sentences_marks import marked_entry
from experiments.analyses.suite_judged import written
from experiments.config.schema import register
from experiments.report import effects
from experiments.report.effects import beyond_entry, effects_table

NAME = "celms_improve_significantly"
CELMS = ("cdelm", "cselm", "selm", "rselm", "cmelm")


@pytest.fixture(autouse=True)
def registered_hypotheses(monkeypatch):
    register()
    monkeypatch.setattr(effects, "registered", lambda study, name: {"registered": True})


def claim():
    (found,) = [one for one in written_claims() if one.id == NAME]
    return found


def outcome(registered=False):
    here = LevelVerdict("holds", 0.027, 0.026, 0.028, registered=True)
    limits = {"predicted_low": -0.0198, "predicted_high": 0.0413, "sources": 66, "holds": 48, "fails": 18}
    return Outcome("", here, LevelVerdict("holds", 0.0107, 0.0064, 0.0151, registered=registered, **limits), "points")


def wide():
    (tested,) = [one for one in written()[0] if one.id == "suite_tables_lead"]
    part = PartVerdict("the paper's CELMs", "open", 0.0051, -0.0005, 0.0107, sets=22, sources=22)
    rows = [
        {"lead": "lead_celms", "score": "accuracy", "sets": "all", "n_sets": 72, "clear_wins": 18, "clear_losses": 0}
    ]
    return SimpleNamespace(
        study="suite",
        scores=("accuracy", "balanced"),
        hypotheses=[HypothesisVerdict(tested, "open", (part,))],
        leads=(Lead("lead_celms", CELMS, ("elm",)),),
        pooled=pd.DataFrame(rows),
    )


def table(judged, found):
    return effects_table(SimpleNamespace(claims=[(claim(), judged)], wide=lambda: found))


def test_an_exploratory_effect_is_called_so_with_its_prediction_and_the_registered_result():
    html = table(outcome(), wide())
    assert "✓ holds</span> exploratory</td>" in html
    assert "+1.1 (+0.6 to +1.5), 66 sources; a further source lies within -2.0 to +4.1" in html
    assert "Registered, on 22 sets new to all trials: " in html
    assert "? open</span> +0.51 (-0.05 to +1.07) points" in html
    assert "suite_tables_lead" in html


def test_a_registered_effect_is_not_called_exploratory():
    html = table(outcome(registered=True), wide())
    assert "exploratory" not in html
    assert "Registered, on" not in html


def test_without_the_wide_study_nothing_is_said_of_it():
    assert "Registered, on" not in table(outcome(), None)


def test_the_verdict_has_the_counts_by_interval_and_the_registered_result():
    told = beyond_entry(claim(), marked_entry(claim(), outcome()), wide())["beyond"]
    assert told["by_interval"] == {"lead": "lead_celms", "sets": 72, "above": 18, "below": 0}
    (result,) = told["registered_results"]
    assert (result["hypothesis"], result["verdict"], result["sets"]) == ("suite_tables_lead", "open", 22)
    assert beyond_entry(claim(), marked_entry(claim(), outcome()), None)["beyond"]["by_interval"] is None


def test_a_result_that_was_not_registered_is_not_called_so(monkeypatch):
    monkeypatch.setattr(effects, "registered", lambda study, name: {"registered": "cannot check"})
    assert "Registered, on" not in table(outcome(), wide())
