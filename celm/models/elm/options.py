"""The readings of a weight draw as one checked value: where the paper's text and the authors' code differ."""

from __future__ import annotations

from dataclasses import dataclass

from celm.base.validation import check_choice, check_flag, check_number
from celm.models.elm.pairs import PAIR_DRAWS

ORIENTATIONS = ("lower_positive", "random")
ORTHOGONAL_BIASES = ("signed_unit", "uniform")
ORTHOGONAL_NORMS = ("orth", "unit")


@dataclass
class WeightOptions:
    """Every choice in which the paper's text and the authors' code differ; the defaults are the harness's.

    sum_scale, sample_scale: s·scale/‖s‖²; the text has 1, the authors' code 2 for sums.
    pair_draw: "samples" draws two uniform rows until their classes fit (code), "classes" the classes first.
    same_sample: a sum may use one sample twice (code).
    orientation: of differences, "lower_positive" maps the lower label to +1 (code), "random" either (text).
    difference_filter: reject a difference while ‖d‖² < 1/(k·#classes), k counting the attempts (code).
    cosine_filter: reject a difference whose |cos| with an earlier one exceeds 1 − 1/(5k) (commented out there).
    sum_filter: reject a class sum while ‖s‖² > 1/(k·#classes), k falling from #classes, off at 0 (code).
    orthogonal_bias: orthogonal ELM's bias, a U[-1,1] vector over its norm, or "uniform" U[0,1].
    orthogonal_norm: for L > n, columns as `orth` leaves them (norm about √(n/L)), or each of "unit" norm.
    image_shape: (height, width) or (height, width, channels) of the images whose pixels the features are.
    """

    sum_scale: float = 1.0
    sample_scale: float = 1.0
    pair_draw: str = "samples"
    same_sample: bool = True
    orientation: str = "lower_positive"
    difference_filter: bool = False
    cosine_filter: bool = False
    sum_filter: bool = False
    orthogonal_bias: str = "signed_unit"
    orthogonal_norm: str = "orth"
    image_shape: tuple[int, ...] | None = None

    def check(self, owner: str) -> None:
        """Raise a ValueError that names the first option out of range."""
        check_number(self.sum_scale, "sum_scale", owner, 0, above=True)
        check_number(self.sample_scale, "sample_scale", owner, 0, above=True)
        check_choice(self.pair_draw, "pair_draw", PAIR_DRAWS, owner)
        check_choice(self.orientation, "orientation", ORIENTATIONS, owner)
        check_choice(self.orthogonal_bias, "orthogonal_bias", ORTHOGONAL_BIASES, owner)
        check_choice(self.orthogonal_norm, "orthogonal_norm", ORTHOGONAL_NORMS, owner)
        for flag in ("same_sample", "difference_filter", "cosine_filter", "sum_filter"):
            check_flag(getattr(self, flag), flag, owner)
