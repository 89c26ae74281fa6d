"""Readings say in their own file what they are; protocols combine them."""

import pytest

from experiments.config.entries import options
from experiments.config.readings import check_together, protocol_readings, reading_about, readings_of, with_protocols
from experiments.config.studies import composed_study


@pytest.mark.parametrize("name", options("reading"))
def test_every_reading_says_what_it_is_where_it_comes_from_and_what_it_touches(name):
    about = reading_about(name)
    assert about.touches
    assert set(about.touches) <= set(options("experiment"))


def test_the_readings_of_a_table_stand_in_their_order():
    names = readings_of("table2")
    assert names[:4] == ("pixels", "unit_norm", "per_feature", "redrawn_per_fold")
    assert set(names) <= set(options("reading"))
    assert readings_of("table9") == ()


def test_those_that_see_test_rows_say_so():
    sees_test = {name for name in options("reading") if reading_about(name).sees_test}
    assert sees_test == {"best_on_test", "scaled_on_all_rows"}


@pytest.mark.parametrize("name", options("protocol"))
def test_the_readings_of_a_protocol_go_together(name):
    check_together(protocol_readings(name))


def test_a_combination_runs_the_models_that_any_of_its_readings_touches():
    def models(experiment):
        return [model.name for model in composed_study(experiment).models]

    assert models("table1+sums_doubled") == ["cselm", "rselm", "cmelm"]
    assert models("table1+sums_doubled+cosine_filter") == ["cdelm", "cselm", "rselm", "cmelm"]
    assert len(models("table1+sums_doubled+raw_values")) == 10
    assert [dataset.name for dataset in composed_study("table1+svm_max_label").datasets] == ["wdbc"]


def test_a_protocol_is_written_as_its_readings_on_any_command_line():
    assert with_protocols(["a=1"]) == ["a=1"]
    assert with_protocols(["reading=null", "a=1", "experiment=null"]) == ["a=1"]
    written = with_protocols(["protocol=authors_code", "a=1"])
    assert written == ["a=1", "reading=[largest_nodes,small_norm_filter,sums_doubled]"]
