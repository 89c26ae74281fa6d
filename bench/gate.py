"""The gate for continuous integration: one fit over its limit, in CPU seconds of one thread, against a known ratio."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from bench.environments import LIBRARIES
from bench.measure import Contest
from bench.tasks import Shape, Task, made_up

# More outputs than are held whole: the pass by blocks is what every larger fit takes.
SHAPE, NODES = Shape(12_000, 200, 200, 10), 400
# CPU seconds of our fit over those of the bare products, and how much worse it may become.
KNOWN_RATIO, MOST_REGRESSION = 1.0, 1.5
REPEAT = 7


def ratio(repeat: int = REPEAT) -> float:
    """CPU seconds of celm's double-precision fit over those of the limit, the best of several turns each."""
    ours, limit = (next(each for each in LIBRARIES if each.name == name) for name in ("celm", "limit"))
    with tempfile.TemporaryDirectory(prefix="celm-gate-") as folder:
        for key, values in made_up(SHAPE).items():
            np.save(Path(folder, f"{key}.npy"), np.ascontiguousarray(values))
        contest = Contest(Path(folder), threads=1, repeat=repeat, patience=300.0)
        rows = contest.rows(Task("gate", "fit", "clusters", NODES), [ours, limit], Path(folder))
    seconds = {(row.library, row.dtype): row.cpu_seconds for row in rows}
    failed = [f"{row.library}: {row.status}" for row in rows if row.status != "ok"]
    if failed:
        raise RuntimeError(f"bench --check: {'; '.join(failed)}")
    return float(seconds["celm", "float64"] or 0.0) / float(seconds["limit", "float64"] or 1.0)


def verdict(measured: float) -> tuple[bool, str]:
    """Whether the ratio is no regression, and a sentence about it."""
    most = KNOWN_RATIO * MOST_REGRESSION
    words = (
        f"bench --check: a fit takes {measured:.2f} times its bare products; known is {KNOWN_RATIO}, allowed {most:.2f}"
    )
    return measured <= most, words
