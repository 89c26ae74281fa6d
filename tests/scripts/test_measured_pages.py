"""Pages with measured figures: they are those of the files, and what is reckoned follows from them."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MEASURED = {
    "rows": 1000,
    "features": 10,
    "nodes": 50,
    "chunk_rows": 100,
    "workers": 2,
    "fit_seconds": 9.0,
    "stage_seconds": {"labels": 1.0, "sample": 2.0, "sums": 6.0},
    "tasks_per_partition": 9.5,
    "client_peak_bytes": 3e6,
    "client_growth_bytes": 1e6,
    "worker_peak_bytes": 5e6,
    "seconds_per_task": 1e-3,
    "seconds_on_sums": {"add": 1e-4, "solve": 1e-2},
    "machine": "2 cores",
}


@pytest.fixture(scope="module")
def page():
    spec = importlib.util.spec_from_file_location("measured_pages", ROOT / "scripts" / "measured_pages.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.mark.parametrize("name", ["dask.md", "large_data.md", "security.md"])
def test_a_page_says_what_the_files_say(page, name):
    path = page.DOCS / name
    assert page.filled(path) == path.read_text(encoding="utf-8")


def test_a_figure_without_a_file_is_called_not_yet_measured(page, monkeypatch, tmp_path):
    (tmp_path / "dask_example.json").write_text(json.dumps(MEASURED))
    monkeypatch.setattr(page, "MEASURED", tmp_path)
    text = page.filled(page.DOCS / "dask.md")
    assert "1,000 rows of 10 features at 50 nodes, 10 chunks of 100 rows" in text
    assert text.count("Not yet measured") == 1
    assert "First to break: " in text


def test_the_benchmark_is_told_with_its_bar(page):
    def one(seconds, solver):
        return {
            "seconds": {"dask": seconds, "local": 10.0},
            "ratio": seconds / 10.0,
            "solvers": {"dask": solver, "local": solver},
            "readouts_apart": 2e-13,
        }

    precisions = {"auto": one(12.0, "single products"), "double": one(13.0, "cholesky")}
    words = {"rows": 2000, "features": 10, "nodes": 50, "precisions": precisions}
    came, double = page.bench_told(words)[-1].rows
    told = ["as they come", "12.00 s", "10.00 s", "1.20", "within the bar", "2e-13 of their size", "single products"]
    assert came == told
    assert double[:5] == ["in double precision", "13.00 s", "10.00 s", "1.30", "above the bar"]


def test_what_was_tried_is_told_by_part_with_its_commits(page):
    counts = {"refused": 1500, "accepted": 500}
    table, end = page.tried_told({"commits": ["0123456789", "abcdef0123"], "parts": {"command lines": counts}})
    assert table.rows == [["command lines", "2,000", "1,500 refused, 500 accepted"]]
    assert end.line == "No fault, on `0123456` and `abcdef0`."


def test_numbers_are_written_as_people_read_them(page):
    assert [page.times(factor) for factor in (1.64, 27.3, 3612.0)] == ["1.6 times", "27 times", "3,600 times"]
    assert [page.size(n) for n in (2e10, 2.47e6, 900)] == ["20 GB", "2.47 MB", "0.9 kB"]


def test_machines_of_many_nodes_are_told_one_by_one(page):
    one = {"nodes": 30_000, "rows": 40_000, "features": 20, "lam": 1.0, "solver": "conjugate gradients, 9 passes"}
    table = page.many_nodes_told([one | {"seconds": 123.4, "peak_gb": 2.345, "accuracy": 0.91234}])[-1]
    assert table.rows == [["30,000", "conjugate gradients, 9 passes", "123", "0.9123", "2.35 GB"]]


def test_time_goes_by_rows_over_workers_and_tasks_by_partitions(page):
    job = page.Reckoning(MEASURED, rows=100_000, workers=20)
    assert job.pass_seconds("sums") == pytest.approx(6.0 * 100 / 10)
    assert job.compute_seconds == pytest.approx(9.0 * 100 / 10)
    assert job.partitions == 1000
    assert job.scheduler_seconds == pytest.approx(9.5)
    assert job.travelling_bytes == 20 * 2 * 8 * 50**2
    assert job.network_seconds == pytest.approx(5 * 2 * 8 * 50**2 / page.NETWORK)
    twice = page.Reckoning(MEASURED, rows=200_000, workers=40)
    assert twice.compute_seconds == pytest.approx(job.compute_seconds)
    assert twice.limits()["the scheduler's time"] == pytest.approx(job.limits()["the scheduler's time"] / 2)
