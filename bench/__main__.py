"""Runs the benchmark: make bench, or python -m bench --size small to see that everything works.

python -m bench                         everything, published to results/bench when the machine was quiet
python -m bench --environments FOLDER   the same with the peers' environments of an earlier run, where there are any
python -m bench --tasks fit_1000 --libraries celm limit hpelm
python -m bench --check                 one small ratio, for continuous integration
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from bench import bars, gate, growth, output, quiet
from bench.environments import LIBRARIES, Library
from bench.measure import Contest, Row, add_ratios
from bench.tasks import SIZES, Task, all_tasks, write_data
from celm.base.signals import exit_code, stopping_in_order
from celm.base.threads import n_cores
from celm.models.elm.weights import STRATEGIES

PUBLISHED, LOCAL = Path("results/bench"), Path("runs/bench")


@dataclass
class Results:
    """What a run has measured so far."""

    rows: list[Row] = field(default_factory=list)
    exponents: list[growth.Exponent] = field(default_factory=list)


def run_tasks(tasks: list[Task], libraries: list[Library], contest: Contest, data: Path, size: str) -> list[Row]:
    """The rows of all tasks, one task after the other; data that cannot be had fail their tasks alone."""
    rows: list[Row] = []
    for task in tasks:
        try:
            folder = data / task.data if (data / task.data).exists() else write_data(data, task.data, size)
        except Exception as error:
            rows.append(Row(task.name, "celm", status=f"{type(error).__name__}: {error}"))
            continue
        found = contest.rows(task, libraries, folder)
        add_ratios(found)
        rows += found
        print(output.spoken(found, []), flush=True)
    return rows


def measure(options: argparse.Namespace) -> Results:
    """Everything that was asked for, in throw-away folders."""
    tasks = [t for t in all_tasks(list(STRATEGIES), options.size) if not options.tasks or t.name in options.tasks]
    libraries = [each for each in LIBRARIES if not options.libraries or each.name in options.libraries]
    results = Results()
    with tempfile.TemporaryDirectory(prefix="celm-bench-") as scratch:
        environments = Path(options.environments or Path(scratch, "environments"))
        contest = Contest(environments, options.threads, options.repeat, options.patience, options.budget)
        results.rows = run_tasks(tasks, libraries, contest, Path(scratch, "data"), options.size)
        if not options.tasks or "growth" in options.tasks:
            rows, results.exponents = growth.doubled(contest, Path(scratch, "growth"), options.size)
            results.rows += rows + growth.beyond_memory(contest, Path(scratch, "growth"), options.size)
    return results


def judge(rows: list[Row], size: str) -> list[bars.Bar]:
    """The bars on what was measured."""
    start = growth.STARTS[size]
    streams = growth.stream_name(start.few_rows), growth.stream_name(start.many_rows)
    return bars.all_bars(rows, all_tasks(list(STRATEGIES), size), streams)


def is_whole(options: argparse.Namespace) -> bool:
    """Whether all tasks run at full size with all libraries, which alone is published."""
    return options.size == "full" and not options.tasks and not options.libraries


def leave(results: Results, options: argparse.Namespace, complaints: list[str]) -> int:
    """Write tables and figure: published from a whole run at full size on a quiet machine, else beside the runs."""
    whole = is_whole(options)
    folder = PUBLISHED if whole and not complaints else LOCAL
    judged = judge(results.rows, options.size)
    output.write_tables(folder, results.rows, results.exponents, judged)
    for ending in ("svg", "png"):
        output.draw(results.rows, folder / f"bench.{ending}")
    print(output.spoken(results.rows, results.exponents), bars.spoken(judged), sep="\n")
    for complaint in complaints:
        print(f"not quiet: {complaint}", file=sys.stderr)
    print(f"written to {folder}" + ("" if folder == PUBLISHED else ", not published"))
    return 1 if whole and complaints else 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="python -m bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--size", choices=SIZES, default="full")
    made.add_argument("--tasks", nargs="*", default=[], help="names of tasks, or growth; all unless named")
    made.add_argument("--libraries", nargs="*", default=[], help="names of libraries; all unless named")
    made.add_argument("--repeat", type=int, default=4, help="turns of every library; the best counts")
    made.add_argument("--threads", type=int, default=n_cores())
    made.add_argument("--patience", type=float, default=30.0, help="seconds to wait for one answer")
    made.add_argument("--budget", type=float, default=5.0, help="seconds after which a library has no further turn")
    made.add_argument("--environments", help="keep the peers' environments in this folder, for another run")
    made.add_argument("--check", action="store_true", help="only the small ratio gate")
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
    return options


def main(arguments: list[str] | None = None) -> int:
    options = asked(arguments)
    if options.check:
        fine, words = gate.verdict(gate.ratio())
        print(words)
        return 0 if fine else 1
    if is_whole(options):
        quiet.settle()
    before = quiet.calibrate()
    try:
        with stopping_in_order():
            results = measure(options)
    except KeyboardInterrupt as stop:
        return exit_code(stop)
    return leave(results, options, quiet.complaints(before, quiet.calibrate()))


if __name__ == "__main__":
    sys.exit(main())
