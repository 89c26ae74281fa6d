"""Markup: nothing that is text becomes markup."""

from experiments.report.markup import command, tag


def test_text_is_escaped_and_markup_is_not():
    assert tag("p", {}, "a < b & c", tag("b", {}, "d")) == "<p>a &lt; b &amp; c<b>d</b></p>"


def test_attributes_are_escaped_stand_alone_or_are_left_out():
    assert tag("td", {"title": '"<', "hidden": True, "open": False}) == '<td title="&quot;&lt;" hidden></td>'


def test_an_element_without_content_has_no_end():
    assert tag("img", {"alt": ""}) == '<img alt=""/>'


def test_a_command_is_shown_and_copied_whole():
    text = command("python -m x 'n=[1,2]' <y")
    assert "<code>.venv/bin/python -m x 'n=[1,2]' &lt;y</code>" in text
    assert 'data-copy=".venv/bin/python -m x &#x27;n=[1,2]&#x27; &lt;y"' in text
