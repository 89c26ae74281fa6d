"""What a registration fixes (claims with margins, configs, the source that judges), and when two versions agree."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException
from yaml import YAMLError  # type: ignore[import-untyped]

from celm.base.files import content_digest
from celm.study.source import bare_source, closure, is_within, path_of
from experiments.config.entries import CONF, ROOT
from experiments.config.studies import Study
from experiments.config.study_names import Identity

# The source that turns records into findings; what shows them is left out.
JUDGING = ("celm.analysis", "celm.base.seeds", "experiments.analyses", "experiments.papers")
# What conf/ says for readers alone.
SHOWN = ("about", "origins", "title")


def path_in(name: str) -> str:
    """The file of something fixed: ``FILE`` or ``FILE#ID``."""
    return name.partition("#")[0]


def fixed_digest(name: str, content: bytes) -> str | None:
    """The sha256 of a file, or of one of its entries; None where there is no such entry."""
    if "#" not in name:
        return hashlib.sha256(content).hexdigest()
    entry = _entry(name, content)
    return None if entry is None else content_digest(entry)


def says_the_same(name: str, before: bytes | None, after: bytes | None) -> bool:
    """Whether two versions of something fixed agree, comments, layout and docstrings left aside."""
    if before is None or after is None:
        return False
    if "#" in name:
        found = _entry(name, before)
        return found is not None and found == _entry(name, after)
    return before == after or _meaning(name, before) == _meaning(name, after)


def _meaning(name: str, content: bytes) -> Any:
    """What a file says; its bytes where that is not known or it cannot be read."""
    try:
        if name.endswith(".py"):
            return bare_source(content.decode())
        if name.endswith(".yaml"):
            return _without_shown(name, _parsed(content))
    except (ValueError, SyntaxError, YAMLError, OmegaConfBaseException):
        return content
    return content


def _without_shown(name: str, content: Any) -> Any:
    if not name.startswith("conf/") or not isinstance(content, dict):
        return content
    return {key: value for key, value in content.items() if key not in SHOWN}


def _parsed(content: bytes) -> Any:
    return OmegaConf.to_container(OmegaConf.create(content.decode()))


@lru_cache(maxsize=64)
def entries_in(content: bytes) -> dict[str, dict[str, Any]]:
    """Every entry with an id in the lists of a YAML file, by its id."""
    parsed = _parsed(content)
    lists = [value for value in parsed.values() if isinstance(value, list)] if isinstance(parsed, dict) else []
    return {str(one["id"]): one for every in lists for one in every if isinstance(one, dict) and "id" in one}


def _entry(name: str, content: bytes) -> dict[str, Any] | None:
    try:
        return entries_in(content).get(name.partition("#")[2])
    except (ValueError, YAMLError, OmegaConfBaseException):
        return None


def judging_files(modules: Iterable[str], root: Path = ROOT) -> list[str]:
    """The files of the analyses that judge and of all that they import to do so."""
    found = closure(modules, counting=lambda module: is_within(module, JUDGING))
    paths = [path_of(module) for module in found]
    return sorted(path.relative_to(root).as_posix() for path in paths if path is not None)


def claim_names(experiments: Collection[str], root: Path = ROOT) -> list[str]:
    """``FILE#ID`` of every claim or hypothesis of a paper that reads one of these, or what one of them repeats."""
    found = []
    for path in sorted(root.glob("experiments/papers/*/*.yaml")):
        read = {*experiments, *_repeated_by(experiments, path.read_bytes())}
        reading = [id_ for id_, entry in entries_in(path.read_bytes()).items() if read & set(entry.get("reads", ()))]
        found += [f"{path.relative_to(root).as_posix()}#{id_}" for id_ in reading]
    return found


def _repeated_by(experiments: Collection[str], content: bytes) -> set[str]:
    """What these experiments repeat, as the file of a paper's claims says under ``confirmatory``."""
    parsed = _parsed(content)
    again = parsed.get("confirmatory", {}) if isinstance(parsed, dict) else {}
    return {name for name, other in again.items() if other in experiments}


def config_files(experiment: str, study: Study, root: Path = ROOT) -> list[str]:
    """The files under conf/ that an experiment is made of: its own, its readings', its models', its data sets'."""

    def candidates() -> Iterator[Path]:
        identity = Identity.parse(experiment)
        for group in ("experiment", "sweep"):
            yield CONF / group / f"{identity.name}.yaml"
        yield from (CONF / "reading" / f"{reading}.yaml" for reading in identity.readings)
        for job in (study, *study.others):
            yield from (CONF / "reading" / f"{reading}.yaml" for reading in job.config.readings)
            yield from (CONF / "model" / f"{model.name}.yaml" for model in job.models)
            yield from (CONF / "dataset" / f"{dataset.name}.yaml" for dataset in job.datasets)

    return sorted({path.relative_to(root).as_posix() for path in candidates() if path.is_file()})


def digests(names: Iterable[str], contents: Mapping[str, bytes]) -> dict[str, str]:
    """Name -> digest of everything that is to be fixed; a ValueError names what is not there."""
    found = {}
    for name in sorted(set(names)):
        content = contents.get(path_in(name))
        digest = None if content is None else fixed_digest(name, content)
        if digest is None:
            raise ValueError(f"registration: {name} is to be fixed, but it is not there.")
        found[name] = digest
    return found
