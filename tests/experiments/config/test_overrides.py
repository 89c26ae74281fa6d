"""A command line that cannot be meant is answered in a sentence, before Hydra or any data."""

import pytest

from experiments.config.entries import CONF
from experiments.config.overrides import GROUPS, MAX_JOBS, check_arguments, file_faults, problems_of
from experiments.config.value_types import known_types


def problem(*arguments):
    return "\n".join(problems_of(arguments))


@pytest.mark.parametrize(
    "argument",
    [
        "experiment=table1",
        "rounds=3",
        "n_hidden=[50,100]",
        "dataset.turns=2.25",
        "dataset.target=3",
        "dataset.target='01'",
        "grid.rounds={elm:3}",
        "n_hidden=${dataset.n_hidden}",
        'title="Σ of all"',
        "dataset.path=a.csv",
        "features.n_atoms=100",
        "features.scaling=raw",
        "reading=[raw_values,stratified]",
        "+reading=raw_values",
        "-m",
        "--help",
        "selection.choose=largest",
        "experiment=null",
    ],
)
def test_valid_arguments_pass(argument):
    assert problem(argument) == ""


@pytest.mark.parametrize(
    "words",
    [
        ["-m", "dataset=wdbc,mdd_kar", "model=elm,cdelm", "dataset.turns=2,2.25"],
        ["-m", "dataset=glob(mdd_*)", "rounds=range(1,4)"],
        ["-m", "sweep=spiral_map"],
        ["--cfg", "job", "rounds=3"],
        ["-m", "hydra/launcher=joblib", "hydra.launcher.n_jobs=2", "hydra.sweeper.max_batch_size=2"],
        ["--cfg", "hydra", "--package", "hydra.launcher", "hydra/launcher=joblib"],
        ["-m", "reading=[raw_values],[stratified,raw_values]"],
    ],
)
def test_valid_command_lines_pass(words):
    assert problem(*words) == ""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("selection.nested=3", "selection.nested must be true or false; got 3"),
        ("selection.nested=${rounds}", "selection.nested must be true or false"),
        ("rounds=abc", 'rounds must be a whole number; got "abc"'),
        ("rounds=true", "rounds must be a whole number; got true"),
        ("rounds=", 'rounds must be a whole number; got ""'),
        ("rounds=1.5", "rounds must be a whole number; got 1.5"),
        ("split.train_share=nan", "split.train_share must be a finite number"),
        ("executor.workers=[2]", "executor.workers must be a whole number or null"),
        ("selection.exponents=[1,a]", "selection.exponents must be a list"),
        ("elm=3", "elm must be given by its own keys"),
        ("elm={cutof:none}", "elm must be given by its own keys"),
        ("dataset.target=1.50", "dataset.target must be a text; 1.50 would be read as 1.5: write"),
        ("name=null", "name must be a text; got null"),
        ("n_hidden=[50, 100]", "only in quotes: 'n_hidden=[50, 100]'"),
        ("dataset.separator=;", "in two kinds of quotes: 'dataset.separator=\";\"'"),
        ("rounds=1,", "cannot be read as key=value"),
        ("rounds==3", "cannot be read as key=value"),
        ("dataset.path=it's.csv", "in two kinds of quotes: 'dataset.path=\"it'\"'\"'s.csv\"'."),
        ('dataset.path=a"b.csv', 'in two kinds of quotes: \'dataset.path="a\\"b.csv"\'.'),
        ("dataset.path=a,b.csv", "a text with a comma is written 'dataset.path=\"a,b.csv\"'."),
        ("dataset.path=" + "x" * 5000, "dataset.path must have at most 4000 characters; got 5000."),
        ("n_hidden=${", "cannot be read as key=value"),
        ("n_hidden=" + "[" * 300, "cannot be read as key=value"),
        ("rounds", "a word of the form key=value is expected"),
        ("~rounds", "cannot be left out"),
        ("rounds@a=3", "leave out what stands after the @"),
        ("rounds=3 rounds=2", "rounds is given twice"),
        ("dataset=wdbc dataset=mdd_kar", "dataset is given twice"),
        ("reading=stratified reading=raw_values", "reading=[a,b] combines two"),
        ("reading=[stratified,stratified]", "reading names stratified twice"),
        ("dataset=", "dataset must name one of"),
        ("model=null", "model must name one of"),
        ("model=[]", "model must name one of"),
        ("+model=elm", "model has a choice already, which is replaced without the +."),
        ("scale=${nodes:1,5,1}", "no such scale"),
        ("dataset=${model}", "no such dataset"),
        ("rounds=1,2", "-m runs them one after the other"),
        ("-m dataset=wdbc,wdbc", "dataset names wdbc twice"),
        ("-m dataset=glob(zzz*)", "stands for no value, nothing would be run"),
        ("-m rounds=range(5,1)", "stands for no value"),
        ("-m rounds=range(1,5,0)", "rounds=range(1,5,0): it stands for no value: "),
        ("-m rounds=interval(1,3)", "write range(first,end) or a,b"),
        ("-m rounds=1,abc", 'got "abc"'),
        ("-m rounds=range(1,1000000000000)", f"more than {MAX_JOBS} jobs"),
        ("-m rounds=range(1,200) seed=range(1,200)", f"more than {MAX_JOBS} jobs"),
        ("--config-dir /nowhere rounds=3", "--config-dir /nowhere: no such folder"),
        ("--experimental-rerun a.pickle", "loads a pickle"),
        ("--experimental-re=a.pickle", "--experimental-re: no such flag. Did you mean '--experimental-rerun'"),
        ("--multi rounds=3", "--multi: no such flag. Did you mean '--multirun'"),
        ("--jsn rounds=3", "--jsn: no such flag. Did you mean '--json'"),
        ("--package zzz rounds=3", "--package says what part of the configuration is shown: add --cfg job"),
        ("hydra/launcher=joblib rounds=3", "hydra/launcher=joblib: it is of sweeps, one run would not look at it"),
        ("hydra.sweeper.max_batch_size=2", "add -m"),
        ("-m hydra.job.chdir=true rounds=1,2", "hydra.job.chdir=true: jobs stay in the folder of the command"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_a_sentence(words, expected):
    assert expected in problem(*words.split(" "))


def test_every_file_under_conf_says_what_the_schema_knows():
    for group in set(GROUPS) - {"protocol"}:
        for path in (CONF / group).glob("*.yaml"):
            assert list(file_faults(path, group)) == [], path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("selection: {nested: 3}", "selection.nested must be true or false; got 3"),
        ("roundz: 3", "no such key 'roundz'. Did you mean 'rounds'"),
        ("elm: {cutoff: [1]}", "elm.cutoff must be a text"),
        ("rounds: [", "it cannot be read"),
        ("- rounds", "lines of the form key: value"),
        ("3\n...", "lines of the form key: value"),
        ("3: 4", "lines of the form key: value"),
        ("rounds: .inf", "rounds must be a whole number"),
        ("n_hidden: " + "[" * 2000, "it cannot be read"),
    ],
)
def test_a_file_of_one_s_own_is_checked_like_the_command_line(tmp_path, text, expected):
    (tmp_path / "experiment").mkdir()
    (tmp_path / "experiment" / "mine.yaml").write_text(f"# @package _global_\n{text}\n")
    words = ["--config-dir", str(tmp_path), "experiment=mine"]
    assert f"mine.yaml: {expected}" in problem(*words) or expected in problem(*words)
    (tmp_path / "experiment" / "mine.yaml").write_text("# @package _global_\nrounds: 3\nselection: {nested: false}\n")
    assert problem(*words) == ""


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("roundz=3", ["roundz", "Did you mean 'rounds'"]),
        ("model=cdlm", ["no such model", "Did you mean 'cdelm'", "cmelm"]),
        ("dataset=mdd_karr", ["mdd_karr", "Did you mean 'mdd_kar'"]),
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
    assert {"dataset.turns", "dataset.id", "dataset.path", "elm.sum_scale", "selection.n_folds"} <= known_types().keys()


def test_a_sweep_file_needs_multirun(capsys):
    check_arguments(["-m", "sweep=spiral_map"])
    with pytest.raises(SystemExit):
        check_arguments(["sweep=spiral_map"])
    assert "add -m" in capsys.readouterr().err
