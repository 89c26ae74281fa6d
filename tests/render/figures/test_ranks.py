"""The critical-difference diagram: every method at its rank, a bar over every group."""

from celm.base.names import model_label
from celm.render.figures import draw_ranks

RANKS = {"cselm": 1.5, "selm": 2.0, "bp": 3.5, "elm": 4.0}


def test_every_method_is_named_with_its_rank_and_every_group_has_a_bar():
    groups = [("cselm", "selm"), ("bp", "elm")]
    (axes,) = draw_ranks(RANKS, 1.0, groups, "Title").axes
    texts = {text.get_text() for text in axes.texts}
    assert {f"{model_label('cselm')} 1.50", f"4.00 {model_label('elm')}", "critical difference 1.00"} <= texts
    bars = [line for line in axes.lines if line.get_linewidth() == 3.0]
    assert [[round(x, 2) for x in bar.get_xdata()] for bar in bars] == [[1.46, 2.04], [3.46, 4.04]]
    drops = sorted(line.get_xdata()[0] for line in axes.lines if len(line.get_xdata()) == 3)
    assert drops == sorted(RANKS.values())
