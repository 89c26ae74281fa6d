"""Runs a study: what is left to do, on which executor, with one progress bar, one list of failures."""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from tqdm import tqdm

from celm.base.validation import check_choice
from celm.datasets import DatasetError, declared_digest
from celm.study.cells import Cell
from celm.study.choices import forget
from celm.study.data_fit import check_values
from celm.study.executors import EXECUTORS
from celm.study.executors.cluster import check_scheduler
from celm.study.executors.workers import resolve
from celm.study.inputs import data_of
from celm.study.runner import failed_document, first_round
from celm.study.source import made_by_other_code
from celm.study.store import Document, LocalStore, PublishedStore
from celm.study.study_config import StudyConfig
from experiments.config.studies import Study
from experiments.dry_run import Forecast, forecast
from experiments.likeness import published_like
from experiments.registration.standing import stamp_of
from experiments.run_end import duration
from experiments.time_left import Experience

logger = logging.getLogger(__name__)

# Seconds of guessed work for which all published experiments are asked what such cells took.
WORTH_A_LOOK = 60.0


class Outcome(NamedTuple):
    """What a study has after a run: its finished cells and its failed ones; ``ran`` were not there before."""

    study: Study
    cells: list[Cell]
    finished: dict[str, Document]
    failed: list[Document]
    ran: int = 0


def finished_cells(config: StudyConfig, cells: Sequence[Cell]) -> dict[str, Document]:
    """Cells of the plan that need not run: from the local store, and with resume=published from that one too.

    A forced run believes none of them, nor a choice that is remembered.
    """
    if config.force:
        if not config.dry_run:
            forget({first_round(cell).key for cell in cells})
        return {}
    if config.resume == "published" and not Path(config.published).is_dir():
        raise ValueError(f"config: resume=published needs a folder of records; published={config.published} is none.")
    known = PublishedStore(config.published).documents(config.name) if config.resume == "published" else {}
    known.update(LocalStore(config.store).documents(config.name))
    keys = {cell.key for cell in cells}
    finished = {key: document for key, document in known.items() if key in keys and document["status"] == "ok"}
    check_code(config, cells, finished)
    return finished


def asked_for(config: StudyConfig, cells: Sequence[Cell]) -> list[Cell]:
    """The cells that are to run now: those of the models that only= names, or all."""
    models = list(dict.fromkeys(cell.model.name for cell in cells))
    for name in config.only:
        check_choice(name, "only", models, "config")
    return [cell for cell in cells if not config.only or cell.model.name in config.only]


def check_code(config: StudyConfig, cells: Sequence[Cell], finished: Mapping[str, Document]) -> None:
    """Say how many finished cells were made by other code than what is here; strict=true refuses them."""
    others = made_by_other_code(cells, finished)
    if others:
        told = f"{config.name}: {len(others)} cells were made by other code; force=true reruns them"
        if config.strict:
            raise ValueError(f"{told}, strict=true refuses them. First: {others[0].label}.")
        logger.warning("%s", told)


def fetch_data(cells: Sequence[Cell]) -> dict[str, str]:
    """Have the data of these cells on this machine; digest -> error of a set that cannot be had while others can.

    What cannot be had is known before the first cell runs; if nothing can be had, that is the study's error, and so
    are settings that do not fit what was had.
    """
    one_of_each = {cell.data_digest: cell for cell in cells}
    errors: dict[str, DatasetError] = {}
    for digest, cell in one_of_each.items():
        try:
            data_of(cell)
        except DatasetError as error:
            errors[digest] = error
    if errors and len(errors) == len(one_of_each):
        raise next(iter(errors.values()))
    for cell in {(cell.data_digest, cell.settings.get("n_folds")): cell for cell in cells}.values():
        if cell.data_digest not in errors:
            check_values(cell)
    for lost in errors.values():
        logger.error("%s. Its cells are left out, the others run", str(lost).rstrip("."))
    return {digest: f"{type(lost).__name__}: {lost}" for digest, lost in errors.items()}


def without_data(cells: Iterable[Cell], lost: Mapping[str, str], threads: int, store: LocalStore) -> list[Document]:
    """The failed documents of the cells whose data cannot be had: the store keeps the reason."""
    failed = [failed_document(cell, threads, lost[cell.data_digest]) for cell in cells if cell.data_digest in lost]
    for document in failed:
        store.write(document)
    return failed


def run_study(study: Study) -> Outcome | Forecast:
    """Run what is left of a study, or foresee it in a dry run. Ctrl-C leaves every finished cell in the store."""
    config, cells = study.config, study.plan()
    finished = finished_cells(config, cells)
    # Round by round: a study that is stopped early has the same rounds of every model.
    asked = asked_for(config, cells)
    left = sorted((cell for cell in asked if cell.key not in finished), key=lambda cell: cell.round)
    experience = _experience(config, finished, left)
    workers, threads = resolve(config.executor)
    if config.dry_run:
        # Data that the plan has read are checked as a run checks them.
        fetch_data([cell for cell in left if declared_digest(cell.dataset.name) is None])
        _open_store(config, left)
        if left and config.executor.name == "dask":
            check_scheduler(config.executor.address)
        return forecast(config.name, left, len(asked), experience, workers)
    place = config.executor.address or f"{workers} processes"
    logger.info(
        "%s: %d cells, %d already done, %d to run on %s (%s × %d BLAS threads)",
        *(config.name, len(cells), len(finished), len(left), config.executor.name, place, threads),
    )
    stamp = stamp_of(config.name, finished.values(), config.strict)
    lost, store = fetch_data(left), _open_store(config, left)
    failed = without_data(left, lost, threads, store)
    left = [cell for cell in left if cell.data_digest not in lost]
    with closing(_as_they_finish(config, left, experience, workers)) as documents:
        for document in documents:
            document["provenance"] = {**document["provenance"], **stamp}
            _keep(store, document)
            if document["status"] == "ok":
                finished[document["key"]] = document
            else:
                failed.append(document)
                tqdm.write(f"failed: {document['label']}: {document['error']}")
    return Outcome(study, cells, finished, failed, len(left))


def _as_they_finish(
    config: StudyConfig, left: Sequence[Cell], experience: Experience, workers: int
) -> Generator[Document, None, None]:
    """Documents of cells as they finish; the bar moves on once one has been taken."""
    waiting = {cell.key: cell for cell in left}
    with (
        closing(EXECUTORS[config.executor.name](left, config.executor)) as documents,
        _progress(experience.expect(left), config.progress and bool(left)) as bar,
    ):
        for done, document in enumerate(documents, start=1):
            yield document
            # What is done counts with the time it took, what is left with the time that such cells have taken so far.
            experience.learn(document, waiting.pop(document["key"]))
            ahead = experience.expect(waiting.values())
            bar.total = bar.n + document["seconds"] + ahead
            bar.set_description_str(f"{config.name} {done}/{len(left)} cells", refresh=False)
            bar.set_postfix_str(f"about {duration(ahead / workers)} left", refresh=False)
            bar.update(document["seconds"])


def _experience(config: StudyConfig, finished: Mapping[str, Document], left: Sequence[Cell]) -> Experience:
    """What is known of the time that cells take: of finished ones, of published ones, and of those most like them.

    Nothing is asked where nothing is shown; other experiments for a dry run, and where guesses promise a wait.
    """
    if not left or not (config.dry_run or config.progress):
        return Experience([])
    store = PublishedStore(config.published)
    published = {place: taken.seconds for place, taken in store.cell_seconds(config.name).items()}
    experience = Experience(finished.values(), published)
    guessed = [cell for cell in left if experience.is_guess(cell)]
    if config.dry_run or experience.expect(guessed) > WORTH_A_LOOK:
        published |= published_like(store, config.name, guessed)
        experience = Experience(finished.values(), published)
    return experience


def _open_store(config: StudyConfig, left: Sequence[Cell]) -> LocalStore:
    """The store of a study; where cells are left to run, it must be one that can be written."""
    store = LocalStore(config.store)
    if left:
        try:
            store.check_writable(config.name, make=not config.dry_run)
        except OSError as error:
            raise ValueError(
                f"config: the store {config.store} cannot be written: {error.strerror or error}. "
                "Name another with store=FOLDER."
            ) from error
    return store


class MachineError(RuntimeError):
    """The machine failed under a run: a disk that is full, a folder that is gone; the message says what is kept."""


def _keep(store: LocalStore, document: Document) -> None:
    try:
        store.write(document)
    except OSError as error:
        raise MachineError(
            f"the store {store.folder} cannot be written any more ({error}): finished cells are kept, the same "
            "command goes on from them"
        ) from error


def _progress(seconds: float, shown: bool) -> tqdm[Any]:
    """A bar of the seconds that cells are expected to take."""
    # The time left is reckoned from cells, not from the pace so far: at first that is the start of processes.
    look = "{desc} {percentage:3.0f}%|{bar}| {elapsed} spent{postfix}"
    return tqdm(total=seconds, disable=not shown, smoothing=0.0, bar_format=look, mininterval=1.0)


def report_failures(failed: Sequence[Document]) -> None:
    """Every failure with its error, and where its traceback is."""
    for document in failed:
        logger.error("failed: %s: %s (traceback in %s.json)", document["label"], document["error"], document["key"])
    if failed:
        logger.error("%d cells failed; they run again next time", len(failed))
