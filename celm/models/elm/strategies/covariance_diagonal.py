"""Gaussian directions with the variances of the features and no correlation between them."""

from celm.models.elm.covariance import diagonal_directions
from celm.models.elm.strategy import by_recipe

STRATEGY = by_recipe(diagonal_directions, "squared", centred=True)
