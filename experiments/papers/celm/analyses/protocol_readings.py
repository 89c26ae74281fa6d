"""The readings of Table I as whole protocols in ten rounds: an exercise of the method."""

from __future__ import annotations

import pandas as pd

from celm.analysis.one_choice import chosen_for_all_rounds
from celm.analysis.protocols import completed
from celm.analysis.protocols.panel import COLUMNS
from celm.analysis.protocols.protocol_tables import fits_table
from celm.analysis.summary import chosen_rows
from celm.render.document import Document
from celm.render.document import document as written
from experiments.analysis import Analysis, Frames, NotComplete
from experiments.config.study_names import Identity
from experiments.papers.celm.analyses.protocols import FAMILY, TABLE, Judged, drawn, judged, told_of


def find_readings(frames: Frames) -> Judged:
    """Every reading that was run in all rounds of the default; models it leaves alone are the default's."""
    parts: list[pd.DataFrame] = []
    default = chosen_rows(frames[TABLE.name]) if TABLE.name in frames else None
    for name, frame in frames.items():
        if name == TABLE.printed or default is None:
            continue
        rows = chosen_rows(chosen_for_all_rounds(frame))
        rows = rows[rows["model"].isin(FAMILY)].assign(protocol=Identity.parse(name).reading or name)
        if not rows.empty and set(rows["round"]) == set(default["round"]):
            parts.append(rows[list(COLUMNS)])
    if len(parts) < 2:
        raise NotComplete(f"protocol_readings: needs all cells of {TABLE.name} and of a reading in as many rounds")
    return judged(completed(pd.concat(parts, ignore_index=True), TABLE.name), frames[TABLE.printed])


def told_readings(found: Judged) -> Document:
    """The same of the readings, called what it is."""
    remark = (
        "Exploratory: single readings in few rounds, an exercise of the method. Readings that hardly change anything "
        "cannot be told apart in so few."
    )
    return written("Readings of Table I as whole protocols", told_of(found, remark))


READINGS = Analysis(
    name="protocol_readings",
    about="The readings of Table I as whole protocols: exploratory, ten rounds",
    reads=(TABLE.printed, TABLE.name, *(TABLE.study_of(name) for name in TABLE.readings)),
    needs=(),
    unfinished=True,
    find=find_readings,
    document=told_readings,
    numbers=lambda found: fits_table(found.findings),
    picture=drawn,
    chapter="Readings",
)
