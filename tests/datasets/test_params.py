"""Parameters from a mapping: unknown and missing keys are named."""

from __future__ import annotations

import pytest

from celm.datasets import check_params
from celm.datasets.own import CsvParams
from celm.datasets.params import NoParams, build_params
from celm.datasets.spiral import SpiralParams


def test_defaults_are_filled_in() -> None:
    assert build_params(SpiralParams, {"turns": 2.25}, "spiral") == SpiralParams(turns=2.25)
    assert build_params(SpiralParams, None, "spiral") == SpiralParams()


def test_unknown_key_gets_the_nearest_name() -> None:
    with pytest.raises(ValueError, match=r"spiral: unknown parameter 'turn'; it takes n_samples, turns,.*'turns'\?"):
        build_params(SpiralParams, {"turn": 3}, "spiral")


def test_sets_without_parameters_say_so() -> None:
    with pytest.raises(ValueError, match="wdbc: unknown parameter 'turns'; it takes none"):
        build_params(NoParams, {"turns": 3}, "wdbc")


def test_required_key() -> None:
    with pytest.raises(ValueError, match="csv: the parameter 'path' must be given"):
        build_params(CsvParams, {"target": "kind"}, "csv")


@pytest.mark.parametrize("name", ["spiral", "quadratic"])
def test_no_generated_set_fills_the_machine(name):
    with pytest.raises(ValueError, match="n_samples must be a whole number of at least 4 and at most 10000000"):
        check_params(name, {"n_samples": 1_000_000_000})
