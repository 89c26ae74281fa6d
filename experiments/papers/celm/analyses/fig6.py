"""Fig 6: hidden outputs of MNIST digits in the plane, the numbers that judge them, and its reading without PCA."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pandas as pd

from celm.analysis.plane_measures import plane_summary
from celm.render.document import Block, Document, Heading, Paragraph, document
from celm.render.figures import draw_planes, plane_points
from celm.render.planes_table import planes_table, setting_words
from experiments.analysis import Analysis, Frames, Picture
from experiments.report.document_html import document_html
from experiments.report.markup import Html, join, tag
from experiments.report.svg import plane
from experiments.results import title_of, together

FIG6, NO_PCA = "fig6", "fig6+no_pca"
HEADINGS = {FIG6: "Fig 6", NO_PCA: "Fig 6 without principal components before t-SNE"}


class Planes(NamedTuple):
    """What judges the planes of every study that is complete, and the records of the first that keep their points."""

    summaries: dict[str, pd.DataFrame]
    kept: pd.DataFrame


def find(frames: Frames) -> Planes:
    """One summary per study, and the points of the first."""
    first = next(iter(frames.values()))
    kept = first[(first["model"] != "normalized_elm") & first["plane_x"].notna()]
    return Planes({name: plane_summary(frame) for name, frame in frames.items()}, kept)


def _blocks(summaries: Mapping[str, pd.DataFrame]) -> Iterator[Block]:
    for name, summary in summaries.items():
        yield Heading(HEADINGS[name])
        yield Paragraph(setting_words(summary))
        yield planes_table(summary)


def told(found: Planes) -> Document:
    """The table of every study."""
    return document(title_of(FIG6), _blocks(found.summaries))


def drawn(found: Planes) -> Picture:
    """The planes side by side, each with what judges it."""
    notes = {
        str(model): f"{row['neighbours']}-NN accuracy {row['accuracy']:.3f}, KL {row['kl_divergence']:.2f}"
        for model, row in found.kept.set_index("model").iterrows()
    }
    points = plane_points(found.kept)
    return Picture(draw_planes(points, notes), points)


def alive(found: Planes) -> Html:
    """The points of every model as the page draws them, and the numbers."""
    groups = plane_points(found.kept).groupby("model", sort=False)
    planes = [plane(str(model), points) for model, points in groups]
    return join([tag("div", {"class": "plots planes"}, *planes), document_html(told(found), "fig6")])


NUMBERS = Analysis(
    name=FIG6,
    about="Fig 6: hidden outputs of MNIST digits in the plane by t-SNE",
    reads=(FIG6, NO_PCA),
    needs=(FIG6,),
    find=find,
    document=told,
    numbers=lambda found: together(found.summaries),
    picture=drawn,
    section=alive,
    chapter="Figures",
)
WITHOUT_PCA = Analysis(
    name="fig6_no_pca",
    about="Fig 6 without principal components before t-SNE",
    reads=(NO_PCA,),
    find=find,
    picture=drawn,
)
