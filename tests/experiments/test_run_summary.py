"""What a sweep varied is found in its records, and never averaged over."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from celm.study.store import PublishedStore
from celm.study.study_config import StudyConfig
from experiments.config.studies import Study
from experiments.execution import Outcome
from experiments.run_summary import (
    compared_with_published,
    experiment_summary,
    largest_counts,
    show,
    study_frame,
    swept_settings,
    write_curves,
    write_tables,
)

ROOT = Path(__file__).resolve().parents[2]


def document(round_, accuracy, model="elm", counts=(10, 20), **settings):
    shared = {"dataset": "spiral", "model": model, "round": round_, "threads": 1, "data_digest": str(settings)}
    return {
        "experiment": "study",
        "key": f"{model} {round_} {settings}",
        "status": "ok",
        "seconds": 0.1,
        "shared": {**shared, **settings},
        "records": [{"n_hidden": n, "accuracy": accuracy, "rank": n} for n in counts],
    }


def sweep():
    return [
        document(round_, accuracy, dataset_turns=turns, cutoff="matlab", exponents=[-8, 8])
        for turns, accuracy in ((3.0, 0.75), (2.0, 1.0))
        for round_ in range(2)
    ]


def test_settings_that_vary_within_a_model():
    assert swept_settings(sweep()) == ["dataset_turns"]
    assert swept_settings([document(0, 0.5), document(1, 0.6)]) == []


def test_a_setting_of_one_family_is_not_swept():
    assert swept_settings([document(0, 0.5, cutoff="matlab"), document(0, 0.5, model="bp", targets="one_hot")]) == []


def test_a_setting_that_is_named_only_away_from_its_default_is_swept():
    documents = [document(0, 0.5), document(0, 0.6, label_noise=0.1)]
    assert swept_settings(documents) == ["label_noise"]
    summary = experiment_summary("study", documents)
    assert sorted(set(summary["dataset"])) == ["Spiral", "Spiral, label noise 0.1"]


def test_node_counts_that_were_swept_tell_cells_apart():
    documents = [
        {**document(0, 0.5 + n / 100, counts=(n,)), "key": str(n), "identity": {"n_hidden": [n]}} for n in (10, 20)
    ]
    frame, settings = study_frame(documents)
    assert settings == ["node_counts"]
    assert list(frame["node_counts"]) == ["[10]", "[20]"]
    assert len(experiment_summary("study", documents)) == 2


def test_two_cells_of_one_round_are_never_averaged():
    documents = [document(0, 0.5), {**document(0, 0.9), "key": "another"}]
    with pytest.raises(ValueError, match="2 cells of one round cannot be told apart"):
        experiment_summary("study", documents)


def test_settings_that_are_lists_can_be_swept():
    documents = [document(0, 0.5, exponents=exponents) for exponents in ([-8, 8], [-2, 2])]
    frame, settings = study_frame(documents)
    assert settings == ["exponents"]
    assert set(frame["exponents"]) == {"[-8, 8]", "[-2, 2]"}


def test_a_sweeps_table_has_a_column_per_setting():
    summary = experiment_summary("study", sweep())
    assert list(summary["dataset"].unique()) == ["Spiral, turns 2", "Spiral, turns 3"]
    means = summary.groupby("dataset")["accuracy_mean"].unique().map(list).to_dict()
    assert means == {"Spiral, turns 2": [1.0], "Spiral, turns 3": [0.75]}
    assert set(summary["dataset_turns"]) == {2.0, 3.0}
    assert (summary["rounds"] == 2).all()


def test_texts_of_a_curve_show_its_largest_node_count(tmp_path):
    documents = [document(0, 0.5, counts=(10, 20)), document(0, 0.9, model="cdelm", counts=(10, 20, 30))]
    summary = experiment_summary("study", documents)
    assert list(largest_counts(summary)["n_hidden"]) == [20, 30]
    table, markdown, _ = write_tables(summary, tmp_path, "table", "A study")
    assert len(pd.read_csv(table)) == 5
    assert markdown.read_text(encoding="utf-8").startswith("# A study; at the largest node count\n")


def table3_document(model, round_, records):
    shared = {"dataset": "cifar10", "model": model, "round": round_, "threads": 1}
    key = f"{model} {round_}"
    return {"experiment": "table3", "key": key, "status": "ok", "seconds": 1.0, "shared": shared, "records": records}


def test_table3_has_one_row_per_system_with_the_papers_number_beside_it():
    stages = [{"stage": k, "accuracy": 0.6 + k / 1000, "chosen": k == 60} for k in range(1, 61)]
    documents = [
        *(table3_document("selm", r, [{"n_hidden": 7000, "accuracy": 0.73, "chosen": True}]) for r in range(2)),
        table3_document("linear_svm", 0, [{"n_hidden": None, "accuracy": 0.65, "chosen": True}]),
        *(table3_document("r2svm", r, [{**stage, "n_hidden": None} for stage in stages]) for r in range(3)),
        *(table3_document("dcn", r, [{**s, "n_hidden": 2000 * s["stage"]} for s in stages]) for r in range(3)),
        table3_document("dcn_rbm", 0, [{**stage, "n_hidden": 2000 * stage["stage"]} for stage in stages]),
    ]
    for experiment in ("table3", "table3-smoke"):
        summary = experiment_summary(experiment, documents).set_index("model")
        assert list(summary.index) == ["selm", "linear_svm", "r2svm", "dcn", "dcn_rbm"]
        assert summary["paper"].fillna(0).tolist() == [0.733, 0.647, 0.693, 0.672, 0]
        assert summary["accuracy_mean"].tolist() == pytest.approx([0.73, 0.65, 0.66, 0.66, 0.66])
        assert summary["rounds"].tolist() == [2, 1, 3, 3, 1]
        assert summary["stage"].fillna(0).tolist() == [0, 0, 60, 60, 60]
        assert summary["paper_seconds"].isna().all()


def test_a_stage_that_differs_from_the_published_one_is_named(tmp_path):
    stages = [{"stage": k, "n_hidden": None, "accuracy": 0.5, "chosen": k == 2} for k in (1, 2)]
    ours = table3_document("r2svm", 0, stages)
    theirs = table3_document("r2svm", 0, [{**stages[0], "accuracy": 0.25}, stages[1]])
    PublishedStore(tmp_path).write("table3", {"r2svm 0": {**theirs, "provenance": {}}}, {})
    told = compared_with_published(str(tmp_path), "table3", {"r2svm 0": ours})
    assert told.startswith(
        "In 1 of 1 published cells 1 of 2 records are equal to the last digit; 1 differ under the same"
    )
    assert "cifar10 r2svm round 0 n_hidden None stage 1: accuracy 0.5 and 0.25" in told


def test_small_multiples_hold_a_panel_per_setting(tmp_path):
    paths = write_curves(sweep(), tmp_path)
    assert [path.name for path in paths] == ["figure.png", "figure.svg", "figure.pdf", "figure.csv"]
    numbers = pd.read_csv(tmp_path / "figure.csv")
    means = numbers.groupby("panel")["accuracy_mean"].mean()
    assert means.to_dict() == pytest.approx({"Spiral, turns 2": 1.0, "Spiral, turns 3": 0.75})


def test_a_study_without_curves_has_no_figure(tmp_path):
    assert write_curves([document(0, 0.5, counts=(10,))], tmp_path) == []
    assert write_curves([], tmp_path) == []
    assert not list(tmp_path.iterdir())


def test_planes_are_shown_by_what_judges_them_not_as_test_accuracy(tmp_path, capsys):
    settings = {"pca": None, "points": 100, "perplexity": 30.0, "iterations": 1000, "neighbours": 10}
    documents = {str(r): document(r, 0.5 + r / 2, counts=(40,), **settings) for r in range(2)}
    for one in documents.values():
        one["records"][0].update(trustworthiness=0.9, kl_divergence=1.25)
    config = StudyConfig(name="planes", task="embed", store=str(tmp_path), published=str(tmp_path / "none"))
    show(Outcome(Study(config, [], []), [], documents, []))
    told = capsys.readouterr().out
    assert "Neighbour accuracy" in told
    assert "planes is not published yet" in told
    table = pd.read_csv(tmp_path / "planes" / "table.csv")
    assert (table["accuracy_mean"][0], table["kl_divergence_mean"][0]) == pytest.approx((0.75, 1.25))
    assert "Test accuracy" not in (tmp_path / "planes" / "table.md").read_text(encoding="utf-8")


def test_a_command_line_loads_no_library_of_pictures():
    """Every process of a run imports the command line: what only a figure needs is loaded where one is drawn."""
    program = "import sys, experiments.run; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0
