"""CDELM: differences of samples of two classes, mapped to −1 and +1 (paper §III.A, Algorithm 1)."""

from celm.models.elm.directions import class_differences
from celm.models.elm.strategy import by_recipe

STRATEGY = by_recipe(class_differences, "squared", factor=2.0, bias="midpoint", uses_classes=True)
