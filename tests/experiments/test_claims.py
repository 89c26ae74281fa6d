"""The regression gate: what was reproduced must stay so, and the gate changes no file."""

import json

import pytest

from celm.analysis.claims import Outcome
from experiments import claims
from experiments.config.schema import register

register()


THREE = claims.written_claims()[:3]


@pytest.fixture
def judged():
    return [(claim, Outcome("reproduced", "It holds.", 1.0, 0.9, 1.1, "times")) for claim in THREE]


@pytest.fixture
def results(tmp_path, monkeypatch, judged):
    monkeypatch.setattr(claims, "RESULTS", tmp_path)
    monkeypatch.setattr(claims, "ROOT", tmp_path)
    monkeypatch.setattr(claims, "DOCUMENT", tmp_path / "claims.json")
    claims.write_claims(judged)
    return tmp_path


def test_three_files_are_written(results):
    assert sorted(str(path.relative_to(results)) for path in results.rglob("*.*")) == [
        "claims.json",
        "tables/claims.csv",
        "tables/claims.md",
    ]


def test_the_gate_passes_while_all_stays_reproduced(results, judged, capsys):
    claims.check_claims(judged)
    assert "every one of the 3 claims" in capsys.readouterr().out


@pytest.mark.parametrize("verdict", ["partly", "not reproduced", "undecided", "not run"])
def test_the_gate_names_a_lost_claim_and_writes_nothing(results, judged, capsys, verdict):
    before = (results / "claims.json").read_bytes()
    claim, outcome = judged[1]
    judged[1] = claim, outcome._replace(verdict=verdict, sentence="It broke.")
    with pytest.raises(SystemExit, match="1 claims are lost"):
        claims.check_claims(judged)
    assert f"{claim.id}: was reproduced, now {verdict}. It broke." in capsys.readouterr().out
    assert (results / "claims.json").read_bytes() == before


def test_a_claim_that_is_gone_is_lost(results, judged):
    recorded = json.loads((results / "claims.json").read_text())
    assert claims.lost_claims(recorded, judged[1:]) == [
        f"{judged[0][0].id}: was reproduced, is no longer among the claims"
    ]


def test_a_claim_that_was_not_reproduced_cannot_be_lost(results, judged):
    recorded = json.loads((results / "claims.json").read_text())
    recorded["claims"][0]["verdict"] = "partly"
    assert claims.lost_claims(recorded, judged[1:]) == []


def test_the_gate_needs_a_record(results, judged):
    (results / "claims.json").unlink()
    with pytest.raises(SystemExit, match=r"claims\.json does not exist"):
        claims.check_claims(judged)


def test_commands_name_readings_and_sweeps():
    assert command_words("table1+raw_values") == "experiment=table1 reading=raw_values"
    assert command_words("spiral_map") == "-m sweep=spiral_map"


def command_words(experiment):
    run, publish = claims.command_of(experiment).split(", then ")
    assert publish == f"python -m experiments.publish records {experiment}"
    return run.removeprefix("python -m experiments.run ")


def test_printed_tables_are_frames(monkeypatch):
    frame = claims.frame_of("paper/table3", "published")
    assert set(frame["round"]) == {0}
    assert frame.set_index("model").loc["selm", "accuracy"] == 0.733
