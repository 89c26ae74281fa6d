"""The paper's legend, and that its curves can be told apart in grey print."""

import itertools

from matplotlib.colors import to_rgb

from celm.base.names import model_label
from celm.render.style import STYLES, model_style

LEGEND = {
    "elm": ("red", "-", ""),
    "orthogonal_elm": ("green", "-", ""),
    "cdelm": ("blue", "-", ""),
    "selm": ("blue", "--", "^"),
    "cselm": ("blue", "-", ""),
    "rselm": ("blue", "--", "^"),
    "cmelm": ("black", "-", ""),
}


def lightness(color):
    """CIE L* of a colour, from 0 (black) to 100 (white)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
    luminance = sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return 116 * luminance ** (1 / 3) - 16 if luminance > 0.008856 else 903.3 * luminance


def test_the_legend_is_the_papers():
    for model, (hue, line, marker) in LEGEND.items():
        style = STYLES[model]
        assert (style.line, style.marker) == (line, marker)
        red, green, blue = to_rgb(style.color)
        strongest = {"red": red, "green": green, "blue": blue}
        assert style.color == "#000000" if hue == "black" else max(strongest, key=strongest.get) == hue
    assert STYLES["selm"].color == STYLES["cdelm"].color
    assert STYLES["rselm"].color == STYLES["cselm"].color
    assert lightness(STYLES["cselm"].color) > lightness(STYLES["cdelm"].color) + 20


def test_solid_curves_differ_in_lightness():
    solid = [STYLES[model].color for model, (_, line, _) in LEGEND.items() if line == "-"]
    for one, other in itertools.combinations(solid, 2):
        assert abs(lightness(one) - lightness(other)) > 10
    assert max(map(lightness, solid)) < 75


def test_a_model_that_the_paper_does_not_know_is_drawn_under_its_own_name():
    assert model_style("mine").label == model_label("mine") == "mine"
    assert model_style("elm") == STYLES["elm"]
