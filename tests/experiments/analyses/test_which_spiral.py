"""The map of spirals in words: the closest are named, what is met is bold, the default finds its place."""

from celm.render.markdown import markdown
from experiments.papers.celm.analyses.which_spiral import SPIRAL_MAP


def test_the_document_names_the_closest_and_marks_what_is_met(three_spirals):
    text = markdown(SPIRAL_MAP.document(SPIRAL_MAP.find({"spiral_map": three_spirals})))
    assert "3 settings, 2 rounds each" in text
    assert (
        "The default, turns 3, noise 0, scale 1, inner radius 0.02: place 3, among settings in the stated range 2."
        in text
    )
    assert "Closest within the stated range [-1, 1]: turns 2, noise 0, scale 1, inner radius 0.02 (3 of 4 met)." in text
    assert "Settings that meet every statement: 1." in text
    assert "| 3 | 0 | 1 | 0.02 | 0.670 | **0.820** | **0.050** (50) | **0.120** | 3 | 0.330 |" in text
