"""Runs the benchmark: make bench, or python -m bench --size small to see that everything works.

python -m bench                         everything; what was measured in quiet is published to results/bench
python -m bench --environments FOLDER   the same with the peers' environments of an earlier run, where there are any
python -m bench --tasks fit_200 growth  some tasks with all libraries: published too, in the place of earlier ones
python -m bench --tasks fit_1000 --libraries celm limit hpelm   some libraries: a look that is not published
python -m bench --check                 one small ratio, for continuous integration
python -m bench --redraw                measures nothing: bars and figure anew from what is published
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench import bars, gate, growth, output, pieces, quiet
from bench.environments import LIBRARIES, Library
from bench.measure import Contest, Row, add_ratios
from bench.tasks import SIZES, Task, all_tasks, write_data
from celm.base.files import check_place
from celm.base.signals import exit_code, stopping_in_order
from celm.base.threads import n_cores
from celm.models.elm.weights import STRATEGIES
from celm.study.environment import provenance
from experiments.command import command

PUBLISHED, LOCAL = Path("results/bench"), Path("runs/bench")


@dataclass(frozen=True)
class Measured:
    """The rows of a task, or of all that tell of growth, and how quick the machine was around them."""

    name: str
    rows: list[Row]
    around: tuple[quiet.Calibration, quiet.Calibration]

    def failures(self) -> list[str]:
        """Our own rows that have no time: an error must not take the place of what was measured before."""
        ours = [row for row in self.rows if row.library == "celm" and row.seconds is None]
        return [f"{row.task}: celm {row.dtype} has no time: {row.status}" for row in ours]


class Watched:
    """Measures one thing after the other, with a calibration between two of them."""

    def __init__(self) -> None:
        self._last = quiet.calibrate()
        self.measured: list[Measured] = []

    def add(self, name: str, rows: list[Row]) -> None:
        before, self._last = self._last, quiet.calibrate()
        self.measured.append(Measured(name, rows, (before, self._last)))

    def complaints(self) -> dict[str, list[str]]:
        """What speaks against publishing, by the name of what was measured; nothing for what was measured in quiet."""
        best = min((each.best for one in self.measured for each in one.around), default=0.0)
        found = {
            one.name: [
                *one.failures(),
                *quiet.complaints(one.name, one.around, best),
                *quiet.unsettled(one.name, one.rows),
            ]
            for one in self.measured
        }
        return {name: words for name, words in found.items() if words}


def task_rows(task: Task, libraries: list[Library], contest: Contest, data: Path, size: str) -> list[Row]:
    """The rows of a task; data that cannot be had are a row with the error."""
    try:
        folder = data / task.data if (data / task.data).exists() else write_data(data, task.data, size)
    except Exception as error:
        return [Row(task.name, "celm", status=f"{type(error).__name__}: {error}")]
    found = contest.rows(task, libraries, folder)
    add_ratios(found)
    print(output.spoken(found, []), flush=True)
    return found


def measure(options: argparse.Namespace, watched: Watched) -> None:
    """Everything that was asked for, in throw-away folders."""
    tasks = [t for t in all_tasks(list(STRATEGIES), options.size) if not options.tasks or t.name in options.tasks]
    libraries = [each for each in LIBRARIES if not options.libraries or each.name in options.libraries]
    with tempfile.TemporaryDirectory(prefix="celm-bench-") as scratch:
        environments = Path(options.environments or Path(scratch, "environments"))
        contest = Contest(environments, options.threads, options.repeat, options.patience, options.budget)
        for task in tasks:
            watched.add(task.name, task_rows(task, libraries, contest, Path(scratch, "data"), options.size))
        if not options.tasks or "growth" in options.tasks:
            rows = growth.doubled(contest, Path(scratch, "growth"), options.size)
            watched.add("growth", rows + growth.beyond_memory(contest, Path(scratch, "growth"), options.size))


def judge(rows: list[Row], size: str) -> list[bars.Bar]:
    """The bars on what was measured."""
    start = growth.STARTS[size]
    streams = growth.stream_name(start.few_rows), growth.stream_name(start.many_rows)
    return bars.all_bars(rows, all_tasks(list(STRATEGIES), size), streams)


def may_publish(options: argparse.Namespace) -> bool:
    """Whether tasks run at full size with all libraries, which alone are published."""
    return options.size == "full" and not options.libraries


def told_options(options: argparse.Namespace) -> dict[str, float]:
    """What of the command line decides how long is measured and waited."""
    return {name: getattr(options, name) for name in ("repeat", "budget", "patience", "threads")}


def write(folder: Path, rows: list[Row], size: str) -> None:
    """Tables and figure of some rows."""
    output.write_tables(folder, rows, growth.exponents(rows), judge(rows, size))
    for ending in ("svg", "png"):
        output.draw(rows, folder / f"bench.{ending}")


def leave(watched: Watched, options: argparse.Namespace) -> int:
    """Write all beside the runs, and what was measured in quiet into the published tables; say what was not."""
    rows, loud = [row for one in watched.measured for row in one.rows], watched.complaints()
    write(LOCAL, rows, options.size)
    print(output.spoken(rows, growth.exponents(rows)), bars.spoken(judge(rows, options.size)), sep="\n")
    for complaint in (words for complaints in loud.values() for words in complaints):
        print(f"not published: {complaint}", file=sys.stderr)
    fresh = [row for one in watched.measured if one.name not in loud for row in one.rows]
    if not fresh or not may_publish(options):
        print(f"written to {LOCAL}, not published")
        return 1 if may_publish(options) else 0
    order = [task.name for task in all_tasks(list(STRATEGIES), options.size)]
    write(PUBLISHED, pieces.merged(pieces.read_rows(PUBLISHED), fresh, order), options.size)
    pieces.write_origins(PUBLISHED, {row.task for row in fresh}, {**provenance(), "options": told_options(options)})
    print(f"written to {LOCAL}, and published in {PUBLISHED}" + (f" but for {', '.join(loud)}" if loud else ""))
    return 1 if loud else 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="python -m bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--size", choices=SIZES, default="full")
    made.add_argument("--tasks", nargs="*", default=[], help="names of tasks, or growth; all unless named")
    made.add_argument("--libraries", nargs="*", default=[], help="names of libraries; all unless named")
    made.add_argument("--repeat", type=int, default=4, help="turns of every library at least; the best counts")
    made.add_argument("--threads", type=int, default=n_cores())
    made.add_argument("--patience", type=float, default=30.0, help="seconds to wait for one answer")
    made.add_argument("--budget", type=float, default=5.0, help="seconds after which a library has no further turn")
    made.add_argument("--environments", help="keep the peers' environments in this folder, for another run")
    made.add_argument("--check", action="store_true", help="only the small ratio gate")
    made.add_argument("--redraw", action="store_true", help="measure nothing: bars and figure of what is published")
    return made


def asked(arguments: list[str] | None) -> argparse.Namespace:
    """What the command line asks for; a name that nothing has would measure nothing and is refused."""
    options = parser().parse_args(arguments)
    known = {
        "tasks": ["growth", *(task.name for task in all_tasks(list(STRATEGIES), options.size))],
        "libraries": [each.name for each in LIBRARIES],
    }
    for what, names in known.items():
        if unknown := sorted(set(getattr(options, what)) - set(names)):
            parser().error(f"--{what}: no {', '.join(unknown)}; there are {', '.join(names)}")
    for number in ("repeat", "threads", "patience", "budget"):
        if not 0 < getattr(options, number) < float("inf"):
            parser().error(f"--{number} must be above 0 and finite; got {getattr(options, number)}")
    if options.environments is not None:
        check_place(Path(options.environments))
    return options


def main(arguments: list[str] | None = None) -> int:
    options = asked(arguments)
    if options.check:
        fine, words = gate.verdict(gate.ratio())
        print(words)
        return 0 if fine else 1
    if options.redraw:
        write(PUBLISHED, pieces.read_rows(PUBLISHED), options.size)
        return 0
    if may_publish(options):
        quiet.settle()
    watched = Watched()
    try:
        with stopping_in_order():
            measure(options, watched)
    except KeyboardInterrupt as stop:
        if watched.measured:
            leave(watched, options)
        return exit_code(stop)
    return leave(watched, options)


if __name__ == "__main__":
    command(lambda: sys.exit(main()))
