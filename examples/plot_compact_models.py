"""
How few nodes will do
=====================

A drawn layer holds more nodes than its readout needs. :class:`celm.NodePath` puts the nodes of a fitted machine in the
order of their use, by orthogonal least squares, and makes small machines of the first of them. What a small machine
saves is time: an answer costs one product with its weights.
"""

import time

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from celm import ELMClassifier, NodePath

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X / 16, y, test_size=0.3, random_state=0)
WANTED = 0.92

figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 3.8), layout="constrained", sharey=True)
needed, chosen = {}, np.zeros(200)
for strategy in ("elm", "cdelm", "covariance"):
    large = ELMClassifier(600, strategy=strategy, lam=1e3, random_state=0).fit(X_train, y_train)
    path = NodePath(large, X_train, y_train, n_max=200)
    scores = path.scores_by_count(X_test, y_test)
    left.plot(np.arange(1, 201), scores, label=strategy)
    chosen = scores if strategy == "cdelm" else chosen
    needed[strategy] = path.nodes_needed(WANTED, X_test, y_test)

# %%
# Drawn nodes of the same number reach less: compare the dashed line with the one of the same strategy.
counts = [10, 20, 50, 100, 150, 200]
drawn = [ELMClassifier(n, lam=1e3, random_state=0).fit(X_train, y_train).score(X_test, y_test) for n in counts]
left.plot(counts, drawn, "k--", label="cdelm, drawn")
left.axhline(WANTED, color="0.7", linewidth=0.8)
left.set(xlabel="nodes kept of 600", ylabel="accuracy on test rows", ylim=(0.5, 1.0))
left.legend()

# %%
# The same accuracies over the seconds that a thousand answers take, of machines of the last strategy.
for n in (10, 25, 50, 100, 200):
    small = path.pruned(n)
    rows = np.resize(X_test, (1000, X_test.shape[1]))
    tries = []
    for _ in range(5):
        started = time.perf_counter()
        small.predict(rows)
        tries.append(time.perf_counter() - started)
    right.plot(1e3 * min(tries), scores[n - 1], "o", color="C2")
    right.annotate(f"{n}", (1e3 * min(tries), scores[n - 1]), textcoords="offset points", xytext=(5, -9))
right.set(xlabel="milliseconds for 1000 rows", title="covariance: nodes kept")

print({strategy: f"{n} nodes for {WANTED:.0%}" for strategy, n in needed.items()})
assert all(n is not None for n in needed.values())
assert chosen[49] > drawn[counts.index(50)]
plt.show()
