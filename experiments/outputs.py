"""What findings become on disk: tables as Markdown and CSV, pictures with their numbers, further texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from celm.analysis.summary import to_csv
from celm.base.files import write_whole
from celm.render.markdown import markdown
from experiments.analysis import Analysis, Picture


def write_picture(picture: Picture, folder: Path, name: str) -> list[Path]:
    """NAME.png, .svg, .pdf and .csv under ``folder``, and NAME_OTHER.csv for every other table."""
    from celm.render.figures import figure_files  # a run that draws nothing does not load matplotlib

    files = {f"{name}.{ending}": content for ending, content in figure_files(picture.figure, picture.numbers).items()}
    for other, table in picture.others.items():
        files[f"{name}_{other}.csv"] = table.to_csv(index=False, lineterminator="\n").encode()
    folder.mkdir(parents=True, exist_ok=True)
    for file, content in files.items():
        (folder / file).write_bytes(content)
    return [folder / file for file in files]


def write_tables(analysis: Analysis[Any], findings: Any, results: Path) -> list[Path]:
    """tables/NAME.md and .csv, and what else the analysis writes as text, under ``results``."""
    texts: dict[str, str] = {}
    if analysis.document is not None:
        texts[f"tables/{analysis.name}.md"] = markdown(analysis.document(findings))
    if analysis.numbers is not None:
        texts[f"tables/{analysis.name}.csv"] = to_csv(analysis.numbers(findings))
    if analysis.files is not None:
        texts |= analysis.files(findings)
    for name, text in texts.items():
        write_whole(results / name, text)
    return [results / name for name in texts]


def write_figure(analysis: Analysis[Any], findings: Any, results: Path) -> list[Path]:
    """figures/NAME.* under ``results``; nothing for an analysis without a picture."""
    if analysis.picture is None:
        return []
    return write_picture(analysis.picture(findings), results / "figures", analysis.name)
