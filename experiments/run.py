"""The command line of the harness: python -m experiments.run [-m] [experiment=table1] [key=value …]."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence

import hydra
from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig

from celm.base.signals import exit_code, stopping_in_order
from celm.datasets import DatasetError
from celm.study.executors.cluster_worker import ExecutorError
from experiments.config.overrides import check_arguments
from experiments.config.readings import with_protocols
from experiments.config.schema import register
from experiments.config.studies import study_of
from experiments.config.study_names import digest_of
from experiments.config.sweeps import current_sweep, note_job
from experiments.execution import report_failures, run_study
from experiments.run_summary import show

logger = logging.getLogger(__name__)

# Errors whose message says all that a user needs to mend them.
MENDABLE = (ValueError, DatasetError, ExecutorError)

register()


@hydra.main(version_base="1.3", config_path="../conf", config_name="config")
def main(config: DictConfig) -> None:
    """Run one study; the exit code is 1 when a cell failed, 2 when the study could not start.

    After Ctrl-C it is 130, after SIGTERM 143, after SIGHUP 129: all three end a run in order.
    """
    register()  # a launcher may run this in a process that has not imported this module
    overrides, sweep = list(HydraConfig.get().overrides.task), current_sweep()
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
    try:
        outcome = run_study(study_of(config, overrides))
    except MENDABLE as error:
        logger.error("%s", error)
        raise SystemExit(2) from error
    if outcome is not None:
        show(outcome)
        report_failures(outcome.failed)
        if outcome.failed:
            raise SystemExit(1)


def _run_in_sweep(config: DictConfig, overrides: Sequence[str], sweep: Sequence[str]) -> None:
    """One job of a sweep: whatever happens to it is noted for the sweep's end and does not stop the others."""
    name = f"{config.name}-{digest_of({'sweep': list(sweep)})}"  # until the study is known
    try:
        study = study_of(config, overrides, sweep)
        name = study.config.name
        outcome = run_study(study)
    except Exception as error:
        logger.error("%s", error, exc_info=not isinstance(error, MENDABLE))
        note_job(config.store, name, sweep, overrides, [], f"{type(error).__name__}: {error}")
        return
    if outcome is not None:
        note_job(config.store, name, sweep, overrides, outcome.cells)


if __name__ == "__main__":
    check_arguments(sys.argv[1:])
    sys.argv[1:] = with_protocols(sys.argv[1:])
    main()
