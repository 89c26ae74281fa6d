"""The finding in one figure: what of the lead over ELM is left for samples and labels, on every data set."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from celm.analysis.causes import at_largest_count, effects
from celm.render.figures.gap_shares import draw_shares
from celm.render.style import ModelStyle
from experiments.analysis import Analysis, Frames, Picture

# What is changed in ELM, from the least to all that a constrained ELM has.
SHOWN = {
    "random/squared/uniform": ModelStyle("random weights, the paper's scale", "#e69f00", marker="o"),
    "gaussian/squared/uniform": ModelStyle(
        "and the data's covariance: second moments, no label", "#1a1a6e", marker="s"
    ),
    "samples/squared/uniform": ModelStyle("samples (SELM)", "#1e90ff", marker="^"),
}


def find(frames: Frames) -> pd.DataFrame:
    """Share of the gap that each change closes, at the largest node count of every data set that has a gap."""
    measured = at_largest_count(effects(pd.concat(frames.values(), ignore_index=True)))
    gaps = measured[(measured["kind"] == "gap") & (measured["low"] > 0)].set_index("dataset")["effect"]
    changes = measured[(measured["kind"] == "change") & measured["name"].isin(list(SHOWN))]
    kept = changes[changes["dataset"].isin(gaps.index)]
    columns = ["dataset", "n_hidden", "name", "share", "share_low", "share_high", "rounds"]
    shares: pd.DataFrame = kept[columns].assign(gap=kept["dataset"].map(gaps)).reset_index(drop=True)
    return shares


def drawn(shares: pd.DataFrame) -> Figure:
    """The figure of the README and of the article."""
    return draw_shares(shares, SHOWN, ("ELM", "best constrained ELM"))


FINDING = Analysis(
    name="finding",
    about="The finding: how much of the lead over ELM remains for samples and labels",
    reads=("causes_mdd", "causes_mnist", "causes_cifar10"),
    needs=(),
    find=find,
    picture=lambda shares: Picture(drawn(shares), shares),
)
