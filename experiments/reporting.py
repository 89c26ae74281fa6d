"""What a person sees at the end of a study: its table, and whether its numbers equal the published ones."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from celm.store import Document, PublishedStore, differing, load_frame, write_whole
from celm.tables import summarise, to_csv, to_latex, to_markdown, to_text
from experiments.configs import ROOT
from experiments.execution import Outcome

PAPER = Path(__file__).resolve().parent / "paper"
RESULTS = ROOT / "results"

# The experiments that mirror a table of the paper, and the file with its numbers.
PAPER_TABLES = {"table1": "table1.csv", "table1_second_seed": "table1.csv"}


def paper_numbers(experiment: str) -> pd.DataFrame | None:
    """The published numbers of an experiment, of its readings and scales too; None if there are none."""
    name = experiment.split("+")[0].split("-")[0]
    return pd.read_csv(PAPER / PAPER_TABLES[name]) if name in PAPER_TABLES else None


def experiment_summary(experiment: str, documents: Iterable[Document]) -> pd.DataFrame:
    """One row per cell of the study's table; every node count has a row where none is chosen."""
    frame = load_frame(documents)
    curve = not frame.empty and "chosen" not in frame
    return summarise(frame, paper_numbers(experiment), by=("n_hidden",) if curve else ())


def write_tables(summary: pd.DataFrame, folder: Path, name: str, title: str) -> list[Path]:
    """NAME.csv, NAME.md and NAME.tex under ``folder``."""
    texts = {"csv": to_csv(summary), "md": to_markdown(summary, title), "tex": to_latex(summary, title)}
    paths = [folder / f"{name}.{ending}" for ending in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        write_whole(path, text)
    return paths


def show(outcome: Outcome) -> None:
    """Print a study's table, write it, and compare with what is published."""
    config = outcome.study.config
    summary = experiment_summary(config.name, outcome.finished.values())
    if summary.empty:
        return
    print(f"\n{config.title or config.name}\n")
    print(to_text(summary))
    in_results = config.name in PAPER_TABLES and len(outcome.finished) == len(outcome.cells)
    folder = RESULTS / "tables" if in_results else Path(config.store) / config.name
    paths = write_tables(summary, folder, config.name if in_results else "table", config.title or config.name)
    print("\nwritten: " + ", ".join(_short(path) for path in paths))
    print(compared_with_published(config.published, config.name, outcome.finished))


def _short(path: Path) -> str:
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def compared_with_published(folder: str, experiment: str, finished: dict[str, Document]) -> str:
    """One paragraph: how many accuracies equal the published ones to the last digit, and which do not."""
    published = PublishedStore(folder).documents(experiment)
    common = finished.keys() & published.keys()
    if not published:
        return f"{experiment} is not published yet: nothing to compare with."
    pairs = differing(finished, published)
    rows = sum(len(finished[key]["records"]) for key in common)
    lines = [
        f"{rows - len(pairs)} of {rows} accuracies in {len(common)} of {len(published)} published cells equal the "
        f"published ones to the last digit."
    ]
    for ours, theirs in pairs[:10]:
        lines.append(
            f"  differs: {ours['dataset']} {ours['model']} round {ours['round']} n_hidden {ours['n_hidden']}: "
            f"{ours['accuracy']} here, {theirs['accuracy']} published"
        )
    if len(pairs) > 10:
        lines.append(f"  … and {len(pairs) - 10} more")
    return "\n".join(lines)
