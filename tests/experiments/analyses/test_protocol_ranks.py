"""Ranks of protocols by data set, and which set hides one that fits: told in the document and the table."""

import pytest

from celm.analysis.protocols import panel_of, protocol_findings
from celm.base.names import dataset_label
from celm.render.markdown import markdown
from experiments.analysis import NotComplete, analyses
from experiments.papers.celm.analyses.protocol_ranks import PROTOCOL_RANKS
from experiments.papers.celm.analyses.protocols import Judged
from tests.analysis.protocols.conftest import _frame, _paper, _world

SETS = {"set0": "wdbc", "set1": "mdd_fou", "set2": "mdd_kar"}


@pytest.fixture(scope="module")
def found():
    """Numbers of one protocol, five points off on MDD-fou."""
    rounds, published = (one.replace({"dataset": SETS}) for one in _frame(_paper(_world(protocols=6, sets=3), 4)))
    published.loc[published["dataset"] == "mdd_fou", "accuracy"] -= 0.05
    panel = panel_of(rounds, published)
    return PROTOCOL_RANKS.find({"protocols": Judged(protocol_findings(panel, papers=60), {}, panel)})


def test_the_set_that_hides_a_fitting_protocol_is_named(found):
    text = markdown(PROTOCOL_RANKS.document(found))
    assert "as ours do: a protocol fits the others once MDD-fou is left out." in text
    assert text.startswith("# Which data sets decide")
    assert "Exploratory" in text
    line = next(line for line in text.splitlines() if line.startswith("| MDD-fou"))
    assert line.split(" | ")[1].startswith("protocol4")
    assert all(f"| {dataset_label(name)} |" in text for name in SETS.values())


def test_every_protocol_has_its_ranks_on_every_set(found):
    table = PROTOCOL_RANKS.numbers(found)
    assert len(table) == 6 * len(SETS)
    assert all(sorted(rows["rank"]) == list(range(1, 7)) for _, rows in table.groupby("dataset"))
    kept = table[table["kept_without_ours"]]
    assert set(kept["dataset"]) == {"mdd_fou"}
    assert "protocol4" in set(kept["protocol"])


def test_it_is_found_among_the_analyses_and_waits_for_the_protocols():
    assert analyses()["protocol_ranks"] is PROTOCOL_RANKS
    with pytest.raises(NotComplete, match="needs all cells of protocols"):
        PROTOCOL_RANKS.find({})
