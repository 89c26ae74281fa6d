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


curves, needed = {}, {}
for strategy in ("elm", "cdelm", "covariance"):
    large = ELMClassifier(600, strategy=strategy, lam=1e3, random_state=0).fit(X_train, y_train)
    path = NodePath(large, X_train, y_train, n_max=200)
    curves[strategy] = path.scores_by_count(X_test, y_test)
    needed[strategy] = path.nodes_needed(WANTED, X_test, y_test)

print({strategy: f"{n} nodes for {WANTED:.0%}" for strategy, n in needed.items()})
assert all(n is not None for n in needed.values())

# %%
# Drawn nodes of the same number reach less: compare the dashed line with the one of the same strategy.
counts = [10, 20, 50, 100, 150, 200]
machines = [ELMClassifier(n, strategy="cdelm", lam=1e3, random_state=0).fit(X_train, y_train) for n in counts]
drawn = [machine.score(X_test, y_test) for machine in machines]

figure, axes = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
for strategy, scores in curves.items():
    axes.plot(np.arange(1, 201), scores, label=strategy)
axes.plot(counts, drawn, "k--", label="cdelm, drawn")
axes.axhline(WANTED, color="0.7", linewidth=0.8)
axes.set(xlabel="nodes kept of 600", ylabel="accuracy on test rows", ylim=(0.5, 1.0))
axes.legend()
assert curves["cdelm"][49] > drawn[counts.index(50)]

# %%
# Accuracy over the time that a thousand answers take, of machines of the last strategy.
rows = np.resize(X_test, (1000, X_test.shape[1]))
figure, axes = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
for n in (10, 25, 50, 100, 200):
    small, tries = path.pruned(n), []
    for _ in range(5):
        started = time.perf_counter()
        small.predict(rows)
        tries.append(time.perf_counter() - started)
    point = (1e3 * min(tries), small.score(X_test, y_test))
    axes.plot(*point, "o", color="C2")
    axes.annotate(f"{n}", point, textcoords="offset points", xytext=(5, -9))
    assert point[1] == curves["covariance"][n - 1]
axes.set(xlabel="milliseconds for 1000 rows", ylabel="accuracy on test rows", title="covariance: nodes kept")
plt.show()
