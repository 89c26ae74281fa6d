"""CSELM: sums of two samples of one class (paper §III.C, Algorithm 3)."""

from celm.models.elm.directions import class_sums
from celm.models.elm.strategy import by_recipe

STRATEGY = by_recipe(class_sums, "squared", factor="sum_scale", uses_classes=True)
