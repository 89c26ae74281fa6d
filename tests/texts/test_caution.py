"""Words of caution are told from the findings: what was repeated, and what speaks against an explanation."""

import pandas as pd

from experiments.texts.caution import class_index, raw_inputs, repeated
from experiments.texts.facts import Found, found_in


def test_how_much_was_repeated_is_counted():
    verdict = {"confirmation": {"repeated": 3, "same": 2}}
    told = repeated(Found(verdict, pd.DataFrame(), ("confirm_fig3", "confirm_table2", "table1")))
    assert told == {"repeated": "3", "repeated_same": "2", "rounds_least": "10", "rounds_most": "300"}
    assert set(repeated(Found({}, pd.DataFrame(), ("table1",))).values()) == {"0"}


def test_raw_inputs_are_held_against_the_worst_of_the_others():
    fits = [
        {"name": f"{name}/joint/text", "rms": rms} for name, rms in (("raw", 0.05), ("raw", 0.04), ("minmax", 0.02))
    ]
    assert raw_inputs({"protocols": fits}) == {"raw_rms": "4.0", "other_rms": "2.0"}
    assert raw_inputs({}) == {"raw_rms": "–", "other_rms": "–"}


def test_numbers_of_bp_that_no_reading_gives_are_named():
    reading = {"name": "bp_class_index", "mean": 0.4463}
    cell = {"model": "bp", "dataset": "mdd_kar", "paper": 0.416, "verdict": "unexplained", "reading": reading}
    others = [{**cell, "verdict": "explained"}, {**cell, "model": "elm"}]
    told = class_index({"cells": {"list": [cell, *others]}})
    assert told == {"bp_missed": "0.446 where the paper has 0.416 on MDD-kar"}
    assert class_index({"cells": {"list": others}}) == {"bp_missed": "–"}


def test_the_published_findings_have_all_of_it():
    found = found_in()
    assert float(raw_inputs(found.verdict)["raw_rms"]) > float(raw_inputs(found.verdict)["other_rms"])
    assert class_index(found.verdict)["bp_missed"].endswith("MDD-kar")
