"""Normalized ELM: ELM's weights, each node's divided by their l2 norm (paper §V)."""

from celm.models.elm.directions import random_directions
from celm.models.elm.strategy import by_recipe

STRATEGY = by_recipe(random_directions, "l2")
