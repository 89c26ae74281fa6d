"""SELM: samples x/‖x‖² (paper §III.B, Algorithm 2)."""

from celm.models.elm.directions import samples
from celm.models.elm.strategy import by_recipe

STRATEGY = by_recipe(samples, "squared", factor="sample_scale")
