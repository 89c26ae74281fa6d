"""The command line of the harness: python -m experiments.run [-m] [experiment=table1] [key=value …]."""

from __future__ import annotations

import logging
import sys

import hydra
from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig

from celm.datasets import DatasetError
from experiments.configs import register
from experiments.execution import note_identity, report_failures, run_study
from experiments.overrides import check_arguments
from experiments.reporting import show
from experiments.studies import study_of
from experiments.sweeps import current_sweep

logger = logging.getLogger(__name__)

register()


@hydra.main(version_base="1.3", config_path="../conf", config_name="config")
def main(config: DictConfig) -> None:
    """Run one study; the exit code is 1 when a cell failed, 2 when the study could not start, 130 after Ctrl-C."""
    overrides, sweep = list(HydraConfig.get().overrides.task), current_sweep()
    try:
        study = study_of(config, overrides, sweep)
        outcome = run_study(study)
    except (ValueError, DatasetError) as error:
        logger.error("%s", error)
        raise SystemExit(2) from error
    except KeyboardInterrupt:
        logger.error("stopped: finished cells are kept, the same command goes on from them")
        raise SystemExit(130) from None
    if outcome is None:
        return
    note_identity(study.config, overrides, sweep)
    if sweep is None:
        show(outcome)
        report_failures(outcome.failed)
        if outcome.failed:
            raise SystemExit(1)


if __name__ == "__main__":
    check_arguments(sys.argv[1:])
    main()
