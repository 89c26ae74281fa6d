"""Learning speeds under equal conditions: seconds over ELM's at the same node counts, and what Table I prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pandas as pd

from celm.analysis.time_ratios import busy_share, printed_ratios, time_ratios
from celm.base.names import CELMS, dataset_label, model_label, short_label
from celm.render.document import Block, Heading, Items, Paragraph, Table, document
from celm.render.numbers import missing
from experiments.analysis import Analysis, Frames

NAME, LARGE, PRINTED, BASELINE = "equal_times", "equal_times_mnist", "celm/table1", "elm"
# Cores that others may keep busy beside a time that counts.
QUIET = 0.15
# What a ratio has to stay below to be called near.
NEAR = 1.5
KEYS = ["dataset", "model"]


class Race(NamedTuple):
    """Ratios of every model, with the printed ones where there are any, how times were taken, and what else was done.

    clock: how often and for how many seconds an action is timed at least, and seconds after which it is not again.
    """

    ratios: pd.DataFrame
    clock: tuple[float, ...]
    load: tuple[float, float]
    others: tuple[float, float]
    disturbed: float


def find(frames: Frames) -> Race:
    """Ratios at every node count of all sets that were run."""
    frame = pd.concat([frames[name] for name in (NAME, LARGE) if name in frames], ignore_index=True)
    ratios = time_ratios(frame, BASELINE).merge(printed_ratios(frames[PRINTED], BASELINE), on=KEYS, how="left")
    load, others = frame["load"], frame["others_busy"]
    ends = [(float(one.median()), float(one.max())) for one in (load, others)]
    clock = tuple(float(frame[name].max()) for name in ("least_repeats", "enough_seconds", "most_seconds"))
    return Race(ratios, clock, ends[0], ends[1], busy_share(frame, QUIET))


def ratio(mean: float, low: float, high: float) -> str:
    """``1.05 (1.02 to 1.09)``; three digits count, a single round has no interval."""
    text = _short(mean)
    return text if missing(low) else f"{text} ({_short(low)} to {_short(high)})"


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _table(rows: pd.DataFrame, name: str) -> Table:
    """A line per model, a column per data set."""
    sets, models = (list(dict.fromkeys(rows[column])) for column in KEYS)
    at = rows.set_index(KEYS)
    ends = [f"{name}_{ending}" for ending in ("ratio", "low", "high")]

    def cell(model: str, dataset: str) -> str:
        found = (dataset, model) in at.index and not missing(at.loc[(dataset, model), ends[0]])
        return ratio(*at.loc[(dataset, model), ends]) if found else "–"

    lines = [[model_label(model), *(cell(model, dataset) for dataset in sets)] for model in models]
    return Table(["", *map(dataset_label, sets)], lines)


def _range(rows: pd.DataFrame, name: str) -> str:
    return f"{_short(rows[f'{name}_ratio'].min())} to {_short(rows[f'{name}_ratio'].max())}"


def headline(race: Race) -> Items:
    """How far the ratios of constrained ELMs and of the other models go."""
    constrained = race.ratios[race.ratios["model"].isin(CELMS)]
    rivals = race.ratios[~race.ratios["model"].isin(CELMS)].groupby("model", sort=False)
    others = [(short_label(str(model)), rows) for model, rows in rivals]
    told = [f"{name} {_range(rows, 'fit')}, processor {_range(rows, 'fit_cpu')}" for name, rows in others]
    lines = [
        f"constrained ELMs {_range(constrained, 'fit')}, processor {_range(constrained, 'fit_cpu')}; "
        f"{(constrained['fit_high'] < NEAR).sum()} of {len(constrained)} intervals by the wall clock end below {NEAR}, "
        f"{(constrained['fit_cpu_high'] < NEAR).sum()} of those of the processor",
        *told,
        f"predictions of constrained ELMs {_range(constrained, 'predict')}",
    ]
    return Items(lines, "Seconds to fit over those of ELM, from the least to the most of all sets and node counts:")


def machine(race: Race) -> str:
    """What the machine did beside the race, and whether times count for it."""
    if missing(race.disturbed):
        return "Nothing tells what else the machine did."
    verdict = (
        "The machine was quiet."
        if race.disturbed <= 0.05
        else "The machine was not quiet: processor seconds count, wall seconds are preliminary."
    )
    return (
        f"Its load was {race.load[0]:.1f} in the median and {race.load[1]:.1f} at most, 1 of it our own; others kept "
        f"{race.others[0]:.2f} cores busy in the median and {race.others[1]:.2f} at most, more than {QUIET} beside "
        f"{100 * race.disturbed:.0f} % of the timings. {verdict}"
    )


def _counts(ratios: pd.DataFrame) -> Sequence[int]:
    return sorted(ratios["n_hidden"].unique())


def _rounds(ratios: pd.DataFrame) -> str:
    return " or ".join(str(rounds) for rounds in sorted(ratios["rounds"].unique()))


def _blocks(race: Race) -> Iterator[Block]:
    yield Paragraph(
        "Every model has the same number of hidden nodes (a linear SVM has none), a given λ and one thread. A fit is "
        f"done once unseen, then {race.clock[0]:g} times and for {race.clock[1]:g} s at least, not again after "
        f"{race.clock[2]:g} s; its median counts. Models take turns round by round; a ratio is paired within a round, "
        f"the geometric mean over {_rounds(race.ratios)} rounds with its plain 95 % interval. It tells of this "
        "implementation on one machine."
    )
    yield Paragraph(machine(race))
    yield headline(race)
    for count in _counts(race.ratios):
        rows = race.ratios[race.ratios["n_hidden"] == count]
        least = rows.drop_duplicates("dataset")
        own = [f"{dataset_label(row['dataset'])} {row['baseline_ms']:.3g}" for _, row in least.iterrows()]
        yield Heading(f"{count} nodes: wall seconds of a fit over those of ELM")
        yield Paragraph(f"ELM itself, in milliseconds: {', '.join(own)}.")
        yield _table(rows, "fit")
        yield Heading(f"{count} nodes: processor seconds of a fit over those of ELM")
        yield _table(rows, "fit_cpu")
    yield Heading("The printed seconds over those of ELM: not comparable")
    yield Paragraph(
        "Table I as printed, in brackets what the rounding to hundredths of a second leaves. It is not comparable: "
        "MATLAB's cputime adds up all cores, node counts were chosen and are not told, and drawn pairs, BP and the "
        "SVM are other programs there. A ratio of it tells of those programs, not of the models."
    )
    yield _table(race.ratios.dropna(subset="paper_ratio").drop_duplicates(KEYS), "paper")


EQUAL_TIMES = Analysis(
    name=NAME,
    about="Seconds to fit over those of ELM at equal node counts, warm and in turn",
    reads=(NAME, LARGE, PRINTED),
    needs=(NAME,),
    find=find,
    document=lambda race: document("Learning speeds at equal node counts", _blocks(race)),
    numbers=lambda race: race.ratios,
    chapter="Claims",
)
