"""ELM: weights U[-1,1], biases U[0,1] (paper §II, after Huang's elm.m)."""

from celm.models.elm.directions import random_directions
from celm.models.elm.strategy import by_recipe

STRATEGY = by_recipe(random_directions, "none")
