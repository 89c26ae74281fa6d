"""The results as a research object (RO-Crate): what every file is, and what it comes from: make crate."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

from celm.base.files import write_whole
from experiments.command import command
from experiments.config.entries import ROOT
from experiments.results import Results, title_of

NAME = "ro-crate-metadata.json"
FORMATS = {
    ".csv": "text/csv",
    ".html": "text/html",
    ".json": "application/json",
    ".md": "text/markdown",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".tex": "application/x-tex",
    ".xz": "application/x-xz",
}
PAPER, CODE, LICENCE = "https://arxiv.org/abs/1501.06115", "#celm", "https://spdx.org/licenses/MIT"
# Terms that the context of RO-Crate 1.1 lacks: its schema.org is older than sha256.
TERMS = {"sha256": "https://schema.org/sha256", "wasGeneratedBy": "http://www.w3.org/ns/prov#wasGeneratedBy"}
Entity = dict[str, Any]


def crate(folder: Path) -> dict[str, Any]:
    """The metadata of every file under a results folder."""
    citation: Any = OmegaConf.load(ROOT / "CITATION.cff")
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != NAME)
    files = [_file(path, folder) for path in paths]
    root: Entity = {
        "@id": "./",
        "@type": "Dataset",
        "name": str(citation.title),
        "description": " ".join(str(citation.abstract).split()),
        "datePublished": str(citation["date-released"]),
        "license": {"@id": LICENCE},
        "author": [{"@id": author["@id"]} for author in _authors(citation)],
        "isBasedOn": {"@id": PAPER},
        "hasPart": [{"@id": entity["@id"]} for entity in files],
    }
    return {
        "@context": ["https://w3id.org/ro/crate/1.1/context", TERMS],
        "@graph": [_descriptor(), root, *_around(citation), *files],
    }


def _descriptor() -> Entity:
    return {
        "@id": NAME,
        "@type": "CreativeWork",
        "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
        "about": {"@id": "./"},
    }


def _authors(citation: Any) -> list[Entity]:
    """Who made it, as entities of their own: a crate nests none."""
    return [
        {"@id": f"#author-{place}", "@type": "Organization", "name": str(author.name)}
        for place, author in enumerate(citation.authors, 1)
    ]


def _around(citation: Any) -> list[Entity]:
    """Authors, licence, software and the paper."""
    paper = citation.references[0]
    return [
        *_authors(citation),
        {"@id": LICENCE, "@type": "CreativeWork", "name": "MIT License", "identifier": "MIT"},
        {"@id": CODE, "@type": "SoftwareSourceCode", "name": "celm", "version": str(citation.version)},
        {"@id": PAPER, "@type": "ScholarlyArticle", "name": str(paper.title), "datePublished": str(paper.year)},
    ]


def _file(path: Path, folder: Path) -> Entity:
    content = path.read_bytes()
    name = path.relative_to(folder).as_posix()
    entity: Entity = {
        "@id": name,
        "@type": "File",
        "name": path.name,
        "contentSize": str(len(content)),
        "sha256": hashlib.sha256(content).hexdigest(),
        "encodingFormat": FORMATS.get(path.suffix, "application/octet-stream"),
        "wasGeneratedBy": {"@id": CODE},
    }
    if path.parent.name == "records":
        entity["description"] = f"Records: {title_of(path.name.partition('.')[0])}"
    return entity


def main() -> None:
    """Write results/ro-crate-metadata.json."""
    folder = Results().folder
    write_whole(folder / NAME, json.dumps(crate(folder), indent=1, ensure_ascii=False) + "\n")
    print(f"written: results/{NAME}")


if __name__ == "__main__":
    command(main, __doc__)
