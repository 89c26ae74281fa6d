"""README: its numbers are the findings', the answer comes first, and the first screen holds what it must."""

from pathlib import Path

import pytest

from experiments.texts.facts import facts
from experiments.texts.frontpage import README, badges, filled, parts

ROOT = Path(__file__).resolve().parents[2]
# Lines that a laptop shows at once.
SCREEN = 60


@pytest.fixture(scope="module")
def text() -> str:
    return README.read_text(encoding="utf-8")


def test_the_numbers_are_those_of_the_findings(text):
    assert filled(text, parts()) == text


def test_the_answer_stands_in_the_first_lines(text):
    told = facts()
    first = [line for line in text.splitlines() if line and not line.startswith(("#", "<!--", "!["))][:3]
    for word in (
        "cells_equivalent",
        "cells_different",
        "margin",
        "cells_reproduced",
        "cells_total",
        "claims_held",
        "claims_total",
        "covariance_least",
    ):
        assert told[word] in " ".join(first)


def test_badges_say_what_metadata_and_findings_say():
    told = facts()
    text = badges(told)
    equivalent = f"numbers equivalent: {told['cells_equivalent']} of {told['cells_total']}, {told['cells_different']}"
    for words in ("python: 3.10 or newer", "licence: MIT", equivalent):
        assert f"{words}" in text
    assert "reproduced" not in text
    assert "hold: 7 of 9]" in badges({**told, "claims_held": "7", "claims_total": "9"})


def test_one_screen_holds_answer_figure_table_install_and_commands(text):
    seen = "\n".join(text.splitlines()[:SCREEN])
    for word in (
        "results/figures/finding.png",
        "| Table I",
        "make reproduce-table1",
        "make test",
        "dataset.path=my.csv",
    ):
        assert word in seen
    assert (ROOT / "results" / "figures" / "finding.png").exists()


def test_what_the_results_folder_says_is_said_here_too(text):
    """Page, results/README.md and README count alike."""
    told = facts()
    headline = (ROOT / "results" / "README.md").read_text(encoding="utf-8").splitlines()[2]
    assert f"Of the paper's {told['cells_total']} accuracy numbers" in headline
    assert f"Of {told['claims_total']} claims" in headline
    page = (ROOT / "results" / "report" / "index.html").read_text(encoding="utf-8")
    assert f"Of the paper's {told['cells_total']} accuracy numbers" in page


def test_a_part_without_a_place_is_refused(text):
    with pytest.raises(ValueError, match="'elsewhere' has no place"):
        filled(text, {"elsewhere": "…"})
    assert filled(text, {"answer": "17"}) != text
