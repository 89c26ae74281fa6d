"""Colours on both pages: every one can be read there, and its hue stays the house's own."""

import colorsys
import re
from pathlib import Path

import pytest
from matplotlib.colors import to_rgb

from celm.render.style import CLASS_COLORS, STYLES
from experiments.report import palette as module
from experiments.report.palette import CONTRAST, DARK, LIGHT, contrast, palette, readable


@pytest.mark.parametrize("page", [LIGHT, DARK])
def test_every_colour_stands_out_and_keeps_its_hue(page):
    for color in [*(style.color for style in STYLES.values()), *CLASS_COLORS]:
        shown = readable(color, page)
        assert contrast(shown, page) >= CONTRAST
        before, after = (colorsys.rgb_to_hls(*to_rgb(one)) for one in (color, shown))
        if before[2] > 0.05 and 0.02 < after[1] < 0.98:
            assert after[0] == pytest.approx(before[0], abs=0.02)


def test_a_colour_that_can_be_read_stays_as_it_is():
    assert readable("#d1202a", LIGHT) == "#d1202a"
    assert readable("#000000", DARK) == "#ffffff"


def test_contrast_is_that_of_wcag():
    assert contrast("#ffffff", "#000000") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_the_pages_of_the_palette_are_those_of_the_style():
    style = Path(module.__file__).with_name("style.css").read_text(encoding="utf-8")
    assert list(dict.fromkeys(re.findall(r"--page: (#[0-9a-f]{6})", style))) == [LIGHT, DARK]
    assert all(f".m-{name}{{color:var(--m-{name})}}" in palette() for name in STYLES)
