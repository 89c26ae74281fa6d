"""A misspelt command line is answered with the nearest valid name, before Hydra or any data."""

import pytest

from experiments.config.overrides import check_arguments, known_keys, problem


@pytest.mark.parametrize(
    "argument",
    [
        "experiment=table1",
        "dataset=wdbc,mdd_kar",
        "model=elm,cdelm",
        "rounds=3",
        "n_hidden=[50,100]",
        "dataset.turns=2,2.25",
        "dataset.path=a.csv",
        "features.n_atoms=100",
        "features.scaling=raw",
        "reading=[raw_values,stratified]",
        "+reading=raw_values",
        "hydra/launcher=joblib",
        "hydra.sweeper.max_batch_size=2",
        "-m",
        "--cfg",
        "job",
        "selection.choose=largest",
        "experiment=null",
        "sweep=spiral_map",
    ],
)
def test_valid_arguments_pass(argument):
    assert problem(argument) is None


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("roundz=3", ["roundz", "Did you mean 'rounds'"]),
        ("model=cdlm", ["no such model", "Did you mean 'cdelm'", "cmelm"]),
        ("dataset=wdbc,mdd_karr", ["mdd_karr", "Did you mean 'mdd_kar'"]),
        ("experiment=tabel1", ["Did you mean 'table1'"]),
        ("elm.cutof=none", ["elm.cutof", "Did you mean 'elm.cutoff'", "elm.targets"]),
        ("executor=slurm", ["no such executor", "local"]),
        ("reading=[raw_value]", ["Did you mean 'raw_values'"]),
        ("dataset=[wdbc,mdd_kar]", ["takes one name", "'grid.datasets=[wdbc,mdd_kar]'", "-m dataset=wdbc,mdd_kar"]),
        ("model=[elm,cdelm]", ["takes one name", "'grid.models=[elm,cdelm]'"]),
        ("experiment=[fig4,table1]", ["takes one name", "-m experiment=fig4,table1"]),
        ("protocol=author_code", ["Did you mean 'authors_code'"]),
    ],
)
def test_unknown_names_are_answered_with_the_nearest(argument, words):
    for word in words:
        assert word in problem(argument)


def test_all_problems_are_reported_at_once(capsys):
    with pytest.raises(SystemExit) as stop:
        check_arguments(["roundz=3", "model=cdlm", "rounds=3"])
    assert stop.value.code == 2
    errors = capsys.readouterr().err
    assert "roundz" in errors
    assert "cdlm" in errors


def test_keys_of_every_kind_of_data_set_are_known():
    assert {"dataset.turns", "dataset.id", "dataset.path", "elm.sum_scale", "selection.n_folds"} <= set(known_keys())


def test_a_sweep_file_needs_multirun(capsys):
    check_arguments(["-m", "sweep=spiral_map"])
    with pytest.raises(SystemExit):
        check_arguments(["sweep=spiral_map"])
    assert "add -m" in capsys.readouterr().err
