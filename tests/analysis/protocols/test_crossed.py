"""Scaling × selection × weights from records, and the tables made of what they say."""

import numpy as np
import pandas as pd
import pytest

from celm.analysis.protocols import panel_of, protocol_findings
from celm.analysis.protocols.crossed import ProtocolName, crossed, protocol_name
from celm.analysis.protocols.protocol_tables import answer, fits_table
from celm.base.names import dataset_label


def _text(rng, n):
    return " ".join(map(str, rng.integers(20, 40, n)))


def _records(models, seed, scalings=("per_feature", "raw")):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "features": scaling, "dataset": "wdbc", "model": model, "round": r, "counts": [5, 10], "exponents": [0, 2],
            "n_test": 40, "held_out": _text(rng, 6), "tested": _text(rng, 6), "plain": _text(rng, 2),
        }
        for scaling in scalings
        for model in models
        for r in range(4)
    )  # fmt: skip


def test_scalings_selections_and_weights_are_crossed():
    frame = crossed({"text": _records(["elm", "selm", "cselm"], 0), "code": _records(["cselm"], 1)})
    assert frame["protocol"].nunique() == 2 * 6 * 2
    assert set(frame.groupby("protocol").size()) == {3 * 4}
    published = pd.DataFrame({"dataset": "wdbc", "model": ["elm", "selm", "cselm"], "accuracy": 0.8})
    assert len(panel_of(frame, published).protocols) == 24


def test_models_that_the_code_draws_as_the_text_does_stand_for_both():
    frame = crossed({"text": _records(["elm", "cselm"], 0), "code": _records(["cselm"], 1)})
    by = frame.set_index(["protocol", "model", "round"])["accuracy"]
    text, code = (by.loc[f"raw/joint/{weights}"] for weights in ("text", "code"))
    assert text.loc["elm"].tolist() == code.loc["elm"].tolist()
    assert text.loc["cselm"].tolist() != code.loc["cselm"].tolist()


def test_names_and_holes():
    assert str(ProtocolName("raw", "joint", "code")) == "raw/joint/code"
    assert protocol_name("raw/joint/code") == ("raw", "joint", "code")
    with pytest.raises(ValueError, match="got 'raw/joint'"):
        protocol_name("raw/joint")
    with pytest.raises(ValueError, match="weights must be one of code"):
        crossed({"code": _records(["elm"], 0)})


def test_tables_name_the_answer_and_every_protocol(world, paper_of):
    findings = protocol_findings(paper_of(world, 7), papers=60)
    table = fits_table(findings)
    assert table["name"].iloc[0] == "protocol7"
    assert len(table) == 12
    assert table["log_likelihood"].is_monotonic_decreasing
    assert "most probable protocol is protocol7" in answer(findings.identified["ours"])
    nobody = findings.identified["ours"]._replace(most_probable=None, fails_on=("wdbc",))
    assert answer(nobody) == f"No listed protocol fits. The nearest is protocol7; it fails on {dataset_label('wdbc')}."
