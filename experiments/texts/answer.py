"""The answer to "does the paper hold up?" in the words that README, documentation and article share."""

from __future__ import annotations

from typing import Any

from celm.analysis.cell_equivalence import DIFFERENT, EQUIVALENT
from celm.analysis.words import CELL_VERDICTS, EXPLAINED, FAILS, HOLDS, NOT_RUN, OPEN
from experiments.papers import papers
from experiments.report.conclusion import conclusion
from experiments.texts.facts import TABLES, Found, facts, lead_of

# Verdicts on a published number, and what a table of counts calls them.
EQUIVALENCE = (EQUIVALENT, DIFFERENT, OPEN)
COLUMNS = {word: word for word in CELL_VERDICTS} | {EXPLAINED: "explained by a reading (exploratory)"}

# A verdict on a lead, as the end of a sentence.
WORDS = {HOLDS: "is sure", FAILS: "is not there", OPEN: "is open"}

# Of that share of the gap on, in per cent, what closes it is called the main reason.
MOSTLY = 50


def answer(told: dict[str, str]) -> dict[str, str]:
    """The answer by its parts, from numbers alone: counts, cause, ingredients, caution, and what other data say."""
    reason = ", but not mainly for the reason the paper gives" if int(told["covariance_least"]) >= MOSTLY else ""
    return {
        "numbers": f"Of the paper's {told['cells_total']} accuracies, held against ours with the errors of both and a "
        f"margin of {told['margin']}, {told['cells_equivalent']} are equivalent, {told['cells_different']} differ and "
        f"{told['cells_open']} are open. By the laxer rule that was committed first, {told['cells_reproduced']} are "
        f"reproduced under our default protocol, {told['cells_explained']} more under a reading of its text or code "
        f"that was picked number by number (exploratory), and {told['cells_unexplained']} under none. "
        f"Of its {told['claims_total']} testable sentences {told['claims_said']}.",
        "cause": f"Constrained ELMs lead plain ELM on {told['gap_sets']} of {told['causes_sets']} data sets, by "
        f"{told['gap_least']} to {told['gap_most']} points{reason}: Gaussian weights with the covariance of the "
        "training rows and the same scale, which know second moments alone and no label, are estimated to close "
        f"{told['covariance_least']} % to {told['covariance_most']} % of that lead (surely 80 % or more on "
        f"{told['covariance_sure']} of {told['gap_sets']}).",
        "ingredients": f"Samples in the place of those Gaussian weights add {told['samples_least']} to "
        f"{told['samples_most']} points, and labels on top of samples {told['labels_least']} to "
        f"{told['labels_most']}.{_equal_spreads(told)}",
        "caution": f"{told['cells_different']} accuracies surely differ from ours by more than the margin. That a "
        "reading explains a number is weak evidence, because readings are picked after the fact: of random numbers "
        f"within 3 points of ours in Table I, {told['chance_table1']} % would count as reproduced or explained."
        f"{_held_on(told)}",
        **_elsewhere(told),
    }


def _held_on(told: dict[str, str]) -> str:
    """How many of the sentences that hold rest on choices that were fitted to the paper."""
    if not int(told.get("claims_holds_calibrated", 0)):
        return ""
    return (
        f" Of the {told['claims_held']} sentences that hold, {told['claims_holds_calibrated']} rest on defaults that "
        "were calibrated by the published results."
    )


def _equal_spreads(told: dict[str, str]) -> str:
    """What is left of the ingredients once the scale is chosen, on the sets that have been run."""
    if "spread_scale" not in told:
        return ""
    run, all_sets = told["spread_sets"], told["causes_sets"]
    where = f"all {run} of these sets" if run == all_sets else f"{run} of these {all_sets} sets"
    return (
        f" Once cross-validation chooses the scale of the weights, as tried on {where}, that choice alone gains ELM "
        f"{told['spread_scale']} points; beyond it, directions with the data's covariance gain "
        f"{told['spread_covariance']} and directions of samples {told['spread_samples']}."
    )


def _elsewhere(told: dict[str, str]) -> dict[str, str]:
    """What is left of the lead on other data, at a scale that folds choose."""
    if "wide_celms" not in told:
        return {}
    alike = ""
    if "wide_alike" in told:
        alike = f", a mean in which one of them, {told['wide_heaviest']}, has {told['wide_share']} % of the weight "
        alike += f"(with equal weights: {told['wide_alike'].replace(' (', ', ').replace(')', '')})"
    return {
        "elsewhere": f"On {told['wide_sources']} tables that no trial had seen, constrained ELMs lead an ELM whose "
        f"scale is cross-validated by {told['wide_celms']}{alike}; their lead over plain ELM there, "
        f"{told['wide_drawn']}, {WORDS.get(told['wide_drawn_verdict'], told['wide_drawn_verdict'])}. "
        f"On {told['wide_image_sets']} sets of images, directions with the data's covariance gain "
        f"{told['wide_images']} beyond such a scale."
    }


def plain_conclusion(told: dict[str, str]) -> str:
    """The sentence that all texts answer with, from the facts."""
    numbers = int(told["cells_equivalent"]), int(told["cells_different"])
    return conclusion(numbers, (int(told["claims_held"]), int(told["claims_failed"])))


def headline_rows(found: Found) -> list[dict[str, str]]:
    """One row per table: how many numbers are equivalent and have each verdict, and the leads over ELM.

    A table whose defaults were chosen by looking at its numbers is called calibrated. Nothing is said of
    numbers that were not run where all were.
    """
    rows = [_row(found.verdict, table) for table in TABLES]
    left_out = {NOT_RUN} if all(row[NOT_RUN] == "0" for row in rows) else set()
    return [{title: words for title, words in row.items() if title not in left_out} for row in rows]


def _row(verdict: dict[str, Any], table: str) -> dict[str, str]:
    cells = [cell for cell in verdict["cells"]["list"] if cell["table"] == table]
    title = f"{TABLES[table]} (calibrated)" if papers()["celm"].tables[table].calibrated else TABLES[table]
    row = {"table": title, "numbers": str(len(cells))}
    for word in EQUIVALENCE:
        row[word] = str(sum((cell.get("equivalence") or {}).get("verdict") == word for cell in cells))
    for word, title in COLUMNS.items():
        row[title] = str(sum(cell["verdict"] == word for cell in cells))
    return row | {
        "CELMs above ELM, paper": f"{lead_of(verdict, table, 'paper'):+.1f} points",
        "CELMs above ELM, ours": f"{lead_of(verdict, table, 'ours'):+.1f} points",
    }


def told() -> dict[str, str]:
    """All facts of the published findings, with the answer among them, whole and in short: its parts are paragraphs."""
    words = facts()
    said = answer(words)
    return {
        **words,
        "answer": "\n\n".join(said.values()),
        "answer_short": f"{said['numbers']}\n\n{said['cause']}",
        "plain_conclusion": plain_conclusion(words),
    }
