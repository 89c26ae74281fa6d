"""Differences of two classes under receptive fields, of norm 2 ("C" weights of McDonnell et al., PLOS ONE 2015).

DEPARTURE: the bias puts the hyperplane at the midpoint of the pair; their code adds the midpoint's product instead of
subtracting it.
"""

from celm.models.elm.directions import class_differences
from celm.models.elm.receptive_fields import under_fields
from celm.models.elm.strategy import by_recipe

STRATEGY = by_recipe(under_fields(class_differences), "l2", factor=2.0, bias="midpoint", uses_classes=True)
