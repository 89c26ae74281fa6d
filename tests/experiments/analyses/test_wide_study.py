"""The wide studies from made-up records: every table, figure and word, and the same world spoilt."""

import json
from functools import cache

import numpy as np
import pandas as pd
import pytest

from celm.analysis.words import FAILS, HOLDS, NOT_RUN
from celm.render.document import plain
from celm.render.markdown import markdown
from experiments.analyses import suite_words, which_one
from experiments.analyses.suite_judged import STUDIES, judged, leads_of, sets_of, written
from experiments.analyses.wide_study import SUITE, SUITE_REGRESSION, as_verdict, forest_numbers, means_table
from experiments.config.schema import register
from experiments.config.studies import composed_study
from experiments.report.gather import Shown
from experiments.report.verdict import _of_analysis

register()
# Points that a model has above ELM, on every set and on images besides.
GAINS = {"elm": 0.0, "normalized_elm": -0.02, "elm_scaled": 0.010, "linear_ridge": -0.05, "boosting": 0.02}
ON_IMAGES = {"covariance_scaled": 0.02, "selm_scaled": 0.02, "ciw": 0.021, "ciw_unlabelled": 0.02}


def records(study, extra=(), rounds=4):
    """Records of a study on some of its sets: gains as above, 1 point for what is not named."""
    task, sets = STUDIES[study][0], sets_of(STUDIES[study][1])
    models = [model.name for model in composed_study(study).models]
    score, other = {"compare": ("accuracy", "balanced_accuracy"), "regress": ("r2", "rmse")}[task]
    rng = np.random.default_rng(5)
    rows = []
    for _, about in sets.iterrows():
        easy, flat, spread = rng.uniform(0.6, 0.9), rng.uniform(0.2, 1), rng.normal(0, 0.001)
        for round_ in range(rounds):
            luck = easy + rng.normal(0, 0.01)
            for model in models:
                gain = {**GAINS, **dict(extra)}.get(model, 0.011) + (
                    ON_IMAGES.get(model, 0) if about["kind"] == "image" else 0
                )
                value = luck + gain + spread * (model != "elm") + rng.normal(0, 0.002)
                traits = {"variance_share": flat, "overlap": 1 - easy} if model == "nearest" else {}
                shared = {"dataset": about["dataset"], "round": round_, "n_train": 200, "n_test": 100}
                rows.append({**shared, "official_split": False, "model": model, score: value, other: value, **traits})
    return pd.DataFrame(rows).assign(chosen=True)


@cache
def world(study, *extra):
    """What is found in records of a study with these gains."""
    return judged(study, records(study, extra), sets_of(STUDIES[study][1]))


@pytest.fixture(params=list(STUDIES))
def found(request):
    return world(request.param)


def by_id(found):
    return {one.hypothesis.id: one for one in found.hypotheses}


def test_the_world_that_was_made_is_found(found):
    verdicts = {name: one.verdict for name, one in by_id(found).items()}
    assert set(verdicts.values()) == {HOLDS}
    assert verdicts.keys() == {one.id for one in written()[0] if found.study in one.reads}


def test_a_spoilt_world_is_found_too():
    spoilt = by_id(world("suite", ("covariance_scaled", 0.03), ("ciw", 0.025)))
    assert spoilt["suite_tables_scale"].verdict == FAILS
    assert spoilt["suite_labels_tables"].verdict == FAILS
    assert spoilt["suite_tables_lead"].verdict == HOLDS


def test_tables_are_as_wide_as_the_study(found):
    table = means_table(found)
    score, second = ("accuracy", "balanced") if found.study == "suite" else ("r2", "rmse")
    sizes = ["n_rows", "n_features"] + (["n_classes"] if found.study == "suite" else [])
    head = ["dataset", "source", *sizes, "kind", "model", f"{score}_mean", f"{score}_std", f"{second}_mean", "rounds"]
    assert list(table.columns) == [*head, "group", "seen_by_trials"]
    assert len(table) == len(found.sets) * found.means["model"].nunique()
    assert (table["n_rows"] >= 150).all()
    assert not table.isna().any().any()


def test_the_verdict_is_plain_data_and_names_every_lead(found):
    told = json.loads(json.dumps(as_verdict(found), allow_nan=False))
    assert {lead["lead"] for lead in told["leads"]} == {lead.id for lead in leads_of(found.study)}
    assert told["sources"] == found.sets["source"].nunique() < told["sets"] == len(found.sets)
    for one in told["hypotheses"]:
        assert one["verdict"] == HOLDS
        assert one["registered"] in (True, False, "cannot check")
        assert one["registered_why"]
        assert one["parts"][0]["low"] < one["parts"][0]["effect"] < one["parts"][0]["high"]


def test_every_part_over_sources_is_weighed_otherwise_too(found):
    told = as_verdict(found)["weights"]
    wanted = [
        (one.hypothesis.id, part.name)
        for one in found.hypotheses
        if one.hypothesis.level == "beyond"
        for part in one.hypothesis.parts
    ]
    assert [(one["hypothesis"], one["part"]) for one in told] == wanted
    assert all(0 < one["share"] < 1 < one["effective"] for one in told)
    text = markdown((SUITE if found.study == "suite" else SUITE_REGRESSION)[0].document(found))
    assert "## Do the verdicts hang on the weights of sources?" in text
    assert told[0]["heaviest"] in text


def test_a_source_on_which_all_models_agree_does_not_decide_unseen():
    """One set without spread holds most of the weight of a pooled lead: the table beside the verdict names it."""
    frame = records("suite")
    precise = frame["dataset"] == "stroke"
    frame.loc[precise, "accuracy"] = 0.95 + frame.loc[precise, "round"] * 1e-4
    frame.loc[precise, ["n_train", "n_test"]] *= 1000
    found = judged("suite", frame, sets_of("classification"))
    (first, *_), (part, *_) = as_verdict(found)["weights"], by_id(found)["suite_tables_scale"].parts
    assert first["heaviest"] == "stroke"
    assert first["share"] > 0.9
    assert abs(part.effect) < 1e-4 < 5e-4 < first["without"]["effect"]


def test_what_people_read_holds_hypotheses_leads_models_and_sets(found):
    main, ranked = SUITE if found.study == "suite" else SUITE_REGRESSION
    text = markdown(main.document(found))
    for words in ("## Hypotheses", "gain less than half a point", "ELM, chosen scale", "of variance in three"):
        assert words in text
    assert all(plain(line).startswith("holds: ") for line in main.answer(found).lines)
    files = main.files(found)
    assert r"\begin{tabular}" in files[f"tables/{found.study}.tex"]
    tables = ("leads", "hypotheses", "moderators", "traits", "left_out")
    assert set(files) == {f"tables/{found.study}{end}" for end in (".tex", *(f"_{name}.csv" for name in tables))}
    assert "Mean ranks over" in markdown(ranked.document(found))


def test_a_model_without_records_on_a_set_is_told_with_its_reason():
    frame = records("suite", rounds=2)
    known = (frame["dataset"] == "cifar10") & (frame["model"] == "boosting")
    forgotten = (frame["dataset"] == "iris") & (frame["model"] == "swim")
    found = judged("suite", frame[~known & ~forgotten], sets_of("classification"))
    reasons = {(one["dataset"], one["model"]): one["reason"] for one in suite_words.left_out(found)}
    assert reasons.keys() == {("cifar10", "boosting"), ("iris", "swim")}
    assert "3072 pixels" in reasons["cifar10", "boosting"]
    assert reasons["iris", "swim"] == "no reason is recorded"
    assert found.ranks.datasets == 64


def test_figures_show_every_set_and_the_pooled_leads(found):
    numbers = forest_numbers(found)
    assert set(numbers["dataset"]) == {*found.sets["dataset"], "pooled"}
    for analysis in SUITE if found.study == "suite" else SUITE_REGRESSION:
        picture = analysis.picture(found)
        assert len(picture.figure.axes) == (3 if analysis.name == found.study else 1)
        assert not picture.numbers.empty


def test_without_records_the_verdict_says_so():
    told = _of_analysis(Shown(SUITE[0], lacks="suite: needs all cells"))
    assert told == {"verdict": NOT_RUN, "reason": "suite: needs all cells"}


def test_every_lead_has_words_and_every_hypothesis_models_that_are_run():
    for study in STUDIES:
        models = {model.name for model in composed_study(study).models}
        for lead in leads_of(study):
            assert lead.id in suite_words.LEAD_WORDS
            assert {*lead.of, *lead.over} <= models
        for one in written()[0]:
            if study in one.reads:
                assert all({*part.lead.of, *part.lead.over} <= models for part in one.parts)


def advised(study, *extra):
    return markdown(which_one.told({study: world(study, *extra)}))


def test_advice_follows_from_the_leads_whichever_way_they_come_out():
    made = advised("suite")
    tables, _, images = made.partition("## A class, from images")
    assert "Let folds choose the scale" in tables
    assert "less than half a point" in tables
    assert "surely better: gradient boosting" in tables
    assert "too few to speak of others" in images
    assert "folds" not in images
    assert "**holds**: On images directions" in images
    assert "A number" not in made
    worse = advised("suite", ("elm_scaled", -0.01), ("covariance_scaled", 0.03), ("boosting", 0.0))
    other = worse.partition("## A class, from i")[0]
    assert "Leave the scale of the weights as it is drawn." in other
    assert 'Then take `strategy="covariance"`.' in other
    assert "surely worse: linear ridge, a linear SVM, an RBF kernel, gradient boosting" in other
    numbers = advised("suite_regression")
    assert "## A number, from a table" in numbers
    assert "SVM" not in numbers


def test_limits_decide_what_is_said_of_a_lead():
    limits = {
        (0.006, 0.02): "gains",
        (-0.02, -0.006): "loses",
        (-0.004, 0.004): "no difference of half",
        (-0.01, 0.01): "open",
    }
    assert all(which_one.outcome(*ends).startswith(word) for ends, word in limits.items())
    assert which_one.outcome(0.001, 0.02).endswith("perhaps less than half a point")
