"""
Your own weights
================

A strategy is a function from training rows to weights and biases. Here: edges. Every node looks at one patch of a
digit and compares its left with its right, or its top with its bottom.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from celm import ELMClassifier, Strategy


def edges(X, codes, n_hidden, rng, options):
    """Weights (n × L) and biases (L): +1 beside −1 in a random patch of an 8 × 8 picture."""
    W = np.zeros((n_hidden, 8, 8))
    for picture in W:
        top, left = rng.integers(0, 5, 2)
        patch = picture[top : top + 4, left : left + 4]
        if rng.random() < 0.5:
            patch = patch.T
        patch[:2], patch[2:] = 1.0, -1.0
    return W.reshape(n_hidden, -1).T, rng.uniform(-1, 1, n_hidden)


# %%
# Wrapped as a :class:`~celm.Strategy` it says what may be relied on. Nodes are drawn one after the other, but biases
# after all weights, so a longer draw does not begin with a shorter one: it does not nest.
strategy = Strategy(edges, nested=False, uses_classes=False)

X, y = load_digits(return_X_y=True)
X, X_test, y, y_test = train_test_split(X / 16, y, test_size=1 / 3, random_state=0)
ours = ELMClassifier(150, strategy=strategy, input_scale=1.0, lam=1e3, random_state=0).fit(X, y)
plain = ELMClassifier(150, strategy="elm", input_scale=1.0, lam=1e3, random_state=0).fit(X, y)
print(f"edges {ours.score(X_test, y_test):.3f}, random weights {plain.score(X_test, y_test):.3f}")

figure, axes = plt.subplots(2, 8, figsize=(8, 2.2), layout="constrained")
for panel, weights in zip(axes.flat, ours.W_.T, strict=False):
    panel.imshow(weights.reshape(8, 8), cmap="RdBu_r")
    panel.axis("off")

assert ours.score(X_test, y_test) > 0.95
plt.show()
