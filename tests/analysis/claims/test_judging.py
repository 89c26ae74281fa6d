"""How a claim is written: what is missing or misspelt is answered by name."""

import json

import pandas as pd
import pytest

from celm.analysis.claims import claim_of, claims_document, claims_of, claims_table, judge

ENTRY = {
    "id": "one",
    "section": "I",
    "says": "A sentence.",
    "why": "A reason.",
    "reads": ["table1"],
    "measure": "range",
    "with": {"models": ["selm", "cselm"]},
    "at_most": 0.02,
}


def without(key):
    return {name: value for name, value in ENTRY.items() if name != key}


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (without("why"), "claim one: why is missing"),
        (without("at_most"), "claim one: needs at_least or at_most"),
        ({**ENTRY, "at_mots": 1}, "Did you mean 'at_most'"),
        ({**ENTRY, "measure": "rang"}, "Did you mean 'range'"),
        ({**ENTRY, "with": {"model": ["selm"]}}, "Did you mean 'models'"),
        ({**ENTRY, "with": {}}, "range missing 1 required positional argument: 'models'"),
    ],
)
def test_a_claim_that_cannot_be_read_says_why(entry, words):
    with pytest.raises(ValueError, match="claim one: ") as error:
        claim_of(entry)
    assert words in str(error.value)


def test_ids_differ():
    with pytest.raises(ValueError, match="claim one: this id is there twice"):
        claims_of([ENTRY, ENTRY])


def test_texts_hold_every_claim_and_count_verdicts(world):
    claims = claims_of([ENTRY, {**ENTRY, "id": "two", "reads": ["table9"]}])
    judged = [(claim, judge(claim, world, {"table9": "run it"})) for claim in claims]
    document = claims_document(judged)
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert document["counts"]["holds"] == document["counts"]["not run"] == 1
    first, second = document["claims"]
    assert len(first["numbers"]) == 6
    assert first["asked"] == "at most +2.0"
    assert second["effect"] is None
    assert "table9 (run: run it)" in second["sentence"]
    table = claims_table(judged).set_index("id")
    assert table["verdict"].to_dict() == {"one": "holds", "two": "not run"}


def test_a_margin_came_first_only_if_none_of_its_records_were_there_before():
    assert claim_of(ENTRY).margin_first
    assert not claim_of(ENTRY, known=ENTRY["reads"]).margin_first
    assert not claim_of({**ENTRY, "reads": ["celm/table1"]}).margin_first
    assert not claim_of({**ENTRY, "late": True}).margin_first


def test_a_wider_study_without_a_model_on_one_set_takes_nothing_from_the_verdict(world):
    entry = {**ENTRY, "measure": "lead", "with": {"models": ["selm"], "baselines": ["elm"]}, "at_least": 0.0}
    claim = claim_of({**{name: value for name, value in entry.items() if name != "at_most"}, "joins": ["suite"]})
    further = [world["table1"].assign(dataset=world["table1"]["dataset"] + f"_{place}") for place in "abc"]
    suite = pd.concat(further, ignore_index=True)
    lacking = suite[(suite["dataset"] != "wdbc_a") | (suite["model"] != "selm")]
    alone, whole, most = (
        judge(claim, frames, {}) for frames in (world, {**world, "suite": suite}, {**world, "suite": lacking})
    )
    assert alone.verdict == whole.verdict == most.verdict == "holds"
    assert alone.on_these_data == whole.on_these_data == most.on_these_data
    assert alone.beyond.sources < most.beyond.sources == whole.beyond.sources - 1
