"""From tidy frames to arrays, and what is said when something is missing."""

import numpy as np
import pandas as pd
import pytest

from celm.analysis.protocols import completed, panel_of


def test_a_frame_becomes_its_panel_whatever_the_order_of_its_rows(small, frame_of):
    frame, published = frame_of(small)
    frame = pd.concat([frame, frame.iloc[:1].assign(model="bp")])  # not published: left out
    found = panel_of(frame.sample(frac=1, random_state=0).sort_values("protocol", kind="stable"), published)
    assert found.protocols == small.protocols
    assert (found.rounds, found.cells) == (6, 14)
    ours = {one.dataset: one for one in found.sets}
    for one in small.sets:
        order = [ours[one.dataset].models.index(model) for model in one.models]
        np.testing.assert_array_equal(ours[one.dataset].accuracy[:, :, order], one.accuracy)
        np.testing.assert_array_equal(ours[one.dataset].published[order], one.published)


def test_a_missing_or_double_row_is_named(small, frame_of):
    frame, published = frame_of(small)
    hole = frame[~((frame["protocol"] == "protocol1") & (frame["model"] == "selm") & (frame["round"] == 2))]
    with pytest.raises(ValueError, match="protocol1 has no round 2 of selm on set0"):
        panel_of(hole, published)
    with pytest.raises(ValueError, match="two rows for"):
        panel_of(pd.concat([frame, frame.iloc[:1]]), published)
    with pytest.raises(ValueError, match="column must be one of"):
        panel_of(frame.drop(columns="accuracy"), published)
    with pytest.raises(ValueError, match="no model of the frame"):
        panel_of(frame, published.assign(dataset="other"))


def test_models_that_a_protocol_leaves_alone_are_those_of_the_default(small, frame_of):
    frame, published = frame_of(small)
    partial = frame[(frame["protocol"] != "protocol1") | frame["model"].isin(["cselm"])]
    found = panel_of(completed(partial, "protocol0"), published)
    for one in found.sets:
        at = one.models.index("cselm")
        others = [place for place in range(7) if place != at]
        np.testing.assert_array_equal(one.accuracy[1][:, others], one.accuracy[0][:, others])
        assert (one.accuracy[1][:, at] != one.accuracy[0][:, at]).all()
    with pytest.raises(ValueError, match="base must be one of"):
        completed(frame, "protocl0")


def test_a_protocol_can_be_taken_off_the_list(small):
    shorter = small.without("protocol1")
    assert shorter.protocols == ("protocol0", "protocol2")
    np.testing.assert_array_equal(shorter.sets[0].accuracy[1], small.sets[0].accuracy[2])
