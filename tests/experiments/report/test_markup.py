"""Markup and the study's own Markdown: nothing that is text becomes markup."""

import pytest

from experiments.report import markdown
from experiments.report.markup import Html, command, tag


def test_text_is_escaped_and_markup_is_not():
    assert tag("p", {}, "a < b & c", tag("b", {}, "d")) == "<p>a &lt; b &amp; c<b>d</b></p>"


def test_attributes_are_escaped_stand_alone_or_are_left_out():
    assert tag("td", {"title": '"<', "hidden": True, "open": False}) == '<td title="&quot;&lt;" hidden></td>'


def test_an_element_without_content_has_no_end():
    assert tag("img", {"alt": ""}) == '<img alt=""/>'


def test_a_command_is_shown_and_copied_whole():
    text = command("python -m x 'n=[1,2]' <y")
    assert "<code>python -m x 'n=[1,2]' &lt;y</code>" in text
    assert 'data-copy="python -m x &#x27;n=[1,2]&#x27; &lt;y"' in text


def test_markdown_becomes_headings_paragraphs_lists_and_tables():
    text = "# Title\n\n## Part\nTwo\nlines.\n\n- one\n  goes on\n- two\n\n| a | b |\n|---|---|\n| **x** | `<y>` |\n"
    found = markdown.html(text, "label")
    assert "Title" not in found
    assert "<h3>Part</h3><p>Two lines.</p><ul><li>one goes on</li><li>two</li></ul>" in found
    assert '<th scope="col">a</th><th scope="col">b</th>' in found
    assert '<th scope="row"><strong>x</strong></th><td><code>&lt;y&gt;</code></td>' in found


def test_a_long_table_opens_when_asked_for():
    rows = "| x | 1 |\n" * 16
    assert "<summary>A table of 16 rows</summary>" in markdown.html(f"| a | b |\n|---|---|\n{rows}", "label")
    assert "<details>" not in markdown.html(f"| a | b |\n|---|---|\n{rows[:80]}", "label")


def test_the_first_list_of_a_document_comes_with_the_line_above_it():
    assert (
        markdown.first_list("# T\n\nIntro.\n\nLead:\n- a\n- b\n\n- c\n") == "<p>Lead:</p><ul><li>a</li><li>b</li></ul>"
    )
    assert markdown.first_list("Only text.") == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 < 3", "2 &lt; 3"),
        ("**a `b`**", "<strong>a <code>b</code></strong>"),
        ("[words](file.md) go on", "words go on"),
        ("<script>", "&lt;script&gt;"),
    ],
)
def test_a_line_of_markdown(text, expected):
    assert markdown.inline(text) == expected
    assert isinstance(markdown.inline(text), Html)
