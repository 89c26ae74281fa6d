"""A figure's files: the same numbers give the same bytes, whatever the user's matplotlib settings."""

import io

import matplotlib
import pandas as pd
import pytest
from matplotlib import rc_context

from celm.render.figures import Panel, draw_panels, figure_files

CURVES = pd.DataFrame(
    {
        "model": ["elm", "elm", "selm", "selm"],
        "n_hidden": [10, 20, 10, 20],
        "accuracy_mean": [0.5, 1 / 3, 0.7, 0.8],
        "accuracy_std": [0.1, 0.05, float("nan"), 0.0],
        "ci_low": [0.4, 0.3, float("nan"), 0.8],
        "ci_high": [0.6, 0.4, float("nan"), 0.8],
        "rank_mean": [10.0, 15.5, 10.0, 20.0],
        "rounds": 10,
    }
)


def files():
    return figure_files(draw_panels([Panel("Spiral", CURVES)], columns=1), CURVES)


@pytest.fixture(scope="module")
def made():
    return files()


def test_the_same_bytes_twice_whatever_the_users_settings_which_are_left_alone(made):
    assert set(made) == {"png", "svg", "pdf", "csv"}
    with rc_context({"font.size": 30, "axes.grid": False, "lines.linewidth": 9, "savefig.dpi": 20}):
        assert files() == made
        assert matplotlib.rcParams["font.size"] == 30


def test_every_file_is_what_its_ending_says(made):
    assert made["png"].startswith(b"\x89PNG")
    assert made["pdf"].startswith(b"%PDF")
    assert b"<svg" in made["svg"]
    assert b"Date" not in made["pdf"]
    assert b"<dc:date>" not in made["svg"]


def test_the_plotted_numbers_with_six_digits(made):
    text = made["csv"].decode()
    assert text.splitlines()[2] == "elm,20,0.333333,0.05,0.3,0.4,15.5,10"
    assert list(pd.read_csv(io.StringIO(text)).columns) == list(CURVES.columns)
