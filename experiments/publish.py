"""From the stores to what people read: published records, tables, figures. Never fits a model."""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Callable, Collection, Mapping, Sequence

import pandas as pd

from celm.analysis.cause_tables import to_csv as causes_csv
from celm.analysis.cause_tables import to_markdown as causes_markdown
from celm.analysis.causes import effects
from celm.analysis.comparisons import HOW_TO_READ, friedman_text, mean_accuracies, pairwise
from celm.analysis.comparisons import to_markdown as comparison_markdown
from celm.analysis.feature_tables import codebook_markdown, draws_markdown, feature_summary
from celm.analysis.plane_tables import plane_summary
from celm.analysis.plane_tables import to_markdown as plane_markdown
from celm.analysis.spiral_map import scored, to_csv, to_markdown
from celm.analysis.statistics import friedman
from celm.analysis.summary import to_csv as table_csv
from celm.analysis.summary import to_text
from celm.base.files import write_whole
from celm.study.store import Document, LocalStore, PublishedStore, differing, load_frame, merged
from celm.study.study_config import StudyConfig
from experiments.config.entries import ROOT, dataset_config
from experiments.config.schema import register
from experiments.config.studies import composed_study, is_named
from experiments.config.sweeps import noted_jobs, show_sweep
from experiments.figures import CAUSES, FIGURES, RANKED_IN, NoRecords, causes_records, write_page
from experiments.reporting import PAPER_TABLES, RESULTS, experiment_summary, place_of, write_tables

logger = logging.getLogger(__name__)

RECORDS = ROOT / StudyConfig.published
RUNS = ROOT / StudyConfig.store
SPIRAL_MAP = "spiral_map"
# The studies in the table beside Fig 6.
PLANES = ("fig6", "fig6+no_pca")
# The sweeps over the image features of Table III, and how each is told.
FEATURES = {"codebook": codebook_markdown, "feature_seeds": draws_markdown}


def publish_records(names: Sequence[str]) -> None:
    """Move the finished cells of named experiments from the local store to the published one.

    Cells that the experiment no longer plans (an older algorithm, other settings) leave the published file.
    """
    local, published = LocalStore(RUNS), PublishedStore(RECORDS)
    for experiment in names or [name for name in local.experiments() if is_named(name)]:
        study = composed_study(experiment)
        keys = [cell.key for cell in study.plan()]
        ours, theirs = local.documents(experiment), published.documents(experiment)
        changed = differing({key: doc for key, doc in ours.items() if doc["status"] == "ok"}, theirs)
        if changed:
            raise SystemExit(
                f"{experiment}: {len(changed)} local records differ from the published ones of the same "
                f"cells, first (local and published) {place_of(changed[0].ours)}: {changed[0].told()}. "
                "One of the two is not what this code computes: find out which."
            )
        documents = merged(theirs, ours, keys)
        about = {"title": study.config.title, "planned_cells": len(keys)}
        published.write(experiment, documents, about)
        print(f"{experiment}: {len(documents)} of {len(keys)} cells published")


def documents_of(experiment: str, store: str) -> dict[str, Document]:
    """The cells of an experiment in the published or the local store."""
    return (PublishedStore(RECORDS) if store == "published" else LocalStore(RUNS)).documents(experiment)


def complete_frame(experiment: str, store: str) -> pd.DataFrame:
    """The records of an experiment of which every planned cell is finished, otherwise none."""
    documents = documents_of(experiment, store)
    if not documents:
        return load_frame([])
    if store == "published":
        planned = PublishedStore(RECORDS).manifest(experiment)["planned_cells"]
    else:
        keys = {cell.key for cell in composed_study(experiment).plan()}
        documents = {key: doc for key, doc in documents.items() if key in keys and doc["status"] == "ok"}
        planned = len(keys)
    if len(documents) < planned:
        print(f"{experiment}: only {len(documents)} of {planned} cells are in the {store} store")
        return load_frame([])
    return load_frame(documents.values())


def publish_figures(names: Sequence[str], store: str) -> None:
    """Draw figures from the records of a store."""
    for name in names or FIGURES:
        try:
            page = FIGURES[name](lambda experiment: complete_frame(experiment, store))
        except NoRecords as missing:
            print(f"{name}: needs all cells of {missing} in the {store} store")
            continue
        paths = write_page(page, RESULTS / "figures", name)
        print(f"{name}: {', '.join(str(path.relative_to(ROOT)) for path in paths)}")


def _write_table(name: str, markdown: str, csv: str) -> None:
    """results/tables/NAME.md and NAME.csv."""
    path = RESULTS / "tables" / f"{name}.md"
    write_whole(path, markdown)
    write_whole(path.with_suffix(".csv"), csv)
    print(f"{name}: written {path.relative_to(ROOT)} and .csv")


def _together(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The tables of several experiments as one, each row naming its own."""
    rows = [table.assign(experiment=name) for name, table in tables.items()]
    together: pd.DataFrame = pd.concat(rows, ignore_index=True)
    return together


def _summaries(
    table: str, experiments: Collection[str], summarise: Callable[[pd.DataFrame], pd.DataFrame], store: str
) -> dict[str, pd.DataFrame]:
    """The summary of every experiment that is complete; where none is, says what the table needs."""
    frames = {name: complete_frame(name, store) for name in experiments}
    found = {name: summarise(frame) for name, frame in frames.items() if not frame.empty}
    if not found:
        print(f"{table}: the table needs all cells of {' or '.join(experiments)} in the {store} store")
    return found


def publish_spiral_map(store: str) -> None:
    """Write the map of spiral settings as a table."""
    frame = complete_frame(SPIRAL_MAP, store)
    if frame.empty:
        print(f"{SPIRAL_MAP}: its table needs all its cells in the {store} store")
        return
    scores = scored(frame)
    markdown = to_markdown(scores, frame["round"].nunique(), dataset_config("spiral").params())
    _write_table(SPIRAL_MAP, markdown, to_csv(scores))


def publish_planes(store: str) -> None:
    """Write the table beside Fig 6: its planes, and those of its reading where they are complete."""
    summaries = _summaries(PLANES[0], PLANES, plane_summary, store)
    if not summaries:
        return
    sections = [f"## {name}\n\n{plane_markdown(summary)}" for name, summary in summaries.items()]
    markdown = "\n".join([f"# {composed_study(PLANES[0]).config.title}\n", *sections])
    _write_table(PLANES[0], markdown, table_csv(_together(summaries)))


def publish_features(store: str) -> None:
    """Write what Table III owes to its image features: the codebook and the draw, as far as they are complete."""
    summaries = _summaries("features", FEATURES, feature_summary, store)
    if not summaries:
        return
    sections = ["# The image features of Table III"]
    for name, summary in summaries.items():
        sections.append(f"## {composed_study(name).config.title}\n\n{FEATURES[name](summary).rstrip()}")
    _write_table("features", "\n\n".join(sections) + "\n", table_csv(_together(summaries)))


def publish_causes(store: str) -> None:
    """Write what the lead of constrained ELMs is made of, on the data sets whose factorial is complete."""
    frame = causes_records(lambda experiment: complete_frame(experiment, store))
    if frame.empty:
        print(f"causes: the table needs all cells of {' or '.join(CAUSES)} in the {store} store")
        return
    measured = effects(frame)
    _write_table("causes", causes_markdown(measured), causes_csv(measured))


def publish_statistics(store: str) -> None:
    """Write the pairwise tests of the tables that are complete, and their ranks over data sets."""
    frames = {name: complete_frame(name, store) for name in RANKED_IN}
    tables = {name: pairwise(frame) for name, frame in frames.items() if not frame.empty}
    if not tables:
        print(f"statistics: needs all cells of {RANKED_IN[0]} in the {store} store")
        return
    sections = ["# Are the differences more than chance?", HOW_TO_READ]
    for name, table in tables.items():
        sections.append(comparison_markdown(table, composed_study(name).config.title).rstrip())
        accuracies = mean_accuracies(frames[name])
        if len(accuracies) > 2:
            sections.append(friedman_text(friedman(accuracies)))
    _write_table("statistics", "\n\n".join(sections) + "\n", table_csv(_together(tables)))


# What is made of whole experiments: from the complete records of a store to a table.
ANALYSES: dict[str, Callable[[str], None]] = {
    "map": publish_spiral_map,
    "planes": publish_planes,
    "features": publish_features,
    "causes": publish_causes,
    "statistics": publish_statistics,
}


def show_local_sweeps() -> None:
    """Tables and small multiples of every sweep in the local store."""
    sweeps = {tuple(json.loads(path.read_text(encoding="utf-8"))["sweep"]) for path in RUNS.glob("*/jobs/*.json")}
    for sweep in sorted(sweeps):
        show_sweep(str(RUNS), sweep, noted_jobs(str(RUNS), sweep))


def publish_tables(names: Sequence[str], store: str) -> None:
    """Write the tables of the paper from the records of a store."""
    for experiment in names or PAPER_TABLES:
        summary = experiment_summary(experiment, documents_of(experiment, store).values())
        if summary.empty:
            print(f"{experiment}: no records in the {store} store")
            continue
        title = composed_study(experiment).config.title
        paths = write_tables(summary, RESULTS / "tables", experiment, title)
        print(f"\n{title}\n\n{to_text(summary)}\n\nwritten: {', '.join(str(p.relative_to(ROOT)) for p in paths)}")


def main() -> None:
    """Command line: python -m experiments.publish WHAT [--store published|local] [name …]."""
    parser = argparse.ArgumentParser(prog="python -m experiments.publish", description=__doc__)
    parser.add_argument("what", choices=["records", "tables", "figures", "sweeps", *ANALYSES])
    parser.add_argument(
        "names", nargs="*", help="figures, or experiments such as table1 or table1+raw_values; default: all"
    )
    parser.add_argument("--store", choices=["published", "local"], default="published", help="where to read from")
    arguments = parser.parse_intermixed_args()
    for name in arguments.names:
        if arguments.what == "figures" and name not in FIGURES:
            parser.error(f"no figure {name!r}; there are {', '.join(FIGURES)}")
        if arguments.what != "figures" and not is_named(name):
            parser.error(f"no experiment {name!r} under conf/experiment (readings are written EXPERIMENT+READING)")
    register()
    if arguments.what == "records":
        publish_records(arguments.names)
    elif arguments.what == "tables":
        publish_tables(arguments.names, arguments.store)
    elif arguments.what == "figures":
        publish_figures(arguments.names, arguments.store)
    elif arguments.what == "sweeps":
        show_local_sweeps()
    else:
        ANALYSES[arguments.what](arguments.store)


if __name__ == "__main__":
    main()
