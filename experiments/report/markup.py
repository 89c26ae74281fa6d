"""HTML from plain values: whatever is not markup already is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

VOID = {"br", "img", "meta", "line", "rect", "path", "circle"}
Attributes = Mapping[str, str | bool]
# A line of a table that begins with as many letters begins with a sentence, which needs room.
SENTENCE = 60


class Html(str):
    """Text that is markup already."""


def tag(name: str, attributes: Attributes, *children: str) -> Html:
    """An element. An attribute that is True stands alone, one that is False is left out."""
    words = [name]
    for key, value in attributes.items():
        if value is True:
            words.append(key)
        elif value is not False:
            words.append(f'{key}="{escape(value)}"')
    opening = f"<{' '.join(words)}>"
    if name in VOID:
        return Html(f"{opening[:-1]}/>")
    return Html(f"{opening}{join(children)}</{name}>")


def join(children: Iterable[str]) -> Html:
    """Children after each other, text among them escaped."""
    return Html("".join(child if isinstance(child, Html) else escape(child, quote=False) for child in children))


def section(anchor: str, title: str, *children: str) -> Html:
    """A chapter of the page that the navigation links to."""
    heading = tag("h2", {"id": f"{anchor}-title"}, title)
    return tag("section", {"id": anchor, "aria-labelledby": f"{anchor}-title"}, heading, *children)


def anchor_of(title: str) -> str:
    """The anchor of a chapter by its title."""
    return title.lower().replace(" ", "-")


def link(address: str, *children: str) -> Html:
    """A link."""
    return tag("a", {"href": address}, *children)


def hidden_text(text: str) -> Html:
    """Words for those who listen to the page."""
    return tag("span", {"class": "sr"}, text)


def scrolling(label: str, content: str) -> Html:
    """A wide thing that scrolls inside itself, by keyboard too."""
    return tag("div", {"class": "scroll", "tabindex": "0", "role": "region", "aria-label": label}, content)


def simple_table(label: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> Html:
    """A table with one line of headers; the first cell of a line names it."""
    head = tag("tr", {}, *(tag("th", {"scope": "col"}, text) for text in header))
    lines = list(rows)
    body = [
        tag("tr", {}, tag("th", {"scope": "row"}, row[0]), *(tag("td", {}, text) for text in row[1:])) for row in lines
    ]
    looks = "plain wordy" if any(len(row[0]) > SENTENCE for row in lines) else "plain"
    table = tag("table", {"class": looks}, tag("thead", {}, head), tag("tbody", {}, *body))
    return scrolling(label, table)


def command(text: str) -> Html:
    """A command with a button that copies it; python is that of the environment, so that it runs as it is copied."""
    text = f".venv/bin/{text}" if text.startswith("python ") else text
    button = tag("button", {"type": "button", "class": "copy", "data-copy": text}, "Copy", hidden_text(f" {text}"))
    return tag("div", {"class": "command"}, tag("code", {}, text), button)


def fold(title: str, *children: str) -> Html:
    """A part that opens when asked for, and in print."""
    return fold_with({}, title, *children)


def fold_with(attributes: Attributes, title: str, *children: str) -> Html:
    """A part that opens when asked for, with attributes of its own."""
    return tag("details", attributes, tag("summary", {}, title), *children)
