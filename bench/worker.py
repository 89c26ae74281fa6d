"""Runs one task of one library in the library's own Python; orders come line by line, answers leave as JSON lines.

    python worker.py '{"library": …, "dtype": …, "task": {…}, "data": FOLDER}'

``run`` does the work and answers its seconds; ``end`` answers accuracy and peak memory. Only numpy and the
library itself are imported, so that any environment can run it.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any, Literal

sys.path.insert(0, str(Path(__file__).parent))

ONE_ROW_CALLS = 200
# Rows that a model to predict with is fitted on, or so many per node, since some libraries make no more nodes than they
# have seen rows and others answer at random when they have seen just as many: its fit is not what is timed.
FITTED_ROWS, PER_NODE = 2000, 1.5
# What a first small fit brings in, imports above all, is not what is timed either.
WARM_ROWS, WARM_NODES = 300, 10
# A run that takes longer needs no second one to be warm; shorter ones are repeated for so long within a turn.
LONG, TURN = 2.0, 0.1


class Job:
    """The work of one task: ``run`` is what is timed, ``accuracy`` judges what it left."""

    def __init__(self, order: dict[str, Any]) -> None:
        import adapters
        import numpy as np

        self.task = order["task"]
        self.adapter = adapters.adapter_named(order["library"])(self.task, order["dtype"])
        kind = self.task["kind"]
        # Single-precision libraries have single-precision rows; celm's mixed form has them to predict.
        single = {"float32": ("X", "X_new"), "mixed": ("X_new",) if kind.startswith("predict") else ()}
        if not hasattr(self.adapter, "fit" if kind.startswith("predict") else kind):
            raise NotImplementedError(f"{order['library']} does not offer {kind}")
        how: Literal["r"] | None = "r" if order.get("mapped") else None
        self.data = {
            path.stem: np.load(path, how, allow_pickle=False) for path in sorted(Path(order["data"]).glob("*.npy"))
        }
        for key in ("X", "X_new"):
            dtype = np.float32 if key in single.get(order["dtype"], ()) else np.float64
            self.data[key] = self.data[key].astype(dtype, copy=False)
        self.predicted: Any = None
        self.calls = 1
        with contextlib.suppress(Exception):
            small = adapters.adapter_named(order["library"])({**self.task, "nodes": WARM_NODES}, order["dtype"])
            small.prepare(self.data["X"])
            small.fit(self.data["X"][:WARM_ROWS], self.data["y"][:WARM_ROWS])
        self.adapter.prepare(self.data["X"])
        if self.task["kind"].startswith("predict"):
            rows = slice(None, max(FITTED_ROWS, int(PER_NODE * self.task["nodes"])))
            self.model = self.adapter.fit(self.data["X"][rows], self.data["y"][rows])

    def run(self) -> None:
        kind, X, y = self.task["kind"], self.data["X"], self.data["y"]
        if kind == "predict":
            self.predicted = self.adapter.predict(self.model, self.data["X_new"])
        elif kind == "predict_one_row":
            self.calls = ONE_ROW_CALLS
            row = self.data["X_new"][:1]
            for _ in range(self.calls):
                self.adapter.predict(self.model, row)
        elif kind == "draw":
            self.adapter.draw(X, y)
        else:
            self.model = self.adapter.fit(X, y) if kind == "fit" else getattr(self.adapter, kind)(X, y)

    def accuracy(self) -> float | None:
        """Share of new rows predicted right, or R² of a regression; None where nothing was predicted."""
        if self.task["kind"] == "draw" or getattr(self, "model", None) is None:
            return None
        answers = self.predicted
        if answers is None:
            answers = self.adapter.predict(self.model, self.data["X_new"])
        if answers is None:
            return None
        truth = self.data["y_new"]
        if truth.dtype.kind == "f":
            return float(1.0 - ((truth - answers) ** 2).sum() / ((truth - truth.mean()) ** 2).sum())
        return float((answers == truth).mean())


class Peak:
    """The most memory that this process held while watched, beyond what it held before.

    Linux keeps the height of that water itself, which is set back first, after what was freed has been given back.
    Elsewhere, and where the rows lie in a file, whose pages are no memory of the work, it is looked at now and then.
    """

    def __init__(self, mapped: bool) -> None:
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
        self._marked = not mapped and self._mark()
        self._start = _memory("VmRSS" if self._marked else "RssAnon")
        self._most, self._over = self._start, threading.Event()
        self._watch = threading.Thread(target=self._look, daemon=True)
        if not self._marked:
            self._watch.start()

    @staticmethod
    def _mark() -> bool:
        try:
            Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        except OSError:
            return False
        return True

    def _look(self) -> None:
        while not self._over.wait(0.01):
            self._most = max(self._most, _memory("RssAnon"))

    def bytes(self) -> int:
        """End the watch; what came on top of the start."""
        if self._marked:
            return max(0, _memory("VmHWM") - self._start)
        self._over.set()
        self._watch.join()
        return max(self._most, _memory("RssAnon")) - self._start


def _memory(name: str) -> int:
    """A line of what Linux tells of this process; the most that it ever held where there is no such line."""
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text(encoding="ascii").splitlines():
            if line.startswith(f"{name}:"):
                return 1024 * int(line.split()[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def answer(**values: Any) -> None:
    os.write(OUT, (json.dumps(values) + "\n").encode())


def turn(job: Job) -> dict[str, float]:
    """The best run of a turn: short ones find caches and clocks as calls before them left these, not as others did."""
    until, runs = time.perf_counter() + TURN, [timed(job)]
    while time.perf_counter() < until:
        runs.append(timed(job))
    return min(runs, key=lambda run: run["seconds"])


def timed(job: Job) -> dict[str, float]:
    """The seconds of one run."""
    wall, cpu = time.perf_counter(), time.process_time()
    job.run()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return {"seconds": wall / job.calls, "cpu_seconds": cpu / job.calls}


def serve(order: dict[str, Any]) -> None:
    """Answer the orders that come on standard input until ``end``; the first run is watched, and only timed if long."""
    job = Job(order)
    peak: int | None = None
    answer(version=job.adapter.version())
    for line in sys.stdin:
        if line.strip() == "end":
            answer(accuracy=job.accuracy(), peak_mb=None if peak is None else round(peak / 1e6, 1))
            return
        found: dict[str, float] = {}
        if peak is None:
            watch = Peak(mapped=bool(order.get("mapped")))
            found = timed(job)
            peak = watch.bytes()
        answer(**(found if found.get("seconds", 0.0) * job.calls > LONG else turn(job)))


if __name__ == "__main__":
    # What libraries print must not mix with the answers.
    OUT = os.dup(1)
    os.dup2(2, 1)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            serve(json.loads(sys.argv[1]))
    except BaseException as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        answer(error=f"{type(error).__name__}: {error} ({Path(last.filename).name}:{last.lineno})")
        sys.exit(1)
