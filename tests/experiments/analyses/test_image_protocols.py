"""Tables II and III from the published records: one protocol is listed once, and what an answer rests on is said."""

import pytest

from celm.render.markdown import markdown
from experiments.papers.celm.analyses.image_protocols import TABLE2, TABLE3
from experiments.results import Records, Results


@pytest.fixture(scope="module")
def told():
    records = Records(Results())
    return {one.name: markdown(one.document(one.findings(records))) for one in (TABLE2, TABLE3)}


def test_readings_with_the_same_numbers_are_listed_once_and_the_answer_says_what_it_rests_on(told):
    text = told["protocols_table3"]
    assert len([line for line in text.splitlines() if "plain_zscore" in line and line.startswith("| ")]) == 1
    answer = next(line for line in text.splitlines() if line.startswith("The most probable protocol is "))
    assert "sum_pooling or plain_zscore" in answer
    assert "one round at 2000 nodes, carried to 7000" in answer


def test_the_collapse_of_ml_elm_under_unit_norm_is_told(told):
    assert "Under unit_norm ML-ELM falls to 0.178" in told["protocols_table2"]
    assert "without ML-ELM is 0." in told["protocols_table2"]
