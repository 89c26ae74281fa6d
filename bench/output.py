"""What the benchmark leaves: the table as CSV, the ratios on the screen, and a figure of them."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from bench.bars import Bar, as_markdown
from bench.environments import LIBRARIES
from bench.growth import Exponent
from bench.measure import COLUMNS, NO_PEERS, Row
from celm.base.files import write_whole


def _text(value: Any) -> str:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def as_csv(columns: Sequence[str], records: Sequence[dict[str, Any]]) -> str:
    """Records as CSV, numbers with six digits, what is missing left empty."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_text(record[column]) for column in columns] for record in records)
    return buffer.getvalue()


def write_tables(folder: Path, rows: list[Row], exponents: list[Exponent], bars: list[Bar]) -> None:
    """bench.csv, growth.csv and bars.md under ``folder``."""
    write_whole(folder / "bench.csv", as_csv(COLUMNS, [asdict(row) for row in rows]))
    if bars:
        write_whole(folder / "bars.md", as_markdown(bars))
    if exponents:
        names = [field.name for field in fields(Exponent)]
        write_whole(folder / "growth.csv", as_csv(names, [asdict(each) for each in exponents]))


def spoken(rows: list[Row], exponents: list[Exponent]) -> str:
    """The ratios as lines to read: task by task, the quickest first."""
    lines = []
    for task in dict.fromkeys(row.task for row in rows):
        own = sorted((row for row in rows if row.task == task), key=lambda row: (row.seconds is None, row.seconds))
        lines.append(task)
        for row in own:
            name = f"  {row.library} {row.dtype}"
            if row.seconds is None:
                lines.append(f"{name:32} {row.status}")
                continue
            parts = [f"{row.seconds:10.5f} s"]
            parts += [f"{row.ratio_to_ours:6.2f} × ours"] if row.ratio_to_ours is not None else []
            parts += [f"{row.ratio_to_limit:6.2f} × limit"] if row.ratio_to_limit is not None else []
            parts += [f"accuracy {row.accuracy:.3f}"] if row.accuracy is not None else []
            lines.append(f"{name:32}" + "  ".join(parts))
    lines += [f"{e.cost} ∝ {e.quantity}^{e.exponent:.2f} ({e.low:.2f} to {e.high:.2f})" for e in exponents]
    return "\n".join(lines)


def draw(rows: list[Row], path: Path) -> None:
    """Every library's seconds over ours, task by task, on a logarithmic scale: left of 1 is quicker than celm."""
    from matplotlib.figure import Figure

    timed = [row for row in rows if row.ratio_to_ours is not None and (row.library, row.dtype) != ("celm", "float64")]
    tasks = list(dict.fromkeys(row.task for row in timed))
    figure = Figure(figsize=(8, 1.8 + 0.35 * max(len(tasks), 1)), layout="constrained")
    axes = figure.subplots()
    for library in LIBRARIES:
        for dtype in dict.fromkeys(row.dtype for row in timed if row.library == library.name):
            own = [row for row in timed if (row.library, row.dtype) == (library.name, dtype)]
            heights, ratios = [tasks.index(row.task) for row in own], [float(row.ratio_to_ours or 0.0) for row in own]
            axes.plot(ratios, heights, **_look(library.name, dtype))
    axes.axvline(1.0, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.grid(axis="y", linewidth=0.3)
    axes.set_yticks(range(len(tasks)), tasks)
    axes.invert_yaxis()
    axes.set_xlabel("seconds over those of celm in double precision; open signs: single precision")
    if timed:
        axes.legend(fontsize="small", loc="center left", bbox_to_anchor=(1.0, 0.5))
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=160, metadata={"Date": None} if path.suffix == ".svg" else None)


def _look(library: str, dtype: str) -> dict[str, Any]:
    """A sign and a colour that are the library's own, whatever others were measured; open in single precision."""
    from matplotlib import colormaps

    place = [each.name for each in LIBRARIES].index(library)
    colour = "black" if library in NO_PEERS else colormaps["tab20"](2 * place % 20 + place // 10)
    return {
        "marker": "*|_2oHsDd^v<>PXhp8"[place],
        "linestyle": "none",
        "color": colour,
        "fillstyle": {"float64": "full", "auto": "left"}.get(dtype, "none"),
        "label": library if dtype == "float64" else f"{library} {dtype}",
        "alpha": 0.85,
    }
