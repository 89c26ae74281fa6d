"""All that the report tells, as plain data: what every analysis finds in the committed records."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from celm.analysis.cell_equivalence import UnderProtocol, by_default, chance_explained, under_protocol
from celm.analysis.claims import Judged, verdict_counts
from celm.analysis.intervals import Equivalence
from celm.analysis.table_cells import JudgedTable, TableCell, of_the_paper
from celm.analysis.words import CELL_VERDICTS, EXPLAINED, counted
from celm.study.store import PublishedStore
from experiments.analyses.published_numbers import TABLES, verdicts_of
from experiments.analyses.sentences import CLAIMS
from experiments.analyses.suite_judged import Wide
from experiments.analyses.wide_study import SUITE as SUITES
from experiments.analysis import Analysis, NotComplete, analyses
from experiments.config.entries import options
from experiments.config.readings import reading_about
from experiments.config.study_names import Identity
from experiments.papers import PublishedTable
from experiments.papers.celm.analyses.protocols import DEFAULT, PROTOCOLS
from experiments.papers.celm.analyses.protocols import TABLE as PROTOCOL_TABLE
from experiments.papers.celm.analyses.protocols import Judged as Protocols
from experiments.results import Records, Results

# The wide study of classes; its ranks are an analysis of their own.
SUITE = SUITES[0]
# The forms in which a picture can stand inside the page; the lighter one does.
EMBEDDED = ("svg", "png")


class Shown(NamedTuple):
    """An analysis with what it found, or with what it lacks."""

    analysis: Analysis[Any]
    findings: Any = None
    lacks: str = ""


class Reading(NamedTuple):
    """One way to read a choice that the paper leaves open."""

    name: str
    about: str
    studies: list[str]
    explains: list[TableCell]


class Origin(NamedTuple):
    """Where the records of one experiment come from."""

    experiment: str
    title: str
    cells: int
    planned: int
    rows: int
    seeds: str
    threads: str
    minutes: float
    machines: list[dict[str, Any]]


class Report(NamedTuple):
    """The whole of it."""

    tables: list[tuple[PublishedTable, JudgedTable]]
    claims: Judged
    shown: list[Shown]
    pictures: dict[str, Path]
    readings: list[Reading]
    origins: list[Origin]
    files: list[str]
    experiments: list[str]
    protocols: Protocols | None = None
    protocols_lack: str = ""

    def paper_cells(self) -> list[TableCell]:
        """The accuracy cells of the paper, all tables."""
        return [cell for _, table in self.tables for cell in of_the_paper(table.cells)]

    def cell_counts(self) -> dict[str, int]:
        """How many cells have each verdict."""
        return counted((cell.verdict for cell in self.paper_cells()), CELL_VERDICTS)

    def equivalences(self) -> list[Equivalence | None]:
        """Every cell of the paper under the default, by equivalence."""
        return [by_default(cell) for cell in self.paper_cells()]

    def under_nearest(self) -> UnderProtocol | None:
        """The cells under the most probable or nearest protocol; None while protocols are not run."""
        return None if self.protocols is None else self._under(self.protocols.nearest(), self.protocols)

    def under_default(self) -> UnderProtocol | None:
        """The same cells under the default, in the rounds of the protocols; None while these are not run."""
        if self.protocols is None or DEFAULT not in self.protocols.panel.protocols:
            return None
        return self._under(DEFAULT, self.protocols)

    def _under(self, name: str, protocols: Protocols) -> UnderProtocol:
        cells = [cell for cell in self.paper_cells() if cell.table == PROTOCOL_TABLE.name]
        return under_protocol(cells, name, protocols.panel.rounds_of(name))

    def fits(self) -> bool:
        """Whether a listed protocol could have written the paper."""
        return self.protocols is not None and self.protocols.findings.identified["ours"].most_probable is not None

    def wide(self) -> Wide | None:
        """What the wide study of classes found; None while it is not run."""
        return next((one.findings for one in self.shown if one.analysis is SUITE), None)

    def chance_rates(self) -> dict[str, float]:
        """By table, the share of random numbers that picking readings would explain."""
        return {table.name: chance_explained(found) for table, found in self.tables}

    def claim_counts(self) -> dict[str, int]:
        """How many claims have each verdict."""
        return verdict_counts(self.claims)


def gather(folder: Path) -> Report:
    """The report of a results folder; whatever it does not hold counts as not run."""
    results = Results(folder)
    records = Records(results)
    known = analyses()
    tables = [(table, known[verdicts_of(table.name)].findings(records)) for table in TABLES]
    shown = [show(one, records) for one in known.values() if one.chapter]
    protocols = next(one for one in shown if one.analysis is PROTOCOLS)
    return Report(
        tables=tables,
        claims=next(one.findings for one in shown if one.analysis is CLAIMS) or [],
        shown=sorted(shown, key=lambda one: one.analysis.name),
        pictures=pictures(folder / "figures", [one.analysis.name for one in shown if one.analysis.picture]),
        readings=readings(results.published, [cell for _, table in tables for cell in table.cells]),
        origins=[origin(results, name) for name in results.published.experiments()],
        files=files(folder),
        experiments=options("experiment"),
        protocols=protocols.findings,
        protocols_lack=protocols.lacks,
    )


def show(analysis: Analysis[Any], records: Records) -> Shown:
    """What an analysis finds, or what it lacks."""
    try:
        return Shown(analysis, analysis.findings(records))
    except NotComplete as missing:
        return Shown(analysis, lacks=str(missing))


def pictures(folder: Path, names: Iterable[str]) -> dict[str, Path]:
    """The lightest file of every figure shown as a picture."""
    found = {name: [path for end in EMBEDDED if (path := folder / f"{name}.{end}").exists()] for name in names}
    return {name: min(paths, key=lambda path: path.stat().st_size) for name, paths in found.items() if paths}


def readings(store: PublishedStore, cells: Iterable[TableCell]) -> list[Reading]:
    """Every file under conf/reading with the published studies that used it and the cells it explains."""
    explained = [cell for cell in cells if cell.verdict == EXPLAINED]
    found = []
    for name in options("reading"):
        about = reading_about(name).about
        studies = [study for study in store.experiments() if Identity.parse(study).reading == name]
        mine = [cell for cell in explained if cell.reading == name]
        found.append(Reading(name, about, studies, mine))
    return found


def origin(results: Results, name: str) -> Origin:
    """Where an experiment's records come from, as its manifest tells, and how long its cells took together."""
    manifest = results.published.manifest(name)
    return Origin(
        experiment=manifest["experiment"],
        title=manifest.get("title", ""),
        cells=manifest["cells"],
        planned=manifest.get("planned_cells", manifest["cells"]),
        rows=manifest["rows"],
        seeds=_constant(manifest, "seed"),
        threads=_constant(manifest, "threads"),
        minutes=results.minutes(name),
        machines=manifest["provenance"],
    )


def _constant(manifest: dict[str, Any], column: str) -> str:
    """A value that all records share, or the different ones that their groups have."""
    if column in manifest["constants"]:
        return str(manifest["constants"][column])
    groups = [*manifest["by_dataset"].values(), *manifest["by_model"].values()]
    return ", ".join(sorted({str(group[column]) for group in groups if column in group})) or "per record"


def files(results: Path) -> list[str]:
    """The tables and figures under the results folder that the page links to."""
    paths = [path for folder in ("tables", "figures") for path in (results / folder).glob("*.*")]
    return sorted(path.relative_to(results).as_posix() for path in paths)
