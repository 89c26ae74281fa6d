"""The numbers of the texts are those of verdict.json and the tables, in another world too."""

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest

from experiments.report.conclusion import conclusion
from experiments.results import Results
from experiments.texts.answer import answer, headline_rows, plain_conclusion
from experiments.texts.facts import (
    AWAITED,
    Found,
    awaited,
    counts,
    equal_spreads,
    facts,
    found_in,
    lead_of,
    margin_words,
    own_papers,
    shares,
    wide,
)
from experiments.texts.later import drawn, drawn_later, which_one

RESULTS = Path(__file__).resolve().parents[2] / "results"


def cell(table, model, paper, ours, dataset="mnist", n_hidden="1000", verdict="reproduced"):
    told = {"paper": paper, "ours": ours, "verdict": verdict}
    return {"table": table, "dataset": dataset, "model": model, "n_hidden": n_hidden, **told}


def verdict_of(cells):
    return {"cells": {"total": len(cells), "list": cells}, "claims": {"total": 0, "list": []}}


def test_every_count_of_the_verdict_is_a_fact():
    told, verdict = facts(), json.loads((RESULTS / "verdict.json").read_text(encoding="utf-8"))
    for kind in ("cells", "claims"):
        numbers = {word: number for word, number in verdict[kind].items() if isinstance(number, int)}
        assert {"total", "run"} < numbers.keys()
        assert all(told[f"{kind}_{word}"] == str(number) for word, number in numbers.items())
    assert told["cells_equivalent"] == str(verdict["cells"]["default"]["equivalent"])
    assert sum(int(row["numbers"]) for row in headline_rows(found_in())) == verdict["cells"]["total"]


def test_a_lead_is_the_mean_over_models_and_columns():
    cells = [
        cell("table2", "elm", 0.90, 0.80),
        cell("table2", "selm", 0.92, 0.84),
        cell("table2", "elm", 0.94, 0.90, n_hidden="2000"),
        cell("table2", "selm", 0.95, 0.90, n_hidden="2000"),
        cell("table2", "orthogonal_elm", 0.99, 0.99),
    ]
    assert lead_of(verdict_of(cells), "table2", "paper") == pytest.approx(1.5)
    assert lead_of(verdict_of(cells), "table2", "ours") == pytest.approx(2.0)


def test_the_headline_counts_equivalence_and_marks_what_is_exploratory_or_calibrated():
    cells = [
        {**cell(table, model, 0.90, 0.91), "equivalence": {"verdict": verdict}}
        for table in ("table1", "table2", "table3")
        for model, verdict in (("elm", "equivalent"), ("selm", "different"), ("cselm", "open"))
    ]
    first, second, _ = headline_rows(Found(verdict_of(cells), pd.DataFrame(), ()))
    assert [first[word] for word in ("equivalent", "different", "open")] == ["1", "1", "1"]
    assert "explained by a reading (exploratory)" in first
    assert ("calibrated" in first["table"], "calibrated" in second["table"]) == (False, True)


def test_the_margin_is_told_in_points():
    assert margin_words({"default": 0.01, "wdbc": 0.015}) == "1 point (1.5 on WDBC)"
    assert margin_words({"default": 0.02}) == "2 points"
    assert facts()["margin"] in answer(facts())["numbers"]


def test_weights_with_the_covariance_are_not_called_free_of_samples():
    """The covariance is that of the training rows."""
    said = answer(facts())["cause"]
    assert "no sample" not in said
    assert "covariance of the training rows" in said


def test_shares_count_only_data_sets_with_a_gap():
    def rows(dataset, low, share):
        kinds = [("gap", "x"), ("change", "random/squared/uniform"), ("change", "gaussian/squared/uniform")]
        kinds += [("step", "samples"), ("step", "labels")]
        return [
            {
                "dataset": dataset,
                "kind": kind,
                "name": name,
                "effect": 0.02,
                "low": low,
                "share": share,
                "share_low": low * 85,
            }
            for kind, name in kinds
        ]

    told = shares(pd.DataFrame(rows("a", 0.01, 0.9) + rows("b", -0.01, 0.1)))
    assert (told["gap_sets"], told["causes_sets"]) == ("1", "2")
    assert (told["covariance_least"], told["covariance_most"]) == ("90", "90")
    assert told["covariance_sure"] == "1"
    assert shares(pd.DataFrame(rows("a", 0.009, 0.9)))["covariance_sure"] == "0"


def test_what_is_not_run_is_said_until_it_is():
    assert awaited(("table1",)) == {f"awaited_{name}": words for name, words in AWAITED.items()}
    assert awaited(("suite", "table1"))["awaited_suite"] == ""


def test_the_advice_is_that_of_the_table_once_it_is_there(tmp_path):
    assert which_one(Results(tmp_path)).strip() == AWAITED["suite"]
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "which_one.md").write_text("# Which one?\n\nA rule.\n\n## Tables\n", encoding="utf-8")
    assert which_one(Results(tmp_path)) == "A rule.\n\n## Tables\n"


def test_a_figure_stands_on_its_page_once_it_is_drawn(tmp_path):
    results = Results(tmp_path)
    assert drawn(results) == []
    assert drawn_later(results) == {"drawn_causes_spread": "", "drawn_compact": ""}
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "causes_spread.svg").touch()
    assert drawn(results) == ["causes_spread"]
    assert drawn_later(results)["drawn_causes_spread"].startswith(
        "```{figure} ../../results/figures/causes_spread.png\n:alt: Accuracy"
    )


def test_the_answer_does_not_blame_the_reason_where_the_covariance_does_little():
    told = facts()
    assert "not mainly" in answer(told)["cause"]
    assert "not mainly" not in answer({**told, "covariance_least": "20"})["cause"]


def test_sentences_that_hold_on_calibrated_defaults_are_counted_in_the_caution():
    told = facts()
    said = answer({**told, "claims_held": "36", "claims_holds_calibrated": "14"})["caution"]
    assert "Of the 36 sentences that hold, 14 rest on defaults that were calibrated by the published results." in said
    assert "calibrated" not in answer({**told, "claims_holds_calibrated": "0"})["caution"]


def test_the_conclusion_is_that_of_equivalent_numbers_and_judged_sentences():
    decided = {"cells_equivalent": "8", "cells_different": "2", "claims_held": "3", "claims_failed": "1"}
    assert plain_conclusion(decided) == conclusion((8, 2), (3, 1))


def test_a_lead_that_hangs_on_one_table_is_told_with_the_table():
    told = {**facts(), "wide_alike": "+0.3 points (-0.4 to +1.0)", "wide_share": "67", "wide_heaviest": "stroke"}
    said = answer(told)["elsewhere"]
    assert "one of them, stroke, has 67 % of the weight (with equal weights: +0.3 points, -0.4 to +1.0);" in said
    assert "their lead over plain ELM there, " in said
    assert "is sure." in answer({**told, "wide_drawn_verdict": "holds"})["elsewhere"]
    assert "elsewhere" not in answer({name: words for name, words in told.items() if name != "wide_celms"})


def test_verdicts_on_sentences_are_said_as_people_say_them():
    claims = [{"verdict": word, "registered": False} for word in ("holds", "holds", "fails", "not run")]
    verdict = json.loads((RESULTS / "verdict.json").read_text(encoding="utf-8"))
    assert counts({**verdict, "claims": {"list": claims}})["claims_said"] == "2 hold, 1 fails and 1 was not run"
    assert counts({**verdict, "claims": {"list": claims[:1]}})["claims_said"] == "1 holds"


def test_scale_covariance_and_samples_are_told_at_a_scale_that_folds_choose_once_they_are_run():
    rows = {"scale": ("elm_scaled", "elm"), "covariance": ("covariance_scaled", "elm_scaled")}
    rows["samples"] = ("selm_scaled", "elm_scaled")
    parts = [{"of": [of], "over": [over], "effect": 0.01, "sets": 5} for of, over in rows.values()]
    judged = {"causes_spread": {"hypotheses": [{"parts": parts}]}}
    assert equal_spreads(judged) == {**dict.fromkeys((f"spread_{name}" for name in rows), "+1.0"), "spread_sets": "5"}
    assert equal_spreads({"causes_spread": {"verdict": "not run"}}) == equal_spreads({}) == {}
    assert equal_spreads({"causes_spread": {"hypotheses": [{"parts": parts[:2]}]}}) == {}


def test_papers_of_our_own_are_told_with_what_chance_would_refuse():
    told = own_papers({"own_papers": {"protocol": "x", "papers": 2, "held": {"ours": 1, "none": 2}}})
    assert told == {
        "own_papers": "2",
        "own_refused_ours": "1",
        "own_chance_ours": "0.10",
        "own_refused_none": "0",
        "own_chance_none": "1.00",
    }
    assert own_papers({}) == {}


def test_another_results_folder_gives_other_numbers(tmp_path):
    (tmp_path / "tables").mkdir()
    shutil.copy(RESULTS / "tables" / "causes.csv", tmp_path / "tables")
    verdict = json.loads((RESULTS / "verdict.json").read_text(encoding="utf-8"))
    verdict["cells"]["reproduced"] = 17
    (tmp_path / "verdict.json").write_text(json.dumps(verdict), encoding="utf-8")
    assert facts(tmp_path)["cells_reproduced"] == "17"
    assert isinstance(found_in(tmp_path), Found)


def test_the_wide_study_is_told_in_points_once_it_is_there():
    part = {"name": "CELMs", "of": ["cdelm", "selm"], "sources": 22, "effect": 0.0004, "low": -0.0012, "high": 0.0018}
    image = {"of": ["covariance_scaled"], "sources": 4, "sets": 5, "effect": 0.025, "low": 0.022, "high": 0.0274}
    judged = [
        {"id": "suite_tables_scale", "parts": [image, part]},
        {"id": "suite_images_directions", "parts": [image]},
        {"id": "suite_tables_lead", "parts": [{**part, "verdict": "open"}]},
    ]
    told = {
        "wide_sources": "22",
        "wide_image_sets": "5",
        "wide_celms": "+0.0 points (-0.1 to +0.2)",
        "wide_images": "+2.5 points (+2.2 to +2.7)",
        "wide_drawn": "+0.0 points (-0.1 to +0.2)",
        "wide_drawn_verdict": "open",
    }
    assert wide({}) == {}
    assert wide({"suite": {"hypotheses": judged}}) == told
    weights = [
        {"hypothesis": "suite_tables_scale", "part": "CELMs", "heaviest": "stroke", "share": 0.67, "alike": image}
    ]
    assert wide({"suite": {"hypotheses": judged, "weights": weights}}) == {
        **told,
        "wide_alike": "+2.5 points (+2.2 to +2.7)",
        "wide_heaviest": "stroke",
        "wide_share": "67",
    }
