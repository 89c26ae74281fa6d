"""RSELM: sums of two samples of any class (paper §III.D, Algorithm 4)."""

from celm.models.elm.directions import random_sums
from celm.models.elm.strategy import by_recipe

STRATEGY = by_recipe(random_sums, "squared", factor="sum_scale")
