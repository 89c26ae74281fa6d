"""One writer each of Markdown, LaTeX, plain text and HTML: the same blocks, no cell lost, nothing unescaped."""

import pytest

from celm.render.document import Bold, Code, Document, Heading, Items, Paragraph, Table
from celm.render.latex import latex_table
from celm.render.markdown import markdown
from celm.render.numbers import half_width, p_text, percent, points, span
from celm.render.text import text_table
from experiments.report.document_html import document_html

TABLE = Table(["set", "R²"], [["a|b", (Bold("0.9 ± 0.1"), " & more")], [Code("x_y"), "50 %"]])
TOLD = Document(
    "Title",
    (
        Heading("Part"),
        Paragraph(("Some ", Bold("bold"), " < text.")),
        Items(["one", ("two ", Code("2"))], "They are:"),
        Items(["first"], numbered=True),
        TABLE,
    ),
)


def test_markdown_writes_every_block():
    assert markdown(TOLD) == (
        "# Title\n\n## Part\n\nSome **bold** < text.\n\nThey are:\n\n- one\n- two `2`\n\n1. first\n\n"
        "| set | R² |\n|---|---|\n| a\\|b | **0.9 ± 0.1** & more |\n| `x_y` | 50 % |\n"
    )


def test_html_writes_every_block_and_escapes_text():
    html = document_html(TOLD, "a table")
    for part in (
        "<h4>Part</h4>",
        "<p>Some <strong>bold</strong> &lt; text.</p>",
        "<p>They are:</p><ul><li>one</li><li>two <code>2</code></li></ul>",
        "<ol><li>first</li></ol>",
        '<th scope="row">a|b</th><td><strong>0.9 ± 0.1</strong> &amp; more</td>',
    ):
        assert part in html


def test_a_long_table_is_folded():
    rows = [[str(n), ""] for n in range(40)]
    assert "<details><summary>A table of 40 rows</summary>" in document_html(
        Document("", (Table(["", ""], rows),)), "t"
    )


def test_latex_escapes_signs_in_every_place():
    lines = latex_table(TABLE, "λ of x_y").splitlines()
    assert lines[1] == r"\caption{$\lambda$ of x\_y}"
    assert lines[4] == r"set & R$^2$ \\"
    assert lines[6] == r"a|b & \textbf{0.9 $\pm$ 0.1} \& more \\"
    assert lines[7] == r"\texttt{x\_y} & 50 \% \\"


def test_text_aligns_columns_and_stars_what_is_bold():
    lines = text_table(TABLE).splitlines()
    assert [lines[0], *lines[2:]] == ["set  R²", "a|b  0.9 ± 0.1* & more", "x_y  50 %"]
    assert lines[1] == f"---  {'-' * len('0.9 ± 0.1* & more')}"


def test_a_row_of_another_length_is_refused():
    with pytest.raises(ValueError, match="every row needs 2 cells, as its header has; row 1 has 1"):
        Table(["a", "b"], [["1", "2"], ["1"]])


def test_numbers_without_an_interval_say_so():
    nan = float("nan")
    assert (span(nan, nan), span(0.1, 0.2)) == ("–", "0.100 to 0.200")
    assert (points(0.034, nan, nan), points(0.034, 0.029, 0.039)) == ("+3.4", "+3.4 (+2.9 to +3.9)")
    assert (percent(nan, nan, nan), percent(0.93, 0.88, 0.97)) == ("–", "93 % (88 to 97)")
    assert (half_width(0.9, nan), half_width(0.9, 0.95)) == ("0.900", "0.900 ± 0.050")
    assert (p_text(0.0004), p_text(0.04)) == ("< 0.001", "0.040")
