"""CIW-ELM: sums of all samples of a class with random signs, of norm 2, no bias (McDonnell et al., PLOS ONE 2015)."""

from celm.models.elm.signed_sums import class_signed_sums
from celm.models.elm.strategy import by_recipe

STRATEGY = by_recipe(class_signed_sums, "l2", factor=2.0, bias="zero", uses_classes=True)
