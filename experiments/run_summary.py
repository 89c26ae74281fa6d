"""What a person sees at the end of a study: its table, and whether its numbers equal the published ones."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from celm.analysis.curve_means import has_curves, panel_numbers, panels
from celm.analysis.one_choice import chosen_for_all_rounds
from celm.analysis.plane_measures import plane_summary
from celm.analysis.summary import counts_stand_alone, summarise, table_summary, to_csv
from celm.base.files import write_whole
from celm.base.names import setting_label
from celm.render.accuracy_table import accuracy_document, accuracy_table
from celm.render.document import Document as Blocks
from celm.render.document import Paragraph
from celm.render.latex import latex_table
from celm.render.markdown import markdown
from celm.render.planes_table import planes_table, setting_words
from celm.render.text import text_table
from celm.study.store import Document, PublishedStore, Row, differing, judged, load_frame
from experiments.analysis import Picture
from experiments.config.study_names import Identity
from experiments.execution import Outcome
from experiments.outputs import write_picture
from experiments.papers import published_tables
from experiments.results import printed
from experiments.run_end import Ending, best_of

logger = logging.getLogger(__name__)

# What tells the cells of one setting apart, or depends on the others or on the machine.
NOT_SETTINGS = {"dataset", "model", "round", "data_digest", "threads"}

# A sweep with up to so many panels has a column per value of its last setting.
MANY_PANELS = 12


def paper_numbers(experiment: str) -> pd.DataFrame | None:
    """The published numbers of an experiment, of its readings and scales too; None if there are none."""
    table = published_tables().get(Identity.parse(experiment).name)
    return None if table is None else printed(table.printed)


def swept_settings(documents: Iterable[Document]) -> list[str]:
    """The settings that differ between cells of one data set and model: what a sweep varied."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for shared in filter(None, map(settings_of, documents)):
        groups.setdefault((shared["dataset"], shared["model"]), []).append(shared)
    varied: dict[str, None] = {}
    for cells in groups.values():
        columns = dict.fromkeys(column for shared in cells for column in shared if column not in NOT_SETTINGS)
        # A setting that is named only away from its default is missing where it has that.
        varied |= {column: None for column in columns if len({json.dumps(shared.get(column)) for shared in cells}) > 1}
    return list(varied)


def settings_of(document: Document) -> Row:
    """What a cell was run with: what its records share, and the node counts it tried; nothing of a published cell."""
    shared = dict(document["shared"])
    counts = document.get("identity", {}).get("n_hidden") if shared else None
    return {**shared, "node_counts": counts} if counts else shared


def study_frame(documents: Iterable[Document]) -> tuple[pd.DataFrame, list[str]]:
    """The records of a study and its swept settings; lists among those are made text."""
    documents = list(documents)
    settings = swept_settings(documents)
    frame = chosen_for_all_rounds(load_frame(documents))
    if "node_counts" in settings:
        tried = {document["key"]: settings_of(document).get("node_counts") for document in documents}
        frame["node_counts"] = frame["cell"].map(tried)
    for column in settings:
        frame[column] = [json.dumps(value) if isinstance(value, list) else value for value in frame[column]]
    if all(document["shared"] for document in documents):
        _refuse_pooling(frame, settings)
    return frame, settings


def _refuse_pooling(frame: pd.DataFrame, settings: list[str]) -> None:
    """Two cells of one data set, model and round that no setting tells apart would be averaged: never."""
    if frame.empty:
        return
    columns = ["dataset", "model", "round", *settings]
    cells = frame.drop_duplicates([*columns, "cell"]).groupby(columns, dropna=False)["cell"].nunique()
    if (cells > 1).any():
        place = dict(zip(columns, cells.idxmax(), strict=True))
        raise ValueError(f"{cells.max()} cells of one round cannot be told apart and must not be averaged: {place}.")


def experiment_summary(experiment: str, documents: Iterable[Document]) -> pd.DataFrame:
    """One row per cell of the study's table; every node count has a row where none is chosen.

    A data set under the settings of a sweep stands for itself.
    """
    frame, settings = study_frame(documents)
    if not settings:
        return table_summary(frame, paper_numbers(experiment))
    by = ("n_hidden",) if counts_stand_alone(frame) else ()
    values = frame[settings].itertuples(index=False, name=None)
    labels = [
        setting_label(dataset, dict(zip(settings, row, strict=True)))
        for dataset, row in zip(frame["dataset"], values, strict=True)
    ]
    return summarise(frame.assign(dataset=labels), by=(*settings, *by))


def write_tables(summary: pd.DataFrame, folder: Path, name: str, title: str) -> list[Path]:
    """NAME.csv, NAME.md and NAME.tex under ``folder``; of a curve the last two show the largest node count."""
    shown = largest_counts(summary)
    if len(shown) < len(summary):
        title = f"{title}; at the largest node count"
    texts = {
        "csv": to_csv(summary),
        "md": markdown(accuracy_document(shown, title)),
        "tex": latex_table(accuracy_table(shown), title),
    }
    paths = [folder / f"{name}.{ending}" for ending in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        write_whole(path, text)
    return paths


def largest_counts(summary: pd.DataFrame) -> pd.DataFrame:
    """The last row of every data set and model of a curve: its largest node count; else all there is."""
    if not pd.api.types.is_numeric_dtype(summary["n_hidden"]):
        return summary
    last: pd.DataFrame = summary[~summary.duplicated(["dataset", "model"], keep="last")]
    return last


def write_curves(documents: Iterable[Document], folder: Path) -> list[Path]:
    """figure.png, .svg, .pdf and .csv under ``folder``: a panel per data set and swept setting; [] without curves."""
    frame, settings = study_frame(documents)
    if not has_curves(frame):
        return []
    from celm.render.figures import draw_panels  # a run that draws nothing does not load matplotlib

    shown = panels(frame, settings)
    columns = min(4, frame[settings[-1]].nunique()) if settings and len(shown) <= MANY_PANELS else 4
    picture = Picture(draw_panels(shown, columns, share_y=True), panel_numbers(shown))
    return write_picture(picture, folder, "figure")


def show(outcome: Outcome) -> Ending:
    """Print a study's table, write it, and compare with what is published; returns what its last words tell."""
    config = outcome.study.config
    try:
        paths = show_planes(outcome) if config.task == "embed" else show_accuracies(outcome)
    except OSError as error:
        paths = []
        logger.warning("tables and figures are not written, the store %s cannot be (%s)", config.store, error)
    if paths:
        print("\nwritten: " + ", ".join(short(path) for path in paths))
    compared = ""
    if outcome.finished:
        compared = compared_with_published(config.published, config.name, outcome.finished)
        print(compared + "\n")
    return _ending(outcome, compared)


def _ending(outcome: Outcome, compared: str) -> Ending:
    config = outcome.study.config
    accuracies = config.task not in ("embed", "time", "regress") and outcome.finished
    summary = experiment_summary(config.name, outcome.finished.values()) if accuracies else pd.DataFrame()
    return Ending(
        name=config.name,
        planned=len(outcome.cells),
        finished=len(outcome.finished),
        ran=outcome.ran,
        failed=[document["label"] for document in outcome.failed],
        seconds=0.0,
        best=best_of(largest_counts(summary)) if len(summary) else {},
        folder=short(Path(config.store) / config.name),
        compared=compared,
    )


def show_planes(outcome: Outcome) -> list[Path]:
    """Print and write the numbers that judge the planes of a study; returns the files."""
    frame, config = load_frame(outcome.finished.values()), outcome.study.config
    if frame.empty:
        return []
    summary, title = plane_summary(frame), config.title or config.name
    table = planes_table(summary)
    print(f"\n{title}\n\n{text_table(table)}")
    path = Path(config.store) / config.name / "table.md"
    write_whole(path, markdown(Blocks(title, (Paragraph(setting_words(summary)), table))))
    write_whole(path.with_suffix(".csv"), to_csv(summary))
    return [path.with_suffix(".csv"), path]


def show_accuracies(outcome: Outcome) -> list[Path]:
    """Print and write the table of a study that classifies, and its curves; returns the files."""
    config = outcome.study.config
    summary = experiment_summary(config.name, outcome.finished.values())
    if summary.empty:
        return []
    print(f"\n{config.title or config.name}\n")
    print(text_table(accuracy_table(largest_counts(summary), brief=True)))
    folder = Path(config.store) / config.name
    paths = write_tables(summary, folder, "table", config.title or config.name)
    return paths if config.name in published_tables() else paths + write_curves(outcome.finished.values(), folder)


def short(path: Path) -> str:
    """A path from the working folder where it lies below it."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def place_of(row: Row) -> str:
    """What a person calls one record: its data set, model, round, and node count or stage."""
    place = f"{row['dataset']} {row['model']} round {row['round']} n_hidden {row['n_hidden']}"
    return place if row.get("stage") is None else f"{place} stage {row['stage']}"


def compared_with_published(folder: str, experiment: str, finished: dict[str, Document]) -> str:
    """One paragraph: how many records equal the published ones to the last digit, and which do not."""
    published = PublishedStore(folder).documents(experiment)
    common = finished.keys() & published.keys()
    if not published:
        return f"{experiment} is not published yet: nothing to compare with."
    pairs = differing(finished, published)
    comparison = judged(finished, published, pairs)
    lines = [f"In {len(common)} of {len(published)} published cells {comparison.told()}."]
    for pair in pairs[:10]:
        lines.append(f"  differs (here and published): {place_of(pair.ours)}: {pair.told()}")
    if len(pairs) > 10:
        lines.append(f"  … and {len(pairs) - 10} more")
    return "\n".join(lines)
