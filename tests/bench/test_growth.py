"""Exponents of growth with their intervals, quiet machines, and the gate."""

from __future__ import annotations

import numpy as np
import pytest

from bench import gate
from bench.growth import POINTS, STARTS, beyond_memory, exponents, fitted_exponent, series, stream_name
from bench.measure import Contest, Row


def test_a_power_law_gives_its_exponent_without_doubt():
    sizes = [100.0, 200.0, 400.0, 800.0]
    slope, low, high = fitted_exponent(sizes, [3.0 * size**1.5 for size in sizes])
    assert (slope, low, high) == pytest.approx((1.5, 1.5, 1.5))


def test_the_interval_covers_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(0)
    sizes = [2.0**power for power in range(POINTS)]
    hits = 0
    for _ in range(400):
        _, low, high = fitted_exponent(sizes, [size**2 * np.exp(0.1 * rng.standard_normal()) for size in sizes])
        hits += low <= 2.0 <= high
    assert 0.91 < hits / 400 < 0.985


def test_every_quantity_is_doubled_and_nothing_else():
    points: dict[str, list[tuple]] = {}
    for quantity, value, shape, nodes in series("small"):
        points.setdefault(quantity, []).append((value, shape, nodes))
    assert set(points) == {"rows", "features", "nodes", "classes"}
    for quantity, found in points.items():
        values = [value for value, _, _ in found]
        assert values == [values[0] * 2**power for power in range(POINTS)]
        fixed = {(shape._replace(**{quantity: 0}) if quantity != "nodes" else shape) for _, shape, _ in found}
        assert len(fixed) == 1


def test_exponents_are_fitted_to_the_points_of_a_table_and_to_nothing_else():
    points = [Row(f"growth_rows_{2**k}", "celm", seconds=3.0 * 2**k, peak_mb=1.0) for k in range(POINTS)]
    others = [Row("fit_200", "celm", seconds=1.0), Row("growth_nodes_10", "celm", status="ended with code 1")]
    found = {(each.quantity, each.cost): each.exponent for each in exponents([*others, *points])}
    assert found == {("rows", "seconds"): pytest.approx(1.0), ("rows", "peak_mb"): pytest.approx(0.0, abs=1e-12)}


def test_the_gate_lets_the_known_ratio_pass_and_half_as_much_again_not():
    assert gate.verdict(gate.KNOWN_RATIO)[0]
    assert not gate.verdict(1.51 * gate.KNOWN_RATIO)[0]


@pytest.mark.heavy
def test_streams_and_a_mapped_file_are_learned_from(tmp_path):
    rows = beyond_memory(Contest(tmp_path, threads=1, repeat=1, patience=60.0), tmp_path, "small")
    start = STARTS["small"]
    assert [row.task for row in rows] == [stream_name(start.few_rows), stream_name(start.many_rows), "mapped_file"]
    assert {row.status for row in rows} == {"ok"}
    assert all(row.accuracy > 0.6 and row.peak_mb >= 0 for row in rows)
