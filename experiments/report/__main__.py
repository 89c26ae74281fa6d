"""Writes results/report/index.html, results/README.md and results/verdict.json from the committed results."""

from __future__ import annotations

import argparse
from pathlib import Path

from celm.base.files import check_writable, write_whole
from celm.study.store import PublishedStore
from experiments.command import command
from experiments.config.schema import register
from experiments.report.gather import gather
from experiments.report.page import page
from experiments.report.readme import summary
from experiments.report.verdict import to_json
from experiments.results import Results


def write_report(results: Path, folder: Path) -> list[Path]:
    """The page, the summary and the verdict of a results folder, put under ``folder``."""
    report = gather(results)
    texts = {"report/index.html": page(report), "README.md": summary(report), "verdict.json": to_json(report)}
    for name, text in texts.items():
        write_whole(folder / name, text)
    return [folder / name for name in texts]


def main() -> None:
    """Command line: python -m experiments.report [--results FOLDER] [--to FOLDER]."""
    parser = argparse.ArgumentParser(prog="python -m experiments.report", description=__doc__)
    parser.add_argument(
        "--results", type=Path, default=Results().folder, help="folder with records/, tables/ and figures/"
    )
    parser.add_argument("--to", type=Path, default=None, help="where to write; default: the same folder")
    arguments = parser.parse_args()
    if not PublishedStore(arguments.results / "records").experiments():
        parser.error(f"{arguments.results} holds no records: there is nothing to report.")
    check_writable(arguments.to or arguments.results)
    register()
    for path in write_report(arguments.results, arguments.to or arguments.results):
        print(f"written: {path} ({path.stat().st_size / 1e6:.2f} MB)")


if __name__ == "__main__":
    command(main)
