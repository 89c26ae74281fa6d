"""The little Markdown that the study writes itself (headings, paragraphs, lists, tables, bold, code) as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from experiments.report.markup import Html, fold, join, simple_table, tag

# A table with more rows opens when asked for.
LONG = 15
# What stands inside a line: code, bold, a link of which only the words are kept.
INLINE = re.compile(r"`([^`]+)`|\*\*(.+?)\*\*|\[([^\]]+)\]\([^)]*\)")


def inline(text: str) -> Html:
    """A line of text with its code and bold words."""
    parts: list[str] = []
    end = 0
    for match in INLINE.finditer(text):
        parts.append(text[end : match.start()])
        code, bold, words = match.groups()
        parts.append(tag("code", {}, code) if code else tag("strong", {}, inline(bold)) if bold else inline(words))
        end = match.end()
    return join([*parts, text[end:]])


def html(text: str, label: str) -> Html:
    """A document without its title; ``label`` names its tables for those who listen."""
    return join(_block(kind, lines, label) for kind, lines in _blocks(text))


def first_list(text: str) -> Html:
    """The first list of a document, with the line that leads to it if that stands right above; else nothing."""
    blocks = _blocks(text)
    for before, (kind, lines) in zip([("", [""]), *blocks], blocks, strict=False):
        if kind == "list":
            lead = [tag("p", {}, inline(before[1][-1]))] if before[0] == "text" else []
            return join([*lead, _block(kind, lines, "")])
    return Html()


def _blocks(text: str) -> list[tuple[str, list[str]]]:
    return [(kind, list(lines)) for kind, lines in groupby(text.splitlines(), key=_kind) if kind]


def _kind(line: str) -> str:
    if not line.strip() or line.startswith("# "):
        return ""
    if line.startswith("|"):
        return "table"
    if line.startswith(("- ", "  ")):
        return "list"
    return "heading" if line.startswith("#") else "text"


def _block(kind: str, lines: list[str], label: str) -> Html:
    if kind == "table":
        header, _, *rows = [[inline(cell.strip()) for cell in line.strip().strip("|").split("|")] for line in lines]
        table = simple_table(label, header, rows)
        return table if len(rows) <= LONG else fold(f"A table of {len(rows)} rows", table)
    if kind == "list":
        return tag("ul", {}, *(tag("li", {}, inline(item)) for item in _items(lines)))
    if kind == "heading":
        return join(tag("h3", {}, inline(line.lstrip("# "))) for line in lines)
    return tag("p", {}, inline(" ".join(lines)))


def _items(lines: list[str]) -> Iterator[str]:
    """The items of a list, each with the lines that go on with it."""
    item = ""
    for line in lines:
        if line.startswith("- ") and item:
            yield item
            item = ""
        item = f"{item} {line.removeprefix('- ').strip()}".strip()
    yield item
