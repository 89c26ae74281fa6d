"""The numbers of the texts are those of verdict.json and the tables, in another world too."""

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest

from experiments.results import Results
from experiments.texts.answer import answer, headline_rows, plain_conclusion
from experiments.texts.facts import AWAITED, Found, awaited, facts, found_in, lead_of, shares, wide
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


def test_shares_count_only_data_sets_with_a_gap():
    def rows(dataset, low, share):
        kinds = [("gap", "x"), ("change", "random/squared/uniform"), ("change", "gaussian/squared/uniform")]
        kinds += [("step", "samples"), ("step", "labels")]
        return [
            {"dataset": dataset, "kind": kind, "name": name, "effect": 0.02, "low": low, "share": share}
            for kind, name in kinds
        ]

    told = shares(pd.DataFrame(rows("a", 0.01, 0.9) + rows("b", -0.01, 0.1)))
    assert (told["gap_sets"], told["causes_sets"]) == ("1", "2")
    assert (told["covariance_least"], told["covariance_most"]) == ("90", "90")


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
    assert (drawn(results), drawn_later(results)) == ([], {"drawn_causes_spread": ""})
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "causes_spread.svg").touch()
    assert drawn(results) == ["causes_spread"]
    assert drawn_later(results)["drawn_causes_spread"].startswith(
        "```{figure} ../../results/figures/causes_spread.png\n:alt: Accuracy"
    )


def test_the_answer_does_not_blame_the_reason_where_the_covariance_does_little():
    told = facts()
    assert "not mainly" in " ".join(answer(told))
    assert "not mainly" not in " ".join(answer({**told, "covariance_least": "20"}))
    assert "as well as" in plain_conclusion({**told, "cells_reproduced": "0"})


def test_another_results_folder_gives_other_numbers(tmp_path):
    (tmp_path / "tables").mkdir()
    shutil.copy(RESULTS / "tables" / "causes.csv", tmp_path / "tables")
    verdict = json.loads((RESULTS / "verdict.json").read_text(encoding="utf-8"))
    verdict["cells"]["reproduced"] = 17
    (tmp_path / "verdict.json").write_text(json.dumps(verdict), encoding="utf-8")
    assert facts(tmp_path)["cells_reproduced"] == "17"
    assert isinstance(found_in(tmp_path), Found)


def test_the_wide_study_is_told_in_points_once_it_is_there():
    part = {"of": ["cdelm", "selm"], "sources": 22, "effect": 0.0004, "low": -0.0012, "high": 0.0018}
    image = {"of": ["covariance_scaled"], "sources": 4, "sets": 5, "effect": 0.025, "low": 0.022, "high": 0.0274}
    judged = [
        {"id": "suite_tables_scale", "parts": [image, part]},
        {"id": "suite_images_directions", "parts": [image]},
    ]
    assert wide({}) == {}
    assert wide({"suite": {"hypotheses": judged}}) == {
        "wide_sources": "22",
        "wide_image_sets": "5",
        "wide_celms": "+0.0 points (-0.1 to +0.2)",
        "wide_images": "+2.5 points (+2.2 to +2.7)",
    }
