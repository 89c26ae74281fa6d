"""Fig 2: two clouds, differences between them, and the weight vectors that ELM and CDELM draw; it needs no records."""

from __future__ import annotations

import numpy as np

from celm.base.seeds import generator
from celm.models.elm.directions import class_differences
from celm.models.elm.options import WeightOptions
from celm.models.elm.weights import STRATEGIES
from celm.render.figures import Illustration, draw_illustration, illustration_data
from experiments.analysis import Analysis, Picture

# Samples per class, differences shown in (a), weight vectors in (b) and (c).
TOY_SAMPLES, TOY_PAIRS, TOY_NODES = 12, 6, 30
SEED = 2015


def toy_illustration(seed: int) -> Illustration:
    """Two clouds, the first differences between them, and the hidden layers that ELM and CDELM draw from them."""
    rng = generator(seed, "fig2", "samples")
    X = np.vstack([rng.normal(center, 0.45, size=(TOY_SAMPLES, 2)) for center in ((-1.1, -0.7), (1.1, 0.7))])
    codes = np.repeat([0, 1], TOY_SAMPLES)
    layers = {
        model: STRATEGIES[model](X, codes, TOY_NODES, generator(seed, "fig2", "nodes"), WeightOptions())[0].T
        for model in ("elm", "cdelm")
    }
    # The stream from which the recipe above drew its pairs.
    pair_rng = generator(seed, "fig2", "nodes").spawn(2)[0]
    pairs = class_differences(X, codes, TOY_PAIRS, pair_rng, WeightOptions())
    assert pairs.midpoints is not None
    half = 0.5 * pairs.vectors
    return Illustration(X, codes, pairs.midpoints - half, pairs.midpoints + half, layers["elm"], layers["cdelm"])


FIG2 = Analysis(
    name="fig2",
    about="Fig 2: weight vectors of ELM and of constrained difference ELM, drawn by the real weight functions",
    reads=(),
    find=lambda frames: toy_illustration(SEED),
    picture=lambda shown: Picture(draw_illustration(shown), illustration_data(shown)),
    chapter="Figures",
)
