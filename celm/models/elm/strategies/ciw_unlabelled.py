"""CIW-ELM without labels: sums of all samples with random signs, of norm 2, no bias."""

from celm.models.elm.signed_sums import signed_sums
from celm.models.elm.strategy import by_recipe

STRATEGY = by_recipe(signed_sums, "l2", factor=2.0, bias="zero")
