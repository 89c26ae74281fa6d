"""The one writer of tables for a terminal: columns as wide as their longest cell."""

from __future__ import annotations

from celm.render.document import Bold, Line, Table, pieces


def text_table(table: Table) -> str:
    """A table in plain text; a star marks what is bold.

    Examples
    --------
    >>> from celm.render.document import Bold, Table
    >>> print(text_table(Table(["model", "mean"], [["ELM", "0.95"], ["SELM", Bold("0.97")]])))
    model  mean
    -----  -----
    ELM    0.95
    SELM   0.97*
    """
    rows = [list(map(_line, line)) for line in [table.header, *table.rows]]
    widths = [max(len(row[place]) for row in rows) for place in range(len(table.header))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def _line(line: Line) -> str:
    return "".join(f"{piece}*" if isinstance(piece, Bold) else piece for piece in pieces(line))
