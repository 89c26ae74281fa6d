"""CIW-ELM under receptive fields: every node sees a random rectangle of the image (McDonnell et al., PLOS ONE 2015)."""

from celm.models.elm.receptive_fields import under_fields
from celm.models.elm.signed_sums import class_signed_sums
from celm.models.elm.strategy import by_recipe

STRATEGY = by_recipe(under_fields(class_signed_sums), "l2", factor=2.0, bias="zero", uses_classes=True)
