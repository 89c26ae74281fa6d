"""What is told, before anyone has said how it is written: headings, paragraphs, lists and tables as plain data.

An analysis makes a :class:`Document` of its findings; Markdown, LaTeX, a terminal and the page each have one writer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Bold(str):
    """Words that stand out."""


class Code(str):
    """Words that are typed: a file, a command, a name in the configuration."""


# A line of text, or its pieces one after the other, some of them bold or code.
Line = str | tuple[str, ...]


def pieces(line: Line) -> tuple[str, ...]:
    """The pieces of a line."""
    return (line,) if isinstance(line, str) else line


def plain(line: Line) -> str:
    """A line without its looks."""
    return "".join(pieces(line))


class Heading(NamedTuple):
    """The title of a part."""

    text: str


class Paragraph(NamedTuple):
    """Running text."""

    line: Line


class Items(NamedTuple):
    """A list; ``lead`` is the line that it follows."""

    lines: Sequence[Line]
    lead: Line = ""
    numbered: bool = False


@dataclass(frozen=True)
class Table:
    """A line of headers and rows of as many cells.

    Raises
    ------
    ValueError
        If a row has another number of cells than the header.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[Line]]

    def __post_init__(self) -> None:
        for place, row in enumerate(self.rows):
            if len(row) != len(self.header):
                raise ValueError(
                    f"table: every row needs {len(self.header)} cells, as its header has; row {place} has {len(row)}."
                )


Block = Heading | Paragraph | Items | Table


@dataclass(frozen=True)
class Document:
    """A title and what stands under it."""

    title: str
    blocks: tuple[Block, ...]


def document(title: str, blocks: Iterable[Block]) -> Document:
    """A document of any number of blocks."""
    return Document(title, tuple(blocks))
