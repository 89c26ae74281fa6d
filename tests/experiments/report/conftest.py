"""A small results folder with every kind of verdict, and the browser in which the page is tested."""

import json
import os
import shutil

import pandas as pd
import pytest

from celm.base.files import write_whole
from celm.study.store import PublishedStore

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
QUIET = ["--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update"]
# What the small study measured: data set, model -> the mean of its two rounds.
MEASURED = {
    ("wdbc", "elm"): 0.97,
    ("wdbc", "normalized_elm"): 0.96,
    ("wdbc", "linear_svm"): 0.95,
    ("mdd_kar", "elm"): 0.90,
}
PROVENANCE = {
    "commit": "0123456789abcdef",
    "python": "3.11.7",
    "cpu": "A <fast> chip",
    "cores": 2,
    "platform": "Linux x86_64",
    "libraries": {"numpy": "2.4.6"},
    "blas": ["openblas 0.3.30 Haswell"],
}


def document(dataset, model, round_, records):
    key = f"{dataset} {model} {round_}"
    shared = {"dataset": dataset, "model": model, "round": round_, "seed": 2015, "threads": 1}
    whole = {"key": key, "status": "ok", "seconds": 0.1, "provenance": PROVENANCE, "shared": shared, "records": records}
    return key, whole


def write_table1(results, measured=MEASURED):
    documents = dict(
        document(
            dataset,
            model,
            round_,
            [
                {"n_hidden": 10, "accuracy": 0.1, "chosen": False},
                {"n_hidden": 50 + round_, "accuracy": mean + 0.01 * (2 * round_ - 1), "chosen": True,
                 "fit_seconds": 0.02, "selection_seconds": 0.3},
            ],
        )
        for (dataset, model), mean in measured.items()
        for round_ in range(2)
    )  # fmt: skip
    PublishedStore(results / "records").write("table1", documents, {"planned_cells": len(documents), "title": "T"})


def write_verdicts(results, measured=MEASURED):
    words = {
        ("wdbc", "elm"): "reproduced",
        ("wdbc", "linear_svm"): "explained",
        ("mdd_kar", "elm"): "unexplained",
    }
    rows = [
        {"dataset": pair[0], "model": pair[1], "accuracy_mean": measured[pair], "ci_low": 0.9, "ci_high": 0.99,
         "verdict": word, "reading": "svm_max_label" if word == "explained" else None, "reading_mean": 0.63,
         "reading_low": 0.60, "reading_high": 0.65}
        for pair, word in words.items()
    ]  # fmt: skip
    (results / "tables").mkdir(parents=True, exist_ok=True)
    pd.DataFrame(rows).to_csv(results / "tables" / "table1_verdicts.csv", index=False)


def write_curves(results):
    documents = dict(
        document("spiral", model, round_, [{"n_hidden": n, "accuracy": 0.5 + n / 100 + round_ / 50} for n in (10, 20)])
        for model in ("elm", "cdelm")
        for round_ in range(2)
    )
    PublishedStore(results / "records").write("fig3", documents, {"planned_cells": len(documents)})


@pytest.fixture
def publish_table1():
    """Writes records of Table I: publish_table1(results, {(data set, model): mean, …})."""
    return write_table1


@pytest.fixture
def results(tmp_path):
    """Four cells of Table I (one of them ours alone), the curves of Fig 3, two claims and a text."""
    write_table1(tmp_path)
    write_verdicts(tmp_path)
    write_curves(tmp_path)
    numbers = [{"label": "WDBC", "text": "+2", "holds": True}, {"label": "MDD", "text": "0", "holds": None}]
    claim = {"id": "best", "section": "IV", "says": "A < B holds", "asked": "at least +1", "why": "It says so.",
             "verdict": "partly", "effect": 0.02, "low": 0.01, "high": 0.03, "unit": "points", "sentence": "On WDBC.",
             "numbers": numbers, "measure": "Lead"}  # fmt: skip
    unknown = {**claim, "id": "speed", "verdict": "not run", "effect": None, "low": None, "high": None, "numbers": []}
    write_whole(tmp_path / "claims.json", json.dumps({"claims": [claim, unknown]}))
    write_whole(
        tmp_path / "tables" / "causes.md",
        "# Causes\n\nOn 5 of 6 sets:\n- scale **alone** closes it\n\n| a | b |\n|---|---|\n| x | 1 |\n",
    )
    return tmp_path


def browser_path():
    """The Chromium to test in: CELM_CHROMIUM, else one on the path; None if there is none."""
    named = os.environ.get("CELM_CHROMIUM")
    return named or next((found for name in BROWSERS if (found := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium. Its absence is a failure: an untested page is not published."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = browser_path()
        if path is None and not os.path.exists(playwright.chromium.executable_path):
            pytest.fail(
                "the page is tested in a real Chromium and this machine has none: run make browser, or install "
                "Debian's package chromium, or name one with CELM_CHROMIUM=/path/to/chromium",
                pytrace=False,
            )
        launched = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield launched
        launched.close()
