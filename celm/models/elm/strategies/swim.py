"""SWIM: differences drawn with probability ∝ max|Δy|/‖Δx‖, mapped to ±ln 3 (Bolager et al., NeurIPS 2023).

There the activation is tanh and a pair goes to ±½. tanh(z/2) = 2 sigmoid(z) − 1, so with the sigmoid the same function
takes 2·artanh(½) = ln 3: outputs ¼ and ¾.
"""

from math import log

from celm.models.elm.strategy import by_recipe
from celm.models.elm.swim_pairs import close_differences, steep_differences

STRATEGY = by_recipe(
    close_differences,
    "squared",
    factor=2.0 * log(3.0),
    bias="midpoint",
    uses_classes=True,
    for_numbers=steep_differences,
)
