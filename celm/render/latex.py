"""The one writer of LaTeX: a table -> a tabular with booktabs rules."""

from __future__ import annotations

from celm.render.document import Bold, Code, Line, Table, pieces

# Signs of our tables that LaTeX wants in mathematics or behind a backslash.
SIGNS = {
    "±": r"$\pm$",
    "λ": r"$\lambda$",
    "²": r"$^2$",
    "−": r"$-$",
    "≈": r"$\approx$",
    "%": r"\%",
    "&": r"\&",
    "_": r"\_",
    "#": r"\#",
}


def latex_table(table: Table, caption: str) -> str:
    r"""A table for an article.

    Examples
    --------
    >>> from celm.render.document import Bold, Table
    >>> latex_table(Table(["", "WDBC"], [["R²SVM", Bold("0.97 ± 0.01")]]), "Means").splitlines()[6]
    'R$^2$SVM & \\textbf{0.97 $\\pm$ 0.01} \\\\'
    """
    lines = [
        r"\begin{table}",
        r"\caption{" + escaped(caption) + "}",
        r"\begin{tabular}{l" + "r" * (len(table.header) - 1) + "}",
        r"\toprule",
        " & ".join(map(escaped, table.header)) + r" \\",
        r"\midrule",
        *(" & ".join(map(_line, row)) + r" \\" for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Text with its signs as LaTeX writes them."""
    return "".join(SIGNS.get(sign, sign) for sign in text)


def _line(line: Line) -> str:
    return "".join(_piece(piece) for piece in pieces(line))


def _piece(piece: str) -> str:
    if isinstance(piece, Bold):
        return r"\textbf{" + escaped(piece) + "}"
    return r"\texttt{" + escaped(piece) + "}" if isinstance(piece, Code) else escaped(piece)
