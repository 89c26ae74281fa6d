"""The one writer of Markdown: blocks -> text."""

from __future__ import annotations

from celm.render.document import Block, Bold, Code, Document, Heading, Items, Line, Paragraph, Table, pieces


def markdown(told: Document) -> str:
    """A document as Markdown, its title first.

    Examples
    --------
    >>> from celm.render.document import Bold, Document, Table
    >>> print(markdown(Document("Means", (Table(["set", "mean"], [["WDBC", Bold("0.97")]]),))), end="")
    # Means
    <BLANKLINE>
    | set | mean |
    |---|---|
    | WDBC | **0.97** |
    """
    return "\n\n".join([f"# {told.title}", *map(block_text, told.blocks)]) + "\n"


def block_text(block: Block) -> str:
    """One block as Markdown."""
    if isinstance(block, Heading):
        return f"## {block.text}"
    if isinstance(block, Paragraph):
        return line_text(block.line)
    if isinstance(block, Items):
        return _items(block)
    return table_text(block)


def table_text(table: Table) -> str:
    """A table as Markdown; an upright line inside a cell does not end it."""
    lines = [[str(text) for text in table.header], *([line_text(cell) for cell in row] for row in table.rows)]
    written = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines]
    return "\n".join([written[0], "|" + "---|" * len(table.header), *written[1:]])


def line_text(line: Line) -> str:
    """A line with its bold words between stars and its code between backquotes."""
    return "".join(_piece(piece) for piece in pieces(line))


def _piece(piece: str) -> str:
    if isinstance(piece, Bold):
        return f"**{piece}**"
    return f"`{piece}`" if isinstance(piece, Code) else piece


def _items(block: Items) -> str:
    signs = [f"{place}." if block.numbered else "-" for place in range(1, len(block.lines) + 1)]
    lines = [f"{sign} {line_text(line)}" for sign, line in zip(signs, block.lines, strict=True)]
    return "\n".join([*([line_text(block.lead), ""] if block.lead else []), *lines])
