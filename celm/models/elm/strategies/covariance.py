"""Covariance ELM: Gaussian directions with the covariance of the rows, v/‖v‖²; neither a label nor a single sample.

The library's own model, to be used with an ``input_scale``, best a chosen one
(:class:`celm.ELMClassifierCV` with ``input_scales``). Only the mean and the second moments of the rows enter: biases
count from the mean, so that a shift of the inputs changes nothing.

Precedents: CIW-ELM (McDonnell et al., PLOS ONE 10, e0134254, 2015) sums the samples of a class with random signs, so
its weights have the (uncentred) second moments of that class; the same without labels is nearly this model. CELMs
(Zhu, Miao and Qing, 2014) take samples, sums and differences, whose covariance is the data's too, at 1/‖v‖². SWIM
(Bolager et al., NeurIPS 2023) takes differences with probabilities of their own. What is ours is the finding that the
covariance and a chosen scale account for what those gain over ELM, and a draw that never forms the covariance: one look
at the rows for their mean, and combinations of few of them.
"""

from celm.models.elm.covariance import combined_rows
from celm.models.elm.strategy import by_recipe

STRATEGY = by_recipe(combined_rows, "squared", centred=True)
