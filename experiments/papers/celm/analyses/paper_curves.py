"""Figs 4 and 5 and the stages of Table III's deep systems: accuracy along node counts, layers or modules."""

from __future__ import annotations

from functools import partial
from typing import Any

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


def curve_analyses(
    name: str, about: str, reads: tuple[str, ...], letters: str = ""
) -> tuple[Analysis[list[Panel]], ...]:
    """The figure as the paper has it, and with all our models: the second is what the page draws alive."""
    need: dict[str, Any] = {"reads": reads, "needs": reads[:1], "picture": drawn}
    plain, extended = (partial(side_by_side, extended=more, letters=letters) for more in (False, True))
    alive = partial(curve_figure, name, about)
    return (
        Analysis(name=name, about=about, find=plain, **need),
        Analysis(
            f"{name}_extended", f"{about}, with normalized ELM", find=extended, section=alive, chapter="Curves", **need
        ),
    )


CURVES = (
    *curve_analyses("fig4", "Fig 4: six UCI sets", ("fig4",)),
    *curve_analyses("fig5", "Fig 5: MNIST and CIFAR-10", ("fig5a", "fig5b"), letters="ab"),
)
SUBSETS = Analysis(
    name="fig5_subset",
    about="Fig 5 with ten thousand training rows, as its caption can be read",
    reads=(f"fig5a{SUBSET}", f"fig5b{SUBSET}"),
    needs=(f"fig5a{SUBSET}",),
    find=partial(side_by_side, extended=False, letters="ab"),
    picture=drawn,
    chapter="Figures",
)
STAGES = Analysis(
    "stages", "The deep systems of Table III: accuracy by layer of R²SVM and by module of DCN", ("table3",), stages,
    picture=drawn, chapter="Figures",
)  # fmt: skip
