"""The page's writer of blocks: headings, paragraphs, lists and tables as HTML."""

from __future__ import annotations

from celm.render.document import Block, Bold, Code, Document, Heading, Items, Line, Paragraph, pieces
from experiments.report.markup import Html, fold, join, simple_table, tag

# A table with more rows opens when asked for.
LONG = 15


def document_html(told: Document, label: str) -> Html:
    """A document without its title; ``label`` names its tables for those who listen."""
    return join(block_html(block, label) for block in told.blocks)


def block_html(block: Block, label: str = "") -> Html:
    """One block."""
    if isinstance(block, Heading):
        return tag("h4", {}, block.text)
    if isinstance(block, Paragraph):
        return tag("p", {}, line_html(block.line))
    if isinstance(block, Items):
        lead = [tag("p", {}, line_html(block.lead))] if block.lead else []
        items = (tag("li", {}, line_html(line)) for line in block.lines)
        return join([*lead, tag("ol" if block.numbered else "ul", {}, *items)])
    table = simple_table(label, block.header, [[line_html(cell) for cell in row] for row in block.rows])
    return table if len(block.rows) <= LONG else fold(f"A table of {len(block.rows)} rows", table)


def line_html(line: Line) -> Html:
    """A line with its bold words and its code."""
    return join(_piece(piece) for piece in pieces(line))


def _piece(piece: str) -> str:
    if isinstance(piece, Bold):
        return tag("strong", {}, str(piece))
    return tag("code", {}, str(piece)) if isinstance(piece, Code) else piece
