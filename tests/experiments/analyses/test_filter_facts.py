"""Filters told: rejected of drawn, a filter that rejects nothing is vacuous, one that rejects all gives up."""

import pandas as pd

from celm.base.names import model_label
from celm.render.markdown import markdown
from experiments.papers.celm.analyses.filter_facts import FILTER_FACTS, find

NOTHING = {
    "difference_draws": 0, "sum_draws": 0, "rejected_short": 0, "rejected_parallel": 0, "rejected_long": 0,
    "rejected_vanishing": 0, "given_up": 0,
}  # fmt: skip


def records(**models):
    rows = [
        {"dataset": "wdbc", "model": model, "round": number, **NOTHING, **counts}
        for model, counts in models.items()
        for number in range(2)
    ]
    return pd.DataFrame(rows)


def frames(short=0, long=300, given_up=100):
    sums = {"sum_draws": 100 + long, "rejected_long": long, "given_up": given_up}
    return {
        "filter_facts+small_norm_filter": records(
            cdelm={"difference_draws": 100 + short, "rejected_short": short}, cselm=sums
        ),
        "filter_facts+cosine_filter": records(cdelm={"difference_draws": 125, "rejected_parallel": 25}),
    }


def told(**counts):
    return markdown(FILTER_FACTS.document(find(frames(**counts))))


def test_draws_are_those_of_the_kind_that_a_filter_judges():
    found = find(frames()).set_index(["rejects", "model"])
    assert found["draws"].tolist() == [200, 250, 800]
    assert found["rejected"].tolist() == [0, 50, 600]
    assert found["given_up"].tolist() == [0, 0, 200]


def test_a_filter_that_rejects_nothing_is_called_vacuous_and_another_is_not():
    assert "0 of 200 draws were rejected: with this filter every weight is what it is without" in told()
    assert "vacuous" not in told(short=20)
    assert "40 of 240 draws were rejected, 16.7 % to 16.7 %" in told(short=20)


def test_a_filter_that_rejects_all_it_judges_gives_up():
    assert "It gave up on all 200 nodes" in told()
    assert "; it gave up on 6 nodes" in told(given_up=3)


def test_the_table_has_a_cell_for_every_model():
    assert f"| {model_label('cdelm')} | 50 of 250 (20.0 %) |" in told()
    assert f"| {model_label('cselm')} | 600 of 800 (75.0 %) |" in told()
