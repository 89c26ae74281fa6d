"""The command line of the harness: python -m experiments.run [-m] [experiment=table1] [key=value …].

It exits with 0 when all is done, 1 when a cell or a job of a sweep failed or the machine did (a full disk), 2 when the
study could not start as it was described, 130, 143 or 129 when Ctrl-C, SIGTERM or SIGHUP stopped it.
"""

from __future__ import annotations

import logging
import os
import re
import signal
import sys
import time
from collections.abc import Sequence
from typing import Any

import hydra
from hydra.core.hydra_config import HydraConfig
from hydra.errors import HydraException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from celm.base.signals import exit_code, stopping_in_order
from celm.study.executors.cluster_worker import WorkersLost
from experiments.command import MENDABLE, end_in_words
from experiments.config.command_line import as_hydra_reads, shows
from experiments.config.entries import CONF
from experiments.config.job_reports import foresee_job, report_job
from experiments.config.overrides import check_arguments
from experiments.config.readings import with_protocols
from experiments.config.schema import register
from experiments.config.studies import study_of
from experiments.config.study_names import digest_of
from experiments.config.sweeps import current_sweep, end_with_runner, note_job
from experiments.dry_run import Forecast
from experiments.dry_run import told as told_forecast
from experiments.execution import MachineError, report_failures, run_study
from experiments.run_end import hushed, last_words, logs_aside, with_mode
from experiments.run_summary import show
from experiments.streams import check_printed

logger = logging.getLogger(__name__)

# Errors that are told in a sentence; any other is told with where it came from.
FORESEEN = (*MENDABLE, HydraException, OmegaConfBaseException, OSError)

# A worker process imports this file too and is given cells, which name nothing that Hydra must know.
if __name__ != "__mp_main__":
    register()


def told(error: BaseException) -> str:
    """An error as one sentence; those of Hydra and OmegaConf have further lines, and a cause that says more."""
    said = [str(one).strip().partition("\n")[0] for one in (error, error.__cause__) if one is not None]
    if not isinstance(error, (HydraException, OmegaConfBaseException)):
        return str(error) or type(error).__name__
    key = re.search(r"full_key: (\S+)", str(error))
    return f"{f'{key[1]}: ' if key else ''}{': '.join(dict.fromkeys(filter(None, said)))}"


def words_given() -> list[str]:
    """The overrides of the command line; as they were written where one refers to what is not there."""
    task = HydraConfig.get().overrides.task
    try:
        return list(task)
    except OmegaConfBaseException:
        written: Any = OmegaConf.to_container(task, resolve=False)  # study_of says which and why
        return [str(word) for word in written]


@hydra.main(version_base="1.3", config_path=str(CONF), config_name="config")
def main(config: DictConfig) -> None:
    """Run one study; the exit code is 1 when a cell failed, 2 when the study could not start.

    After Ctrl-C it is 130, after SIGTERM 143, after SIGHUP 129: all three end a run in order.
    """
    register()  # a launcher may run this in a process that has not imported this module
    overrides, sweep = words_given(), current_sweep()
    try:
        with stopping_in_order():
            if sweep is None:
                _run_alone(config, overrides)
            else:
                _run_in_sweep(config, overrides, sweep)
    except KeyboardInterrupt as stop:
        logger.error("stopped: finished cells are kept, the same command goes on from them")
        raise SystemExit(exit_code(stop)) from None


def _run_alone(config: DictConfig, overrides: Sequence[str]) -> None:
    started = time.monotonic()
    logs_aside()
    try:
        outcome = run_study(study_of(config, overrides))
    except (MachineError, WorkersLost) as error:
        logger.error("%s", error)
        raise SystemExit(1) from error
    except MENDABLE as error:
        logger.error("%s", told(error))
        raise SystemExit(2) from error
    if isinstance(outcome, Forecast):
        print(told_forecast(outcome))
        return
    with hushed():
        end = show(outcome)
    print(last_words(end._replace(seconds=time.monotonic() - started)))
    report_failures(outcome.failed)
    if outcome.failed:
        raise SystemExit(1)


def _run_in_sweep(config: DictConfig, overrides: Sequence[str], sweep: Sequence[str]) -> None:
    """One job of a sweep: whatever happens to it is noted for the sweep's end and does not stop the others."""
    end_with_runner()
    name = f"{config.name}-{digest_of({'sweep': list(sweep)})}"  # until the study is known
    logs_aside()
    try:
        study = study_of(config, overrides, sweep)
        name = study.config.name
        outcome = run_study(study)
    except MachineError as error:
        logger.error("%s", error)
        raise SystemExit(1) from error
    except Exception as error:
        logger.error("%s", told(error), exc_info=not isinstance(error, FORESEEN))
        if config.dry_run:
            raise SystemExit(2) from None
        note_job(config.store, name, sweep, overrides, [], f"{type(error).__name__}: {error}")
        return
    if isinstance(outcome, Forecast):
        foresee_job(outcome)
    else:
        note_job(config.store, name, sweep, overrides, outcome.cells)
        report_job(name, outcome.ran)


def console(arguments: Sequence[str]) -> None:
    """Run a command line; what Hydra refuses is told in a sentence and ends with 2, where Hydra itself would say 1."""
    full = os.environ.setdefault("HYDRA_FULL_ERROR", "0")
    os.environ["HYDRA_FULL_ERROR"] = "1"  # Hydra hands errors on instead of printing them and ending the process
    try:
        arguments = with_mode(arguments)
        check_arguments(arguments)
        sys.argv[1:] = as_hydra_reads(with_protocols(arguments))
        with stopping_in_order():  # a launcher has processes of its own to end
            main()
    except KeyboardInterrupt as stop:
        print("stopped", file=sys.stderr)
        raise SystemExit(exit_code(stop)) from None
    except SystemExit as end:
        if end.code == 1 and shows(arguments):  # Hydra's answer to a package that there is not
            raise SystemExit(2) from None
        raise
    except Exception as error:
        os.environ["HYDRA_FULL_ERROR"] = full
        end_in_words(error, told(error), isinstance(error, FORESEEN))
    finally:
        os.environ["HYDRA_FULL_ERROR"] = full
    check_printed()
    if __name__ == "__main__":  # all is done: a Ctrl-C would end nothing but the wait for a launcher's processes
        signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == "__main__":
    console(sys.argv[1:])
