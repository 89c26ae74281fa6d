"""
What the models of the paper see
================================

Eight ways to draw a hidden layer, eighty nodes each, on the same two spirals. Only the weights differ: random ones
(the first three) and ones made of training samples. The readout is the same ridge regression everywhere.
"""

import matplotlib.pyplot as plt
import numpy as np

from celm import ELMClassifier

rng = np.random.default_rng(0)
angle = 3 * np.pi * np.sqrt(rng.uniform(0.02, 1, 800))
arm = rng.integers(0, 2, 800)
X = (angle / (3 * np.pi))[:, None] * np.column_stack([np.cos(angle + np.pi * arm), np.sin(angle + np.pi * arm)])

# %%
# One model per strategy; the background is the margin between the two classes.
strategies = ["elm", "normalized_elm", "orthogonal_elm", "cdelm", "selm", "cselm", "rselm", "cmelm"]
grid = np.linspace(-1.1, 1.1, 120)
plane = np.column_stack([axis.ravel() for axis in np.meshgrid(grid, grid)])

figure, axes = plt.subplots(2, 4, figsize=(10, 5.2), sharex=True, sharey=True, layout="constrained")
accuracy = {}
for panel, strategy in zip(axes.flat, strategies, strict=True):
    model = ELMClassifier(n_hidden=80, strategy=strategy, lam=1e6, random_state=0).fit(X[:500], arm[:500])
    accuracy[strategy] = model.score(X[500:], arm[500:])
    margin = model.decision_function(plane).reshape(len(grid), -1)
    panel.contourf(grid, grid, margin, levels=[-9, 0, 9], colors=["#cfe0f5", "#fbe3c8"], extend="both")
    panel.scatter(*X[500:].T, c=arm[500:], s=5, cmap="coolwarm")
    panel.set_title(f"{strategy} {accuracy[strategy]:.2f}", fontsize=10)
    panel.set_aspect("equal")

# %%
# Differences between classes put their hyperplanes between the arms, where a random layer of the same size has few.
assert accuracy["cdelm"] > accuracy["elm"] + 0.05
plt.show()
