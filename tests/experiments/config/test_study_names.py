"""The identity that records carry: nothing that changes a number shares a name with Table I."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.config.readings import with_protocols
from experiments.config.studies import composed, is_named, study_of
from experiments.config.study_names import Identity

WORDS = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
CODE = "table1+largest_nodes+small_norm_filter+sums_doubled"


def name_of(*overrides, sweep=None):
    overrides = with_protocols(overrides)
    return study_of(composed(overrides), overrides, sweep).config.name


def models_of(*overrides):
    return [model.name for model in study_of(composed(overrides), overrides).models]


@given(WORDS, st.lists(WORDS, max_size=3), st.sampled_from(["paper", "smoke"]), st.sampled_from(["", "1f0c2a9b"]))
def test_an_identity_is_read_back_from_its_text_whatever_the_order_of_its_readings(name, readings, scale, digest):
    identity = Identity(name, tuple(readings), scale, digest)
    assert Identity.parse(str(identity)) == identity
    assert Identity(name, tuple(reversed(readings)), scale, digest) == identity


def test_files_alone_give_a_plain_name():
    assert name_of("experiment=table1") == "table1"
    assert name_of("experiment=table1", "reading=raw_values") == "table1+raw_values"
    assert name_of("experiment=table1", "scale=smoke", "reading=raw_values") == "table1+raw_values-smoke"
    assert name_of("experiment=table1", "scale=paper") == "table1"


def test_how_a_study_is_run_or_shown_is_no_part_of_it():
    how = ["executor.workers=1", "progress=false", "store=/x", "resume=published", "executor=dask"]
    assert name_of("experiment=table1", *how) == "table1"
    assert name_of("experiment=table1", "title=Mine", "model.about.label=Mine", "model=elm") == "table1"


def test_a_part_of_an_experiment_is_the_same_experiment():
    assert name_of("experiment=table1", "dataset=wdbc", "model=elm") == "table1"
    assert name_of("experiment=table1", "grid.models=[elm,bp]") == "table1"


@pytest.mark.parametrize("words", ["table1 dataset=mnist", "fig3 dataset=wdbc", "table1 model=ml_elm"])
def test_what_is_not_a_part_of_an_experiment_is_another_study(words):
    experiment, other = words.split()
    assert name_of(f"experiment={experiment}", other).startswith(f"{experiment}-")


def test_a_value_that_changes_nothing_changes_no_name():
    assert name_of("experiment=table1", "rounds=10", "elm.cutoff=matlab") == "table1"


def test_the_digest_follows_from_what_differs_not_from_how_it_was_typed():
    name = name_of("experiment=table1", "rounds=3", "elm.cutoff=none")
    assert name.startswith("table1-")
    assert name == name_of("experiment=table1", "elm.cutoff=none", "rounds=7", "rounds=3")
    assert name != name_of("experiment=table1", "elm.cutoff=none", "rounds=4")


@pytest.mark.parametrize("lists", ["[table1_second_seed,table1]", "[fig4,table1]"])
def test_another_study_never_runs_under_the_name_of_table_one(lists):
    assert name_of(f"experiment={lists}").startswith("table1-")
    assert name_of("experiment=fig4", "name=table1").startswith("table1-")


def test_readings_combine_under_a_name_that_does_not_depend_on_their_order():
    one = name_of("experiment=table1", "reading=[sums_doubled,largest_nodes]")
    assert one == name_of("experiment=table1", "reading=[largest_nodes,sums_doubled]")
    assert one == "table1+largest_nodes+sums_doubled"
    assert is_named(one)


def test_a_protocol_is_its_readings():
    assert name_of("experiment=table1", "protocol=authors_code") == CODE
    beside = name_of("experiment=table1", "protocol=authors_code", "reading=minmax")
    assert beside == "table1+largest_nodes+minmax+small_norm_filter+sums_doubled"


def test_readings_that_contradict_each_other_are_refused_with_both_names():
    with pytest.raises(ValueError, match=r"minmax and raw_values do not go together: features\.name is minmax .* raw"):
        name_of("experiment=table1", "reading=[raw_values,minmax]")


@pytest.mark.parametrize("values", [("rounds", "2", "3"), ("features", "raw", "minmax")])
def test_all_jobs_of_a_sweep_share_a_name_that_says_what_was_swept(values):
    key, one, two = values
    sweep = ["dataset=wdbc", f"{key}={one},{two}"]
    names = {name_of("dataset=wdbc", f"{key}={value}", sweep=sweep) for value in (one, two)}
    assert len(names) == 1
    assert names != {name_of("dataset=wdbc", f"{key}={one}")}


def test_a_sweep_over_readings_runs_each_under_its_own_name():
    sweep = ["experiment=table1", "reading=minmax,raw_values"]
    assert name_of("experiment=table1", "reading=minmax", sweep=sweep) == "table1+minmax"


def test_the_jobs_of_a_sweep_file_carry_its_name():
    job = ["dataset.turns=2", "dataset.noise=0.05", "dataset.scale=0.5", "dataset.inner_radius=0.077"]
    assert name_of(*job, "sweep=spiral_map", sweep=["sweep=spiral_map"]) == "spiral_map"
    fewer = name_of(*job, "sweep=spiral_map", "rounds=2", sweep=["sweep=spiral_map", "rounds=2"])
    assert fewer.startswith("spiral_map-")


def test_a_model_is_named_by_what_it_is():
    assert models_of("model=cdelm", "model.strategy=selm") == ["selm"]
    assert models_of("model=cdelm", "model.strategy=gaussian/squared/uniform") == ["gaussian/squared/uniform"]
    assert models_of("model=cdelm", "model.strategy=cdelm") == ["cdelm"]
    assert models_of("model.name=mine", "model.strategy=selm") == ["mine"]


def test_what_is_named_twice_is_refused():
    with pytest.raises(ValueError, match=r"dataset=wdbc and grid\.datasets both name"):
        name_of("experiment=table1", "dataset=wdbc", "grid.datasets=[zzz]")


def test_named_experiments():
    assert is_named("table1")
    assert is_named("table1+raw_values")
    assert not is_named("table1-smoke")
    assert not is_named("table1-1f0c2a9b")
    assert not is_named("table1+nonsense")
    assert is_named("spiral_map")
