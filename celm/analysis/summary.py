"""Tables: tidy frame -> one row per cell -> CSV, Markdown, LaTeX. Pure functions; nothing is fitted here."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from celm.analysis.statistics import paired_t
from celm.base.names import DATASETS, MODELS, dataset_label, in_order, model_label

COLUMNS = [
    "dataset",
    "model",
    "n_hidden",
    "accuracy_mean",
    "accuracy_std",
    "ci_low",
    "ci_high",
    "paper",
    "difference",
    "rounds",
    "fit_seconds",
    "selection_seconds",
    "paper_seconds",
    "threads",
    "lam_at_edge",
]


def chosen_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """The row that stands for each cell: the chosen node count, or every row where nothing was chosen."""
    if "chosen" not in frame:
        return frame
    return frame[frame["chosen"].isin([True]) | frame["chosen"].isna()]


def counts_stand_alone(frame: pd.DataFrame) -> bool:
    """Whether node counts are rows of their own: none or several were chosen in a cell, or a shape stands for them."""
    if "chosen" not in frame:
        return not frame.empty
    several = chosen_rows(frame).groupby("cell").size().gt(1).any() if "cell" in frame else False
    return bool(several or frame["n_hidden"].map(lambda count: isinstance(count, str)).any())


def interval(values: pd.Series) -> tuple[float, float]:
    """95 % confidence interval of the mean over rounds (Student's t); not a number for a single round."""
    mean = paired_t(values)
    return mean.low, mean.high


def summarise(frame: pd.DataFrame, paper: pd.DataFrame | None = None, by: tuple[str, ...] = ()) -> pd.DataFrame:
    """One row per data set × model (× ``by``): mean, spread and interval of accuracy, times, the paper's value.

    ``paper`` has the columns dataset, model, accuracy (and those of ``by``), and train_seconds where it has times.
    A column ``stage`` says how many stages a model has, where any has stages.
    """
    if frame.empty:
        return pd.DataFrame(columns=COLUMNS)
    staged = ["stage"] if "stage" in frame else []
    keys = ["dataset", "model", *by]
    rows = []
    for values, group in chosen_rows(frame).groupby(keys, sort=False, dropna=False):
        low, high = interval(group["accuracy"])
        rows.append(
            {
                **dict(zip(keys, values, strict=True)),
                "accuracy_mean": group["accuracy"].mean(),
                "accuracy_std": group["accuracy"].std(ddof=1) if len(group) > 1 else np.nan,
                "ci_low": low,
                "ci_high": high,
                "rounds": group["round"].nunique(),
                "n_hidden": group["n_hidden"].median() if "n_hidden" not in by else values[-1],
                "fit_seconds": _mean(group, "fit_seconds"),
                "selection_seconds": _mean(group, "selection_seconds"),
                "threads": group["threads"].max() if "threads" in group else np.nan,
                "lam_at_edge": group["lam_at_edge"].eq(True).mean() if "lam_at_edge" in group else np.nan,
                **{column: group[column].max() for column in staged},
            }
        )
    return _ordered(_beside_paper(pd.DataFrame(rows), paper, keys), by, staged)


def _mean(group: pd.DataFrame, column: str) -> float:
    return float(group[column].mean()) if column in group else float("nan")


def _beside_paper(summary: pd.DataFrame, paper: pd.DataFrame | None, keys: list[str]) -> pd.DataFrame:
    if paper is None:
        return summary.assign(paper=np.nan, paper_seconds=np.nan, difference=np.nan)
    theirs = paper.rename(columns={"accuracy": "paper", "train_seconds": "paper_seconds"})
    theirs = theirs.reindex(columns=[*keys, "paper", "paper_seconds"])
    joined = summary.merge(theirs, on=keys, how="left")
    return joined.assign(difference=joined["accuracy_mean"] - joined["paper"])


def _ordered(summary: pd.DataFrame, by: tuple[str, ...], staged: list[str]) -> pd.DataFrame:
    models = in_order(list(summary["model"].unique()), MODELS)
    sets = in_order(list(summary["dataset"].unique()), DATASETS)
    places = {"model": models.index, "dataset": sets.index}

    def place(column: pd.Series) -> pd.Series:
        find: Callable[[str], int] | None = places.get(str(column.name))
        return column if find is None else column.map(find)

    extra = [column for column in by if column not in COLUMNS]
    return summary.sort_values(["dataset", "model", *by], key=place, ignore_index=True)[COLUMNS + staged + extra]


def best_flags(summary: pd.DataFrame) -> pd.Series:
    """Whether a row has the highest mean accuracy of its data set, to the three digits that are printed."""
    shown = summary["accuracy_mean"].round(3)
    return shown == shown.groupby(summary["dataset"]).transform("max")


def _pivot(summary: pd.DataFrame, cells: list[str]) -> tuple[list[str], list[list[str]]]:
    """Header and rows of the paper's layout: one line per model, one column per data set."""
    labels = _column_labels(summary)
    columns = list(dict.fromkeys(labels))
    lookup = dict(zip(zip(summary["model"], labels, strict=True), cells, strict=True))
    rows = [
        [model_label(model), *(lookup.get((model, column), "–") for column in columns)]
        for model in in_order(list(summary["model"].unique()), MODELS)
    ]
    return ["", *columns], rows


def _column_labels(summary: pd.DataFrame) -> list[str]:
    """The data set of every row, with its node count where a model has several rows for one data set."""
    names = [dataset_label(name) for name in summary["dataset"]]
    if not summary.duplicated(["dataset", "model"]).any():
        return names
    return [f"{name}, {count} nodes" for name, count in zip(names, summary["n_hidden"], strict=True)]


def _accuracy_text(row: pd.Series) -> str:
    text = f"{row['accuracy_mean']:.3f}"
    return text if np.isnan(row["accuracy_std"]) else f"{text} ± {row['accuracy_std']:.3f}"


def _cell_text(row: pd.Series, best: bool, bold: str) -> str:
    text = _accuracy_text(row)
    text = bold.format(text) if best else text
    if np.isnan(row["paper"]):
        return text
    return f"{text} ({row['paper']:.3f}, {row['difference']:+.3f})"


def cell_texts(summary: pd.DataFrame, bold: str) -> list[str]:
    """``0.962 ± 0.004 (0.958, +0.004)``: ours, then the paper's value and the difference; best in bold."""
    return [_cell_text(row, best, bold) for (_, row), best in zip(summary.iterrows(), best_flags(summary), strict=True)]


def _terminal_text(row: pd.Series, best: bool) -> str:
    text = f"{row['accuracy_mean']:.3f}" + ("*" if best else " ")
    return text if np.isnan(row["paper"]) else f"{text}({row['paper']:.3f} {row['difference']:+.3f})"


def to_text(summary: pd.DataFrame) -> str:
    """The table for a terminal: ours, then the paper's value and the difference; a star marks the best of a set."""
    texts = [_terminal_text(row, best) for (_, row), best in zip(summary.iterrows(), best_flags(summary), strict=True)]
    header, rows = _pivot(summary, texts)
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in [header, *rows]]
    return "\n".join(line.rstrip() for line in [lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def to_markdown(summary: pd.DataFrame, title: str) -> str:
    """The table as Markdown, with a sentence on how to read it."""
    header, rows = _pivot(summary, cell_texts(summary, "**{}**"))
    lines = [
        f"# {title}",
        "",
        "Mean test accuracy ± standard deviation over rounds; in brackets the paper's value and the difference "
        "(ours − paper). Best of a data set in bold.",
        "",
        "| " + " | ".join(header) + " |",
        "|" + "---|" * len(header),
        *("| " + " | ".join(row) + " |" for row in rows),
    ]
    return "\n".join(lines) + "\n"


def to_latex(summary: pd.DataFrame, title: str) -> str:
    """The table as a LaTeX tabular with booktabs rules."""
    header, rows = _pivot(summary, [text.replace("±", r"$\pm$") for text in cell_texts(summary, r"\textbf{{{}}}")])
    caption = title.replace("λ", r"$\lambda$")
    lines = [
        r"\begin{table}",
        r"\caption{" + caption + "}",
        r"\begin{tabular}{l" + "r" * (len(header) - 1) + "}",
        r"\toprule",
        " & ".join(header) + r" \\",
        r"\midrule",
        *(" & ".join(row).replace("²", r"$^2$") + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def to_csv(summary: pd.DataFrame) -> str:
    """The summary with six significant digits."""
    return summary.to_csv(index=False, float_format="%.6g", lineterminator="\n")
