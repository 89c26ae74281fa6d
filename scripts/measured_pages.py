"""Fills the figures of docs/dask.md, docs/large_data.md and docs/security.md from the files of docs/measured.

    python scripts/measured_pages.py            # write the pages
    python scripts/measured_pages.py --check    # fail when a page differs from what the files say

A figure whose file does not exist is written as not yet measured. Nothing between the marks is written by hand.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ending import end_in_words

from celm.base.files import write_whole
from celm.render.document import Block, Paragraph, Table
from celm.render.markdown import block_text

DOCS = Path(__file__).resolve().parent.parent / "docs"
MEASURED = DOCS / "measured"
# What fills a block: its file under docs/measured, and the command that writes it.
SOURCES = {
    "example": ("dask_example.json", "python scripts/dask_example.py"),
    "bench": ("dask_bench.json", "python scripts/bench_dask.py"),
    "many nodes": ("many_nodes.json", "python scripts/many_nodes.py"),
    "kills": ("chaos.json", "make chaos` and `cp runs/tried/chaos.json docs/measured/"),
    "command lines": ("fuzz_cli.json", "make fuzz-cli` and `cp runs/tried/fuzz_cli.json docs/measured/"),
    "inputs": ("fuzz_estimators.json", "make fuzz-estimators` and `cp runs/tried/fuzz_estimators.json docs/measured/"),
}
BAR = 1.25

# The job that is reckoned.
ROWS, WORKERS = 10**9, 100
# What a scheduler keeps of a task, and what one process should keep: Dask's own rule of thumb, not measured here.
TASK_BYTES, SCHEDULER_BYTES = 2_000, 8 * 10**9
# What the client hears of a partition in all three passes: measured at 10 to 300 partitions, where the model is small.
PARTITION_BYTES = 1_600
# A network card that many clusters have, in bytes per second.
NETWORK = 1.25e9

Measured = Mapping[str, Any]


@dataclass(frozen=True)
class Reckoning:
    """What a fit on so many rows and workers takes, from what a small one took, everything else being equal."""

    measured: Measured
    rows: int = ROWS
    workers: int = WORKERS

    @property
    def partitions(self) -> int:
        """Partitions of the measured size."""
        return -(-self.rows // self.measured["chunk_rows"])

    def pass_seconds(self, stage: str) -> float:
        """One pass, when every worker is as quick as a measured one and has as many partitions as the others."""
        per_row = self.measured["stage_seconds"][stage] * self.measured["workers"] / self.measured["rows"]
        return per_row * self.rows / self.workers

    @property
    def compute_seconds(self) -> float:
        """All passes."""
        return sum(self.pass_seconds(stage) for stage in self.measured["stage_seconds"])

    @property
    def tasks(self) -> int:
        """Tasks of all passes."""
        return round(self.partitions * self.measured["tasks_per_partition"])

    @property
    def scheduler_seconds(self) -> float:
        """The one scheduler's work on all tasks: it goes on beside the passes."""
        return self.tasks * self.measured["seconds_per_task"]

    @property
    def sums_bytes(self) -> int:
        """HᵀH and HᵀT of one partition, a fold."""
        return 8 * self.measured["nodes"] ** 2

    @property
    def travelling_bytes(self) -> int:
        """Every worker's sums, and what they have rounded off, go to another worker once."""
        return self.workers * 2 * self.sums_bytes

    @property
    def network_seconds(self) -> float:
        """The sums' way at the end: in pairs, every card once per level."""
        return math.ceil(math.log2(self.workers)) * 2 * self.sums_bytes / NETWORK

    @property
    def client_bytes(self) -> int:
        """What comes to the client: the layer, the readout, and of every partition its length and its end."""
        columns = self.measured["features"] + 1 + 16
        return 8 * self.measured["nodes"] * columns + PARTITION_BYTES * self.partitions

    def limits(self) -> dict[str, float]:
        """By what factor the job may grow, at this chunk size, before each part is what holds it up or breaks."""
        return {
            "the scheduler's time": self.compute_seconds / self.scheduler_seconds,
            "the scheduler's memory": SCHEDULER_BYTES / (self.tasks * TASK_BYTES),
            "the network between workers": self.compute_seconds / self.network_seconds,
        }


def size(n_bytes: float) -> str:
    """Bytes in a unit that is easy to read."""
    for unit, name in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB")):
        if n_bytes >= unit:
            return f"{n_bytes / unit:.3g} {name}"
    return f"{n_bytes / 1e3:.3g} kB"


def times(factor: float) -> str:
    """How many times, in two digits and without powers of ten."""
    return f"{float(f'{factor:.2g}'):,g} times"


def example_told(measured: Measured) -> list[Block]:
    """The example as it ran."""
    stages = ", ".join(f"{stage} {seconds:.0f} s" for stage, seconds in measured["stage_seconds"].items())
    client, growth = (size(measured[f"client_{what}_bytes"]) for what in ("peak", "growth"))
    rows = {
        "fit": f"{measured['fit_seconds']:.0f} s ({stages})",
        "peak memory of a worker": size(measured["worker_peak_bytes"]),
        "peak memory of the client": f"{client}, of which the fit {growth}",
    }
    about = (
        f"{measured['rows']:,} rows of {measured['features']} features at {measured['nodes']} nodes, "
        f"{measured['rows'] // measured['chunk_rows']} chunks of {measured['chunk_rows']:,} rows made on "
        f"{measured['workers']} workers of one thread ({measured['machine']}):"
    )
    return [Paragraph(about), Table(["", ""], list(rows.items()))]


def bench_told(measured: Measured) -> list[Block]:
    """The benchmark as it ran."""
    words = {"auto": "as they come", "double": "in double precision"}
    about = (
        f"{measured['rows']:,} rows of {measured['features']} features at {measured['nodes']} nodes, persisted chunks, "
        f"two workers against a local fit on two threads; the bar is {BAR}:"
    )
    rows = [
        [
            words[precision],
            *(f"{one['seconds'][where]:.2f} s" for where in ("dask", "local")),
            f"{one['ratio']:.2f}",
            f"{'within' if one['ratio'] <= BAR else 'above'} the bar",
            f"{one['readouts_apart']:.0e} of their size",
            " and ".join(dict.fromkeys(one["solvers"].values())),
        ]
        for precision, one in measured["precisions"].items()
    ]
    return [Paragraph(about), Table(["", "two workers", "local", "ratio", "", "readouts apart", "solved by"], rows)]


def reckoned_told(measured: Measured) -> list[Block]:
    """A billion rows on a hundred workers, and what would break first."""
    job, per_task = Reckoning(measured), 1e3 * measured["seconds_per_task"]
    (first, factor), *others = sorted(job.limits().items(), key=lambda item: item[1])
    chunk = 8 * measured["chunk_rows"] * measured["features"]
    about = f"{job.rows:,} rows on {job.workers} such workers, {job.partitions:,} chunks of {size(chunk)}:"
    rows = {
        "three passes over the rows": f"{job.compute_seconds:.0f} s",
        "the scheduler, beside them": f"{job.scheduler_seconds:.0f} s for {job.tasks:,} tasks of {per_task:.2f} ms",
        "sums between workers, at the end": f"{size(job.travelling_bytes)}, {job.network_seconds:.2f} s at 10 Gbit/s",
        "to the client": size(job.client_bytes),
        "one worker's memory": size(measured["worker_peak_bytes"]),
        "the solution, on one worker": f"{measured['seconds_on_sums']['solve']:.2f} s",
    }
    then = "; ".join(f"{name}, at {times(value)}" for name, value in others)
    breaks = f"First to break: {first}, at {times(factor)} this job. Then {then}. Larger chunks make fewer tasks."
    return [Paragraph(about), Table(["", ""], list(rows.items())), Paragraph(breaks)]


def many_nodes_told(measured: list[Measured]) -> list[Block]:
    """Machines of very many nodes, and the direct one beside them."""
    first = measured[0]
    about = (
        f"{first['rows']:,} rows of {first['features']} features, ten classes, λ = {first['lam']:g}, every machine in "
        "a process of its own:"
    )
    forms = {"nodes": "{:,}", "solver": "{}", "seconds": "{:.0f}", "accuracy": "{:.4f}", "peak_gb": "{:.2f} GB"}
    rows = [[form.format(one[name]) for name, form in forms.items()] for one in measured]
    return [Paragraph(about), Table(["nodes", "solved by", "seconds", "test accuracy", "peak memory"], rows)]


def tried_told(measured: Measured) -> list[Block]:
    """What a long form has tried without a fault, and on which commits."""
    rows = [
        [part, f"{sum(counts.values()):,}", ", ".join(f"{n:,} {name}" for name, n in counts.items())]
        for part, counts in measured["parts"].items()
    ]
    commits = " and ".join(f"`{commit[:7]}`" for commit in measured["commits"])
    return [Table(["", "tried", "of which"], rows), Paragraph(f"No fault, on {commits}.")]


# Page -> its marked blocks: what they are filled from, and how.
PAGES = {
    DOCS / "dask.md": {
        "example": ("example", example_told),
        "bench": ("bench", bench_told),
        "billion": ("example", reckoned_told),
    },
    DOCS / "large_data.md": {"many nodes": ("many nodes", many_nodes_told)},
    DOCS / "security.md": {name: (name, tried_told) for name in ("kills", "command lines", "inputs")},
}


def filled(path: Path) -> str:
    """A page with every marked block written anew."""
    page = path.read_text(encoding="utf-8")
    for block, (source, told) in PAGES[path].items():
        name, command = SOURCES[source]
        if (file := MEASURED / name).exists():
            text = "\n\n".join(map(block_text, told(json.loads(file.read_text(encoding="utf-8")))))
        else:
            text = f"*Not yet measured: `{command}`, then `python scripts/measured_pages.py`.*"
        marked = re.compile(rf"(<!-- {block} -->\n).*?(\n<!-- end of {block} -->)", re.DOTALL)
        page, found = marked.subn(lambda match, text=text: match[1] + text + match[2], page)
        if found != 1:
            raise ValueError(f"{path} must have one block marked {block!r}; got {found}.")
    return page


def main() -> None:
    """Write or check the pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, fail when a page is not up to date")
    options = parser.parse_args()
    for path in PAGES:
        if not options.check:
            write_whole(path, filled(path))
        elif filled(path) != path.read_text(encoding="utf-8"):
            sys.exit(f"{path} is not up to date: python scripts/measured_pages.py")


if __name__ == "__main__":
    end_in_words(main)
