"""One folder per paper: its published numbers, its claims and the analyses that read its tables.

``experiments/papers/NAME/paper.yaml`` makes NAME a paper; every table that it lists is judged by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

from experiments.config.origins import calibrated
from experiments.config.readings import readings_of
from experiments.config.study_names import Identity

FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True)
class PublishedTable:
    """A table of a paper and what is run for it.

    base: the experiment that its readings are run on. run_base: whether the base is run too, because the table has none
    of its node counts to compare with. replicas: further runs of the same table. Its readings are those whose files
    under conf/reading say that they touch it.
    """

    paper: str
    name: str
    short: str
    title: str
    base: str
    run_base: bool = False
    replicas: tuple[str, ...] = ()

    @property
    def printed(self) -> str:
        """The name under which analyses read its published numbers."""
        return f"{self.paper}/{self.name}"

    @property
    def readings(self) -> tuple[str, ...]:
        """Its readings, nearest to the paper's text first."""
        return readings_of(self.name)

    @property
    def calibrated(self) -> tuple[str, ...]:
        """What was chosen by looking at the published results, by the origins that its experiment's configs give."""
        return calibrated(self.name)

    def study_of(self, reading: str) -> str:
        """The experiment that runs one of its readings."""
        return str(Identity(self.base, (reading,)))


@dataclass(frozen=True)
class Paper:
    """A paper whose numbers and sentences are checked.

    chapter: the chapter of the page that tells of it; the page itself is about the papers that have none.
    """

    name: str
    title: str
    cite: str
    chapter: str = ""
    tables: dict[str, PublishedTable] = field(default_factory=dict)

    @property
    def claims(self) -> Path:
        """Where its sentences are written as checks; a paper may have none."""
        return FOLDER / self.name / "claims.yaml"


def papers() -> dict[str, Paper]:
    """Every paper there is, by the name of its folder."""
    return {path.parent.name: _paper(path) for path in sorted(FOLDER.glob("*/paper.yaml"))}


def _paper(path: Path) -> Paper:
    name = path.parent.name
    content: Any = OmegaConf.to_container(OmegaConf.load(path))
    tables = {table: _table(name, table, entry) for table, entry in content.get("tables", {}).items()}
    return Paper(name, content["title"], content["cite"].strip(), content.get("chapter", ""), tables)


def _table(paper: str, name: str, entry: dict[str, Any]) -> PublishedTable:
    if not (FOLDER / paper / f"{name}.csv").exists():
        raise ValueError(f"paper {paper}: {name} is listed in paper.yaml, but its numbers, {name}.csv, are not there.")
    lists = {key: tuple(value) for key, value in entry.items() if isinstance(value, list)}
    return PublishedTable(paper, name, **{**entry, **lists})


def published_tables() -> dict[str, PublishedTable]:
    """The tables of all papers by the experiment that mirrors each, replicas too."""
    found = [table for paper in papers().values() for table in paper.tables.values()]
    return {name: table for table in found for name in (table.name, *table.replicas)}
