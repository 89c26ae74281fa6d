"""The regression gate: what held must hold, and the gate changes no file."""

import json

import pytest

from celm.analysis.bounds import Bounds
from celm.analysis.claims import Item, Outcome, claims_table, entry_of, reason_of
from celm.analysis.levels import LevelVerdict, beyond
from experiments import claims
from experiments.analyses import sentences_standing
from experiments.analyses.sentences import CLAIMS, registered_text, section, told
from experiments.analyses.sentences_judged import command_of, written_claims
from experiments.outputs import write_tables
from experiments.registration.precedence import Registered
from experiments.report.claim_cards import beyond_text
from experiments.results import Results, printed

THREE = written_claims()[:3]


@pytest.fixture
def judged():
    here = LevelVerdict("holds", 1.0, 0.9, 1.1)
    return [
        (claim, Outcome("It holds.", here, LevelVerdict(None, reason="of one machine"), "times")) for claim in THREE
    ]


def now(outcome, verdict, sentence):
    return outcome._replace(on_these_data=LevelVerdict(verdict, 1.0, 0.9, 1.1), sentence=sentence)


@pytest.fixture
def results(tmp_path, judged):
    write_tables(CLAIMS, judged, tmp_path)
    return tmp_path


def test_three_files_are_written(results):
    assert sorted(str(path.relative_to(results)) for path in results.rglob("*.*")) == [
        "claims.json",
        "tables/claims.csv",
        "tables/claims.md",
    ]


def test_the_gate_passes_while_all_hold(results, judged, capsys):
    claims.check_claims(judged, Results(results))
    assert "every one of the 3 claims" in capsys.readouterr().out


@pytest.mark.parametrize("verdict", ["fails", "open", "vacuous", "not run"])
def test_the_gate_names_a_lost_claim_and_writes_nothing(results, judged, capsys, verdict):
    before = (results / "claims.json").read_bytes()
    claim, outcome = judged[1]
    judged[1] = claim, now(outcome, verdict, "It broke.")
    with pytest.raises(SystemExit, match="1 claims are lost"):
        claims.check_claims(judged, Results(results))
    assert f"{claim.id}: held, now {verdict}. It broke." in capsys.readouterr().out
    assert (results / "claims.json").read_bytes() == before


def test_a_claim_that_is_gone_is_lost(results, judged):
    recorded = json.loads((results / "claims.json").read_text())
    assert claims.lost_claims(recorded, judged[1:]) == [f"{judged[0][0].id}: held, is no longer among the claims"]


def test_a_claim_that_did_not_hold_cannot_be_lost(results, judged):
    recorded = json.loads((results / "claims.json").read_text())
    recorded["claims"][0]["on_these_data"]["verdict"] = "open"
    assert claims.lost_claims(recorded, judged[1:]) == []


def test_a_merged_claim_is_lost_with_its_heir_and_a_withdrawn_one_is_not(results, judged):
    recorded = json.loads((results / "claims.json").read_text())
    first, heir = judged[0][0].id, judged[1][0].id
    assert claims.lost_claims(recorded, judged[1:], claims.Gone(merged={first: heir})) == []
    assert claims.lost_claims(recorded, judged[1:], claims.Gone(withdrawn={first: "misread"})) == []
    judged[1] = judged[1][0], now(judged[1][1], "fails", "It broke.")
    (told, own) = claims.lost_claims(recorded, judged[1:], claims.Gone(merged={first: heir}))
    assert told == f"{first}, now {heir}: held, now fails. It broke."
    assert own.startswith(f"{heir}: held, now fails")


def test_the_gate_needs_a_record(results, judged):
    (results / "claims.json").unlink()
    with pytest.raises(SystemExit, match=r"claims\.json does not exist"):
        claims.check_claims(judged, Results(results))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[]", "no file of claims"),
        ("{}", "no file of claims"),
        ('{"claims": [3]}', "no file of claims"),
        ('{"claims": []}', "nothing would be checked"),
        ("{", "Expecting"),
    ],
)
def test_the_gate_needs_claims_that_could_be_lost(results, judged, text, told):
    (results / "claims.json").write_text(text)
    with pytest.raises(ValueError, match=told):
        claims.check_claims(judged, Results(results))


def test_commands_name_readings_and_sweeps():
    assert command_words("table1+raw_values") == "experiment=table1 reading=raw_values"
    assert command_words("spiral_map") == "-m sweep=spiral_map"


def command_words(experiment):
    run, publish = command_of(experiment).split(", then ")
    assert publish == f"python -m experiments.publish records {experiment}"
    return run.removeprefix("python -m experiments.run ")


def test_printed_tables_are_frames():
    assert printed("celm/table3").set_index("model").loc["selm", "accuracy"] == 0.733
    with pytest.raises(ValueError, match=r"celm/table9: no such table; table9\.csv is not under"):
        printed("celm/table9")


def test_the_page_opens_a_claim_to_its_comparisons_and_says_which_came_first(judged):
    claim, outcome = judged[0]
    items = [(Item("WDBC", 2.1, 2.0, 2.2), True), (Item("MDD", 1.0, 0.9, 2.5), None)]
    html = section([(claim, outcome._replace(numbers=tuple(items)))])
    assert f'<details class="claim" id="claim-{claim.id}"><summary>' in html
    assert "<td>1.00 times (0.90 to 2.50)</td><td>? open</td>" in html
    assert "Committed first: the margin, then the records;" in html
    assert "Measured: ratio of prediction times." in html
    assert "python -m experiments.run experiment=layer_times" in html
    assert "nothing can be said, of one machine" in html
    assert 'class="badge v-holds"' in html


def test_a_registered_claim_shows_the_run_that_decided_it():
    (claim,) = [one for one in written_claims() if one.id == "spiral_elm_reaches_point_eight"]
    assert not claim.margin_first
    decided = LevelVerdict("holds", 0.8, 0.79, 0.81, registered=True)
    known = Outcome("", decided, LevelVerdict(None, reason="one source"), "accuracy", minutes={"fig3": 2.0})
    html = section([(claim, known)])
    assert "confirm_fig3: about 2 minutes on one core" in html
    assert "python -m experiments.run experiment=confirm_fig3" in html
    assert "Committed first: the margin, then the records;" in html
    assert "1 of the 1 claims are judged on registered records" in registered_text([(claim, known)])


@pytest.mark.parametrize("joined", [True, False])
def test_beyond_these_data_a_claim_is_registered_only_with_the_sets_that_join(monkeypatch, joined):
    """The wide study was there when the confirmatory run was registered: its sets decide nothing as registered."""
    (claim,) = [one for one in written_claims() if one.id == "celms_improve_significantly"]
    assert claim.joins == ("suite",)
    here, further = (LevelVerdict("holds", 0.02, 0.01, 0.03, registered=True) for _ in range(2))
    known = Outcome("", here, further, "points")
    stands = {name: Registered(joined, "it was there first") for name in claim.joins}
    monkeypatch.setattr(sentences_standing, "find", lambda frames: [(claim, known)])
    monkeypatch.setattr(sentences_standing, "registered_by", lambda _, experiments: stands[next(iter(experiments))])
    ((_, outcome),) = CLAIMS.find({})
    assert outcome.on_these_data.registered
    assert outcome.beyond.registered is joined
    assert ("Exploratory: the sets that join (suite) are not" in section([(claim, outcome)])) is not joined


def test_the_committed_registrations_do_not_make_the_joined_sets_registered():
    stands = sentences_standing.registered_by("celms_improve_significantly", ("suite",))
    assert stands.answer is not True


def test_of_printed_numbers_the_page_says_how_many_fail():
    (claim,) = [one for one in written_claims() if one.id == "eight_points_over_svm_as_printed"]
    items = ((Item("CIFAR-10: SELM", 0.086, 0.086, 0.086), True), (Item("CIFAR-10: CDELM", 0.073, 0.073, 0.073), False))
    decided = LevelVerdict("fails", 0.0796, 0.0796, 0.0796)
    html = section([(claim, Outcome("", decided, LevelVerdict(None, reason="none"), "points", items))])
    words = (
        "difference of test accuracies: +8.0 points in the mean; the claim asks for at least +8.0 of each, 1 of 2 fail"
    )
    assert f'<small class="found">{words}</small>' in html


def claim_named(name):
    (claim,) = [one for one in written_claims() if one.id == name]
    return claim


def test_one_source_is_singular():
    reason = "1 independent sources (mnist); 5 are the fewest to speak of others"
    told = "1 independent source (mnist); at least 5 are needed to speak of others"
    assert reason_of(THREE[0], LevelVerdict(None, reason=reason), "points") == told
    other = LevelVerdict(None, reason="11 independent sources")
    assert reason_of(THREE[0], other, "points") == "11 independent sources"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("fewer_nodes_respond_faster", "a ratio of prediction times is a fact of one machine"),
        ("bp_learns_slowly", "a ratio of seconds to fit is a fact of one machine"),
        ("elm_needs_many_nodes_uci", "a ratio of node counts is a fact of the curves that it is read off"),
        (
            "tsne_of_elm_does_not_converge",
            "a ratio of divergence that t-SNE is left with is a fact of the maps of one data set",
        ),
    ],
)
def test_a_ratio_without_a_verdict_beyond_says_what_it_is_a_ratio_of(name, told):
    """The level says "times or counts" of every ratio, that of t-SNE's divergence too."""
    claim, nothing = claim_named(name), beyond((), Bounds(1.0, 2.0), "times")
    outcome = Outcome("", LevelVerdict("holds", 1.0, 0.9, 1.1), nothing, "times")
    assert beyond_text(claim, outcome) == f"– ({told})"
    assert entry_of(claim, outcome)["beyond"]["reason"] == told


def test_beyond_these_data_sources_are_counted_by_their_estimates_and_called_so():
    """48 of 66 estimates are above zero where the intervals of 18 are: "holds 48" would say that 48 are decided."""
    claim = claim_named("celms_improve_significantly")
    further = LevelVerdict("holds", 0.011, 0.006, 0.015, holds=48, fails=18, sources=66)
    outcome = Outcome("", LevelVerdict("holds", 0.02, 0.01, 0.03), further, "points")
    told = entry_of(claim, outcome)["beyond"]
    assert not {"holds", "fails", "open"} & told.keys()
    assert (told["estimates_where_asked"], told["estimates_elsewhere"]) == (48, 18)
    assert "By its estimate alone, which decides nothing, 48 sources lie where" in section([(claim, outcome)])
    assert beyond_text(claim, outcome) == "holds (exploratory)"


@pytest.mark.parametrize("registered", [True, False])
def test_card_and_document_mean_the_same_by_a_margin_that_came_first(registered):
    claim = claim_named("bp_learns_slowly")
    here = LevelVerdict("holds", 14.0, 13.0, 15.0, registered=registered)
    outcome = Outcome("", here, LevelVerdict(None, reason="none"), "times")
    assert entry_of(claim, outcome)["margin_first"] is registered
    assert list(claims_table([(claim, outcome)])["margin_first"]) == [registered]
    assert ("Committed first: the margin" in section([(claim, outcome)])) is registered


def test_no_sentence_claims_more_than_the_history_shows(judged):
    late = sum(not claim.margin_first for claim in THREE)
    assert 0 < late < 3
    assert "0 of the 3 claims are judged on registered records" in registered_text(judged)
    assert f"Of the others {late} read records" in registered_text(judged)
    assert any("exploratory" in str(block) for block in told(judged).blocks)
