"""Gaussian directions whose covariance is the rows', shrunk towards a multiple of the identity (Ledoit and Wolf)."""

from celm.models.elm.covariance import shrunk_directions
from celm.models.elm.strategy import by_recipe

STRATEGY = by_recipe(shrunk_directions, "squared", centred=True)
