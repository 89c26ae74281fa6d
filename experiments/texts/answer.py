"""The answer to "does the paper hold up?" in the words that README, documentation and article share."""

from __future__ import annotations

from typing import Any

from celm.analysis.words import CELL_VERDICTS, EXPLAINED, FAILS, HOLDS, NOT_RUN, OPEN, UNEXPLAINED
from experiments.texts.facts import TABLES, Found, facts, lead_of

# Verdicts on a published number, and what a table of counts calls them.
COLUMNS = {word: word for word in CELL_VERDICTS} | {EXPLAINED: "explained by a reading", UNEXPLAINED: "open"}

# A verdict on a lead, as the end of a sentence.
WORDS = {HOLDS: "is sure", FAILS: "is not there", OPEN: "is open"}

# Of that share of the gap on, in per cent, what closes it is called the main reason.
MOSTLY = 50


def answer(told: dict[str, str]) -> list[str]:
    """The answer in three sentences, from numbers alone, and what later studies add to it."""
    reason = ", but not mainly for the reason the paper gives" if int(told["covariance_least"]) >= MOSTLY else ""
    return [
        f"{told['cells_reproduced']} of the paper's {told['cells_total']} accuracies are reproduced from the data up "
        f"({told['cells_equivalent']} of them surely within the margin), "
        f"{told['cells_explained']} more follow from a named reading of its text and {told['cells_unexplained']} stay "
        f"open; the verdicts on its {told['claims_total']} testable sentences are {told['claims_told']}. "
        f"{told['cells_different']} accuracies surely differ by more than the margin, and picking readings is "
        f"exploratory: of random numbers within 3 points of ours in Table I it would call {told['chance_table1']} % "
        "reproduced or explained.",
        f"Constrained ELMs lead plain ELM on {told['gap_sets']} of {told['causes_sets']} data sets, by "
        f"{told['gap_least']} to {told['gap_most']} points{reason}: a Gaussian layer "
        f"with the data's covariance and the same scale, made of no sample and no label, is estimated to "
        f"close {told['covariance_least']} % to {told['covariance_most']} % of that lead, surely 80 % or more on "
        f"{told['covariance_sure']} of {told['gap_sets']}.",
        f"Samples in the place of that layer add {told['samples_least']} to {told['samples_most']} points, labels "
        f"after them {told['labels_least']} to {told['labels_most']}.{_equal_spreads(told)}",
        *_elsewhere(told),
    ]


def _equal_spreads(told: dict[str, str]) -> str:
    """What is left of the ingredients once the scale is chosen, on the sets that have been run."""
    if "spread_scale" not in told:
        return ""
    where = f"{told['spread_sets']} of these {told['causes_sets']} sets"
    return (
        f" At a scale that folds choose, tried on {where}, the scale alone gives ELM {told['spread_scale']} points, "
        f"directions with the data's covariance {told['spread_covariance']} beyond it, those of samples "
        f"{told['spread_samples']}."
    )


def _elsewhere(told: dict[str, str]) -> list[str]:
    """What is left of the lead on other data, at a scale that folds choose."""
    if "wide_celms" not in told:
        return []
    alike = ""
    if "wide_alike" in told:
        alike = f"; with all tables weighed alike, by {told['wide_alike']}: {told['wide_share']} % of the weight was "
        alike += f"that of {told['wide_heaviest']}"
    return [
        f"On {told['wide_sources']} tables that no trial had seen constrained ELMs lead an ELM at a scale that folds "
        f"choose by {told['wide_celms']}{alike}; their lead over plain ELM there, {told['wide_drawn']}, "
        f"{WORDS.get(told['wide_drawn_verdict'], told['wide_drawn_verdict'])}; on the {told['wide_image_sets']} sets "
        f"of images directions with the data's covariance gain {told['wide_images']} beyond such a scale."
    ]


def plain_conclusion(told: dict[str, str]) -> str:
    """Numbers and sentences in one sentence: what holds of all that the intervals decide."""
    held = int(told["cells_equivalent"]), int(told["claims_held"])
    decided = held[0] + int(told["cells_different"]), held[1] + int(told["claims_failed"])
    mostly = [2 * one > all_ for one, all_ in zip(held, decided, strict=True)]
    word = "In large part" if all(mostly) else "In part" if any(mostly) else "In small part"
    return (
        f"{word}: of what can be decided, {held[0]} of {decided[0]} numbers agree within the margin and "
        f"{held[1]} of {decided[1]} of its sentences hold."
    )


def headline_rows(found: Found) -> list[dict[str, str]]:
    """One row per table: how many numbers have each verdict, and the lead over ELM in the paper and here.

    Nothing is said of numbers that were not run where all were.
    """
    rows = [_row(found.verdict, table) for table in TABLES]
    left_out = {NOT_RUN} if all(row[NOT_RUN] == "0" for row in rows) else set()
    return [{title: words for title, words in row.items() if title not in left_out} for row in rows]


def _row(verdict: dict[str, Any], table: str) -> dict[str, str]:
    cells = [cell for cell in verdict["cells"]["list"] if cell["table"] == table]
    row = {"table": TABLES[table], "numbers": str(len(cells))}
    for word, title in COLUMNS.items():
        row[title] = str(sum(cell["verdict"] == word for cell in cells))
    return row | {
        "CELMs above ELM, paper": f"{lead_of(verdict, table, 'paper'):+.1f} points",
        "CELMs above ELM, ours": f"{lead_of(verdict, table, 'ours'):+.1f} points",
    }


def told() -> dict[str, str]:
    """All facts of the published findings, with the answer among them: its parts are paragraphs."""
    words = facts()
    return {**words, "answer": "\n\n".join(answer(words)), "plain_conclusion": plain_conclusion(words)}
