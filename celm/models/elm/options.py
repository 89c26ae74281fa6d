"""The readings of a weight draw as one checked value: where the paper's text and the authors' code differ."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from celm.base.identity import original
from celm.base.validation import check_choice, check_flag, check_number, quoted
from celm.models.elm.pairs import PAIR_DRAWS

ORIENTATIONS = ("lower_positive", "random")
ORTHOGONAL_BIASES = ("signed_unit", "uniform")
ORTHOGONAL_NORMS = ("orth", "unit")
ORTHOGONAL_SIGNS = ("lapack", "largest_positive")


@dataclass
class WeightOptions:
    """Every choice in which the paper's text and the authors' code differ; the defaults are the harness's.

    The one place of these names and defaults: estimators take a value of this class, studies name its fields.

    Parameters
    ----------
    sum_scale, sample_scale : float, default=1.0
        s·scale/‖s‖²; the text has 1, the authors' code 2 for sums.
    pair_draw : {"samples", "classes"}, default="samples"
        "samples" draws two uniform rows until their classes fit (code), "classes" the classes first.
    same_sample : bool, default=True
        A sum may use one sample twice (code).
    orientation : {"lower_positive", "random"}, default="lower_positive"
        Of differences: "lower_positive" maps the lower label to +1 (code), "random" either (text).
    difference_filter : bool, default=False
        Reject a difference while ‖d‖² < 1/(k·#classes), k counting the attempts (code).
    cosine_filter : bool, default=False
        Reject a difference whose absolute cosine with an earlier one exceeds 1 − 1/(5k) (commented out there).
    sum_filter : bool, default=False
        Reject a class sum while ‖s‖² > 1/(k·#classes), k falling from #classes, off at 0 (code).
    orthogonal_bias : {"signed_unit", "uniform"}, default="signed_unit"
        Orthogonal ELM's bias, a U[-1,1] vector over its norm, or "uniform" U[0,1].
    orthogonal_norm : {"orth", "unit"}, default="orth"
        For L > n, columns as `orth` leaves them (norm about √(n/L)), or each of "unit" norm.
    orthogonal_signs : {"lapack", "largest_positive"}, default="lapack"
        Of the singular vectors: as LAPACK returns them (code), which differs between processors, or so that the
        largest entry of each is positive.
    image_shape : tuple of int or None, default=None
        (height, width) or (height, width, channels) of the images whose pixels the features are; receptive fields
        need it.

    See Also
    --------
    ELMClassifier, HiddenLayer : What takes them.

    Examples
    --------
    >>> from celm import ELMClassifier, WeightOptions
    >>> model = ELMClassifier(strategy="cselm", options=WeightOptions(sum_scale=2.0))
    >>> model.options.sum_scale
    2.0
    """

    sum_scale: float = original(1.0)
    sample_scale: float = original(1.0)
    pair_draw: str = original("samples")
    same_sample: bool = original(True)
    orientation: str = original("lower_positive")
    difference_filter: bool = original(False)
    cosine_filter: bool = original(False)
    sum_filter: bool = original(False)
    orthogonal_bias: str = original("signed_unit")
    orthogonal_norm: str = original("orth")
    orthogonal_signs: str = "lapack"
    image_shape: tuple[int, ...] | None = None

    def check(self, owner: str) -> None:
        """Raise a ValueError that names the first option out of range."""
        check_number(self.sum_scale, "sum_scale", owner, 0, above=True)
        check_number(self.sample_scale, "sample_scale", owner, 0, above=True)
        check_choice(self.pair_draw, "pair_draw", PAIR_DRAWS, owner)
        check_choice(self.orientation, "orientation", ORIENTATIONS, owner)
        check_choice(self.orthogonal_bias, "orthogonal_bias", ORTHOGONAL_BIASES, owner)
        check_choice(self.orthogonal_norm, "orthogonal_norm", ORTHOGONAL_NORMS, owner)
        check_choice(self.orthogonal_signs, "orthogonal_signs", ORTHOGONAL_SIGNS, owner)
        for flag in ("same_sample", "difference_filter", "cosine_filter", "sum_filter"):
            check_flag(getattr(self, flag), flag, owner)
        shape = self.image_shape
        if shape is None:
            return
        if len(shape) not in (2, 3) or any(not isinstance(side, (int, np.integer)) or side < 1 for side in shape):
            raise ValueError(
                f"{owner}: image_shape must be None, (height, width) or (height, width, channels); got {quoted(shape)}."
            )


OPTION_NAMES = tuple(field.name for field in fields(WeightOptions))
