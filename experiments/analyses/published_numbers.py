"""Is every published number reached? Every table of every paper: our means, verdicts, readings by distance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import pandas as pd

from celm.analysis.ranking import COLUMNS as RANKING_COLUMNS
from celm.analysis.ranking import ranking
from celm.analysis.summary import table_summary
from celm.analysis.table_cells import JudgedTable, judged_table
from celm.analysis.verdicts import MARGIN, MARGINS, records
from celm.analysis.words import CELL_VERDICTS, NOT_RUN, counted
from celm.base.names import dataset_label, model_label
from celm.render.accuracy_table import accuracy_document, accuracy_table
from celm.render.document import Block, Document, Paragraph, Table, document
from celm.render.latex import latex_table
from celm.render.numbers import span
from experiments.analysis import Analysis, Frames
from experiments.config.readings import reading_about
from experiments.config.schema import register
from experiments.papers import PublishedTable, papers
from experiments.results import title_of

# Readings name models by groups that the schema makes known.
register()
TABLES = tuple(table for paper in papers().values() if not paper.chapter for table in paper.tables.values())
# Tables of papers that have a chapter of their own: the table, and the chapter.
OTHERS = tuple(
    (table, paper.chapter) for paper in papers().values() if paper.chapter for table in paper.tables.values()
)


def judged(table: PublishedTable, frames: Frames) -> JudgedTable:
    """A table of a paper, whatever was run of it and of its readings."""
    nothing = pd.DataFrame()
    readings = {name: frames.get(table.study_of(name), nothing) for name in table.readings}
    base = frames.get(table.base, nothing) if table.run_base else None
    return judged_table(table.name, frames[table.printed], frames.get(table.name, nothing), readings, base)


def reads(table: PublishedTable) -> tuple[str, ...]:
    """The printed numbers, the default, the base of the readings, and the readings."""
    base = (table.base,) if table.run_base else ()
    return table.printed, table.name, *base, *(table.study_of(name) for name in table.readings)


def calibrated(table: PublishedTable) -> list[str]:
    """A sentence on what was chosen by looking at the published numbers; none where nothing was."""
    if not table.calibrated:
        return []
    return [f"Calibrated, chosen by what comes nearest to the published numbers: {'; '.join(table.calibrated)}."]


def _means(table: PublishedTable, name: str, frames: Frames) -> pd.DataFrame:
    return table_summary(frames[name], frames[table.printed])


def _means_document(table: PublishedTable, name: str, summary: pd.DataFrame) -> Document:
    return accuracy_document(summary, title_of(name), calibrated(table))


def _means_files(table: PublishedTable, name: str, summary: pd.DataFrame) -> dict[str, str]:
    caption = " ".join([f"{title_of(name)}.", *calibrated(table)])
    return {f"tables/{name}.tex": latex_table(accuracy_table(summary), caption)}


def _verdict_cells(row: Mapping[str, Any]) -> list[str]:
    name = [dataset_label(row["dataset"]), model_label(row["model"]), row["n_hidden"], f"{row['paper']:.3f}"]
    if row["verdict"] == NOT_RUN:
        return [*name, "", "", row["verdict"], "", "", ""]
    ours = [f"{row['accuracy_mean']:.3f} ({row['rounds']:.0f})", span(row["ci_low"], row["ci_high"]), row["verdict"]]
    if not isinstance(row["reading"], str):
        return [*name, *ours, "", "", ""]
    mark = f"≈ at {row['reading_nodes']}: " if row["reading_nodes"] else ""
    theirs = f"{mark}{row['reading_mean']:.3f} ({row['reading_rounds']:.0f})"
    return [*name, *ours, row["reading"], theirs, span(row["reading_low"], row["reading_high"])]


def _verdict_blocks(table: PublishedTable, found: JudgedTable) -> Iterator[Block]:
    counts = counted(found.verdicts["verdict"], CELL_VERDICTS)
    head = ", ".join(f"{n} {word}" for word, n in counts.items() if n or word != NOT_RUN)
    margins = ", ".join([f"{MARGIN:.3f}", *(f"{dataset_label(name)} {margin:.3f}" for name, margin in MARGINS.items())])
    yield Paragraph(f"{len(found.verdicts)} published cells: {head}.")
    yield Paragraph(
        f"Reproduced: the 95 % interval of the mean over rounds holds the published value, or the mean is within "
        f"{margins} of it. Explained: the interval of the named reading holds it; a reading is picked for every cell "
        "by itself, which chance alone would often allow, so this column is exploratory. Unexplained: neither; the "
        "nearest reading that was run stands beside it. In brackets the number of rounds. A single round has no "
        "interval. ≈ marks a reading that was run at another node count: the default here plus what the reading "
        "changes there. Neither can explain."
    )
    yield from map(Paragraph, calibrated(table))
    header = ["data set", "model", "nodes", "paper", "ours", "95 % interval", "verdict", "reading"]
    rows = [_verdict_cells(row) for row in records(found.verdicts)]
    yield Table([*header, "its value", "its interval"], rows)


def _verdict_document(table: PublishedTable, found: JudgedTable) -> Document:
    return document(f"{table.short}: is every published number reached?", _verdict_blocks(table, found))


def means_analysis(table: PublishedTable, name: str) -> Analysis[pd.DataFrame]:
    """Our table in the paper's layout, of the table itself or of a replica."""
    return Analysis(
        name=name,
        about=title_of(name),
        reads=(table.printed, name),
        unfinished=True,
        find=partial(_means, table, name),
        document=partial(_means_document, table, name),
        numbers=lambda summary: summary,
        files=partial(_means_files, table, name),
    )


def _counts(found: JudgedTable) -> dict[str, Any]:
    """How many numbers have each verdict, and every number: for verdict.json."""
    columns = ["dataset", "model", "n_hidden", "paper", "accuracy_mean", "ci_low", "ci_high", "rounds", "verdict"]
    rows = found.verdicts[columns].astype(object).to_dict(orient="records")
    known = [{name: None if value != value else value for name, value in row.items()} for row in rows]
    counts = {word.replace(" ", "_"): n for word, n in counted(found.verdicts["verdict"], CELL_VERDICTS).items()}
    return {"total": len(rows), **counts, "list": known}


def verdicts_of(table: str) -> str:
    """The name of the analysis that judges every number of a table."""
    return f"{table}_verdicts"


def verdict_analysis(table: PublishedTable, chapter: str = "") -> Analysis[JudgedTable]:
    """One verdict per published number; of a paper with a chapter of its own it is told there."""
    return Analysis(
        name=verdicts_of(table.name),
        about=f"{table.short}: is every published number reached?",
        reads=reads(table),
        needs=(table.printed,),
        unfinished=True,
        find=partial(judged, table),
        document=partial(_verdict_document, table),
        numbers=lambda found: found.verdicts,
        judged=_counts if chapter else None,
        chapter=chapter,
    )


def rank_readings(given: Mapping[str, Any]) -> pd.DataFrame:
    """One row per table and reading, by how near it comes to the published numbers."""
    rankings = []
    for table in TABLES:
        known: JudgedTable = given[verdicts_of(table.name)]
        seeing = [name for name in table.readings if reading_about(name).sees_test]
        ranked = ranking(known.paper, known.summary, known.readings, known.base, sees_test=seeing)
        rankings.append(ranked.assign(experiment=table.name))
    together: pd.DataFrame = pd.concat(rankings, ignore_index=True)
    ordered: pd.DataFrame = together[RANKING_COLUMNS]
    return ordered


def _ranking_cells(row: Mapping[str, Any]) -> list[str]:
    name, mark = [row["experiment"], row["reading"]], "yes" if row["sees_test"] else ""
    if not row["cells"]:
        return [*name, NOT_RUN, "", "", "", "", "", "", mark]
    cells = f"{row['cells']}" + (f", run at {row['nodes']} nodes" if row["nodes"] else "")
    points = [f"{100 * row[column]:.2f}" for column in ("distance", "default_distance")]
    near = [f"{100 * row['gain']:+.2f}", row["nearer_on"], f"{row['explains']}"]
    return [*name, cells, f"{row['rounds']}", *points, *near, mark]


def _ranking_document(rankings: pd.DataFrame) -> Document:
    about = (
        "Distance: mean |accuracy − paper| in points over the published cells that a reading changes, beside the "
        "default's on the same cells. Gain: how much nearer the reading comes, the median over cells, which a few "
        "collapsed baselines cannot decide; readings stand in its order. Explains: cells that the default does not "
        "reach and whose published value the reading's interval holds (a single round has no interval). Sees test: the "
        "reading chooses or scales with test rows. All of this is exploratory: the paper used one protocol, and many "
        "readings held against one number will find it by chance."
    )
    header = ["experiment", "reading", "cells", "rounds", "distance", "default's", "gain", "nearer on", "explains"]
    rows = [_ranking_cells(row) for row in records(rankings)]
    blocks: list[Block] = [Paragraph(about), Table([*header, "sees test"], rows)]
    return document("Readings, by how near they come to the published numbers", blocks)


EVERY = (*TABLES, *(table for table, _ in OTHERS))
MEANS = tuple(means_analysis(table, name) for table in EVERY for name in (table.name, *table.replicas))
VERDICTS = tuple(map(verdict_analysis, TABLES))
OTHER_VERDICTS = tuple(verdict_analysis(table, chapter) for table, chapter in OTHERS)
RANKING = Analysis(
    name="readings",
    about="Readings by distance to the paper",
    reads=tuple(dict.fromkeys(name for table in TABLES for name in reads(table))),
    needs=tuple(table.printed for table in TABLES),
    of=VERDICTS,
    unfinished=True,
    find=rank_readings,
    document=_ranking_document,
    numbers=lambda rankings: rankings,
    chapter="Readings",
)
