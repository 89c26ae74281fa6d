"""What moves the lead over ELM among whole protocols: computed from their gaps, never typed."""

import pytest

from experiments.report.gaps import gaps_listed, gaps_of, gaps_text
from experiments.texts.facts import AWAITED, gaps

FITS = [
    ("per_feature/joint/text", 0.027),
    ("per_feature/largest/code", 0.028),
    ("raw/joint/text", 0.071),
    ("raw/largest/code", 0.075),
    ("unit_norm/joint/text", -0.0004),
]


def test_the_gap_is_told_by_scaling_with_the_range_over_all_else():
    found = gaps_of(FITS, 0.026)
    assert gaps_listed(found) == "raw +7.1 to +7.5, per_feature +2.7 to +2.8, unit_norm +0.0"
    assert (found.within(), found.across()) == (pytest.approx(0.4), pytest.approx(7.34))
    told = gaps_text(found)
    assert "selection and weights hardly move the lead of the CELMs over ELM (by at most 0.4 points)" in told
    assert "scaling moves it by up to 7.3 points: +0.0 under unit_norm, +7.1 to +7.5 under raw" in told
    assert "where the paper has +2.6" in told
    assert "standardised features, which the paper states: +2.7 to +2.8 there" in told
    assert "Over 5 protocols" in told


def test_selection_that_moves_the_gap_as_much_as_scaling_is_not_called_harmless():
    told = gaps_text(gaps_of([("raw/joint/text", 0.01), ("raw/largest/text", 0.03), ("minmax/joint/text", 0.02)], 0.02))
    assert "hardly" not in told
    assert "selection and weights move the lead of the CELMs over ELM by up to 2.0 points" in told
    assert "standardised" not in told


def test_the_documentation_says_the_same_from_the_verdict():
    fits = [{"name": name, "gap": gap, "paper_gap": 0.026} for name, gap in FITS]
    assert gaps({"protocols": fits})["gaps_told"] == gaps_text(gaps_of(FITS, 0.026))
    assert gaps({"protocols": []})["gaps_told"] == AWAITED["protocols"]
