"""The power of the planned rounds: what is named before the run, and from which rounds."""

import numpy as np
import pandas as pd

from celm.analysis.claims.outcome import Item, Measured
from celm.analysis.power import WANTED
from celm.base.names import CELMS
from celm.render.markdown import markdown
from experiments.analyses.sentences_judged import written_claims
from experiments.papers.celm.analyses.design_power import POWER, kinds_of, planned_rounds


def curves(spread):
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "dataset": dataset, "model": model, "n_hidden": count, "round": r, "n_train": 1333, "n_test": 667,
            "official_split": False, "accuracy": 0.9 + 0.05 * (model in CELMS) + spread * rng.standard_normal(),
        }
        for dataset in ("mdd_fac", "mdd_fou", "mdd_kar", "mdd_pix", "mdd_zer")
        for model in (*CELMS, "elm", "orthogonal_elm", "normalized_elm")
        for count in (50, 100, 150, 200)
        for r in range(6)
    )  # fmt: skip


def test_what_has_no_records_is_named_and_noise_takes_power_away():
    quiet, loud = (POWER.find({"fig4": curves(spread)}) for spread in (0.002, 1.0))
    name = "constrained_weights_help_beyond_normalisation"
    assert quiet.powers[name].least > 0.9
    assert loud.powers[name].least < WANTED
    assert "no exploratory records of table1" in quiet.without["celms_above_bp"]
    assert "learning_speed_as_printed" not in {*quiet.powers, *quiet.without}
    text = markdown(POWER.document(loud))
    assert f"`{name}`" in text.split("Not known before the run")[0]
    assert set(POWER.numbers(quiet)["claim"]) == {*quiet.powers, *quiet.without}


def test_what_the_simulation_leaves_out_is_said_below_the_table():
    shorter = curves(0.002)
    shorter = shorter[(shorter["dataset"] != "mdd_fou") | (shorter["n_hidden"] <= 100)]
    same, differing = (POWER.find({"fig4": frame}) for frame in (curves(0.002), shorter))
    assert same.kinds["averaged"] == []
    assert differing.kinds["averaged"] == ["uci_curves_above_elm", "uci_curves_above_orthogonal_elm"]
    below = markdown(POWER.document(differing)).split("fails, if outside")[1]
    assert "`uci_curves_above_elm`" in below.split("Curves, too high")[1]
    assert "Shares, too high" not in below
    assert "Not in the confirmatory run" not in below


def test_what_the_confirmatory_run_leaves_out_is_named():
    claims = {claim.id: claim for claim in written_claims()}
    nothing = Measured([], Item("", 0.0, 0.0, 0.0), "points")
    assert [*kinds_of(claims["tsne_separates_classes"], nothing)] == ["not repeated"]
    assert [*kinds_of(claims["most_celms_outperform_others"], nothing)] == ["share"]
    assert [*kinds_of(claims["celms_above_bp"], nothing)] == []


def test_rounds_are_those_of_the_confirmatory_run():
    assert planned_rounds("fig4") == 100
    assert planned_rounds("fig5a") == 10
    assert planned_rounds("layer_times") == 10
    assert planned_rounds("fig6") == 5
