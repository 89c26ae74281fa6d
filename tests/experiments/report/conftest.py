"""A small results folder with every kind of verdict, and the browser in which the page is tested."""

import os
import shutil
from dataclasses import fields

import pytest

from celm.datasets.spiral import SpiralParams
from celm.study.store import PublishedStore

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
QUIET = ["--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update"]
# What the small study measured: data set, model -> the mean of its two rounds.
MEASURED = {
    ("wdbc", "elm"): 0.97,
    ("wdbc", "normalized_elm"): 0.96,
    ("wdbc", "linear_svm"): 0.95,
    ("wdbc", "cdelm"): 0.98,
    ("mdd_kar", "elm"): 0.50,
    ("mdd_kar", "cdelm"): 0.97,
}
# A reading that gives what the paper has for the linear SVM on WDBC.
READ = {("wdbc", "linear_svm"): 0.63}
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


def write_table1(results, experiment="table1", measured=MEASURED):
    documents = dict(
        document(
            dataset,
            model,
            round_,
            [
                {"n_hidden": 10, "accuracy": 0.1, "chosen": False, "n_train": 200, "n_test": 100},
                {"n_hidden": 50 + round_, "accuracy": mean + 0.01 * (2 * round_ - 1), "chosen": True,
                 "fit_seconds": 0.02, "selection_seconds": 0.3, "n_train": 200, "n_test": 100},
            ],
        )
        for (dataset, model), mean in measured.items()
        for round_ in range(2)
    )  # fmt: skip
    PublishedStore(results / "records").write(experiment, documents, {"planned_cells": len(documents), "title": "T"})


def write_spiral(results):
    settings = {f"dataset_{field.name}": field.default for field in fields(SpiralParams)}
    documents = dict(
        document(
            "spiral",
            model,
            round_,
            [{"n_hidden": n, "accuracy": 0.5 + n / 100 + round_ / 50, **settings} for n in (10, 20)],
        )
        for model in ("elm", "cdelm")
        for round_ in range(2)
    )
    PublishedStore(results / "records").write("fig3", documents, {"planned_cells": len(documents)})


@pytest.fixture(scope="session")
def small_results(tmp_path_factory):
    """Six cells of Table I (one of them ours alone), a reading that explains one, and the curves of Fig 3."""
    folder = tmp_path_factory.mktemp("results")
    write_table1(folder)
    write_table1(folder, "table1+svm_max_label", READ)
    write_spiral(folder)
    return folder


@pytest.fixture
def results(small_results, tmp_path):
    """The same, to be written to."""
    return shutil.copytree(small_results, tmp_path, dirs_exist_ok=True)


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
