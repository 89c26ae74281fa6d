"""All that the report tells, as plain data, from the committed results alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from celm.study.store import PublishedStore
from experiments.config.entries import CONF, options
from experiments.report.cells import TABLES, VERDICTS, TableCell, cells_of, of_the_paper
from experiments.report.curves import CurveFigure, Plane, curve_figures, planes

CLAIM_VERDICTS = ("reproduced", "partly", "not reproduced", "undecided", "not run")
# Figures that the page shows as pictures, each with what it is; curves and planes are drawn from the records.
PICTURES = {
    "fig2": "Fig 2: weight vectors of ELM and of constrained difference ELM, drawn by the real weight functions",
    "fig3_cutoff": "Fig 3 under three cutoffs of the pseudo-inverse, with the numerical rank of H",
    "spiral_map": "Sixty spirals against what the paper says of Fig 3",
    "fig5_subset": "Fig 5 with ten thousand training rows, as its caption can be read",
    "stages": "The deep systems of Table III: accuracy by layer of R²SVM and by module of DCN",
}
# Texts that other parts of the study write, shown as they are: file -> the picture beside it and what that is.
CHAPTERS = {
    "causes": ("causes", "What the gain comes from: direction, scale and bias of the hidden nodes taken apart"),
    "statistics": ("critical_difference", "Mean ranks over data sets with the critical difference"),
    "readings": ("", ""),
    "features": ("codebook", "A linear SVM on CIFAR-10 features against the size of their codebook"),
    "fig6": ("", ""),
    "spiral_map": ("", ""),
}
# The forms in which a picture can stand inside the page; the lighter one does.
EMBEDDED = ("svg", "png")


class Claim(NamedTuple):
    """A testable sentence of the paper (``says``), what was asked of it and what was found (``sentence``)."""

    id: str
    section: str
    says: str
    why: str
    asked: str
    verdict: str
    effect: float | None
    low: float | None
    high: float | None
    unit: str
    sentence: str
    numbers: list[dict[str, Any]]


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
    machines: list[dict[str, Any]]


class Report(NamedTuple):
    """The whole of it."""

    tables: dict[str, list[TableCell]]
    claims: list[Claim]
    curves: list[CurveFigure]
    planes: list[Plane]
    pictures: dict[str, Path]
    chapters: dict[str, str]
    readings: list[Reading]
    origins: list[Origin]
    files: list[str]
    experiments: list[str]

    def paper_cells(self) -> list[TableCell]:
        """The accuracy cells of the paper, all tables."""
        return [cell for cells in self.tables.values() for cell in of_the_paper(cells)]

    def cell_counts(self) -> dict[str, int]:
        """How many cells have each verdict."""
        return counted((cell.verdict for cell in self.paper_cells()), VERDICTS)

    def claim_counts(self) -> dict[str, int]:
        """How many claims have each verdict."""
        return counted((claim.verdict for claim in self.claims), CLAIM_VERDICTS)


def counted(verdicts: Iterable[str], words: Iterable[str]) -> dict[str, int]:
    """Every verdict and how often it was given."""
    counts = Counter(verdicts)
    return {word: counts[word] for word in words}


def gather(results: Path) -> Report:
    """The report of a results folder; whatever it does not hold counts as not run."""
    tables = {table: cells_of(table, results) for table in TABLES}
    chapters = {name: results / "tables" / f"{name}.md" for name in CHAPTERS}
    store = PublishedStore(results / "records")
    return Report(
        tables=tables,
        claims=claims(results / "claims.json"),
        curves=curve_figures(results),
        planes=planes(results),
        pictures=pictures(results / "figures"),
        chapters={name: path.read_text(encoding="utf-8") for name, path in chapters.items() if path.exists()},
        readings=readings(store, [cell for cells in tables.values() for cell in cells]),
        origins=[origin(store.manifest(name)) for name in store.experiments()],
        files=files(results),
        experiments=options("experiment"),
    )


def claims(path: Path) -> list[Claim]:
    """The judged claims; none before they are judged."""
    if not path.exists():
        return []
    found = json.loads(path.read_text(encoding="utf-8"))["claims"]
    return [Claim(**{name: claim[name] for name in Claim._fields}) for claim in found]


def pictures(folder: Path) -> dict[str, Path]:
    """The lightest file of every figure shown as a picture."""
    names = [*PICTURES, *(name for name, _ in CHAPTERS.values() if name)]
    found = {name: [path for end in EMBEDDED if (path := folder / f"{name}.{end}").exists()] for name in names}
    return {name: min(paths, key=lambda path: path.stat().st_size) for name, paths in found.items() if paths}


def readings(store: PublishedStore, cells: Iterable[TableCell]) -> list[Reading]:
    """Every file under conf/reading with the published studies that used it and the cells it explains."""
    explained = [cell for cell in cells if cell.verdict == "explained"]
    found = []
    for name in options("reading"):
        lines = (CONF / "reading" / f"{name}.yaml").read_text(encoding="utf-8").splitlines()
        about = " ".join(line.lstrip("# ") for line in lines if line.startswith("#") and "@package" not in line)
        studies = [study for study in store.experiments() if study.partition("+")[2] == name]
        mine = [cell for cell in explained if cell.reading == name]
        found.append(Reading(name, about, studies, mine))
    return found


def origin(manifest: dict[str, Any]) -> Origin:
    """Where an experiment's records come from, as its manifest tells."""
    return Origin(
        experiment=manifest["experiment"],
        title=manifest.get("title", ""),
        cells=manifest["cells"],
        planned=manifest.get("planned_cells", manifest["cells"]),
        rows=manifest["rows"],
        seeds=_constant(manifest, "seed"),
        threads=_constant(manifest, "threads"),
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
