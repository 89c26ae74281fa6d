"""Figs 4 and 5 and the stages of Table III's deep systems: accuracy along node counts, layers or modules."""

from __future__ import annotations

from functools import partial

import pandas as pd

from celm.render.figures import Panel, curves_along, draw_panels, panel_numbers, panels
from experiments.analysis import Analysis, Frames, Picture
from experiments.report.svg import curve_figure

SUBSET = "+subset_10000"


def of_the_paper(frame: pd.DataFrame) -> pd.DataFrame:
    """The records of the models that the paper's figures show."""
    shown: pd.DataFrame = frame[frame["model"] != "normalized_elm"]
    return shown


def side_by_side(frames: Frames, *, extended: bool = True, letters: str = "") -> list[Panel]:
    """A panel per data set of every study, with a letter before those of each study where letters are given."""
    found = []
    for place, frame in enumerate(frames.values()):
        letter = f"({letters[place]}) " if letters else ""
        for panel in panels(frame if extended else of_the_paper(frame), ["subset"] if "subset" in frame else []):
            found.append(panel._replace(title=f"{letter}{panel.title}"))
    return found


def drawn(shown: list[Panel]) -> Picture:
    """Two panels to a row."""
    return Picture(draw_panels(shown, columns=2), panel_numbers(shown))


def stages(frames: Frames) -> list[Panel]:
    """The systems that answer after every stage: accuracy by layer of R²SVM, by module of DCN."""
    (frame,) = frames.values()
    systems = (("R²SVM", ["r2svm"], "Layer"), ("DCN", ["dcn", "dcn_rbm"], "Module"))
    return [
        Panel(title, curves_along(frame[frame["model"].isin(models)], "stage"), along)
        for title, models, along in systems
    ]


FIG4 = Analysis(
    name="fig4",
    about="Fig 4: six UCI sets",
    reads=("fig4",),
    find=partial(side_by_side, extended=False),
    picture=drawn,
)
FIG4_EXTENDED = Analysis(
    name="fig4_extended",
    about="Fig 4: six UCI sets, with normalized ELM",
    reads=("fig4",),
    find=side_by_side,
    picture=drawn,
    section=lambda shown: curve_figure("fig4", "Fig 4: six UCI sets", shown),
    chapter="Curves",
)
FIG5 = Analysis(
    name="fig5",
    about="Fig 5: MNIST and CIFAR-10",
    reads=("fig5a", "fig5b"),
    needs=("fig5a",),
    find=partial(side_by_side, extended=False, letters="ab"),
    picture=drawn,
)
FIG5_EXTENDED = Analysis(
    name="fig5_extended",
    about="Fig 5: MNIST and CIFAR-10, with normalized ELM",
    reads=("fig5a", "fig5b"),
    needs=("fig5a",),
    find=partial(side_by_side, letters="ab"),
    picture=drawn,
    section=lambda shown: curve_figure("fig5", "Fig 5: MNIST and CIFAR-10", shown),
    chapter="Curves",
)
FIG5_SUBSET = Analysis(
    name="fig5_subset",
    about="Fig 5 with ten thousand training rows, as its caption can be read",
    reads=(f"fig5a{SUBSET}", f"fig5b{SUBSET}"),
    needs=(f"fig5a{SUBSET}",),
    find=partial(side_by_side, extended=False, letters="ab"),
    picture=drawn,
    chapter="Figures",
)
STAGES = Analysis(
    name="stages",
    about="The deep systems of Table III: accuracy by layer of R²SVM and by module of DCN",
    reads=("table3",),
    find=stages,
    picture=drawn,
    chapter="Figures",
)
