"""
A stream of blocks
==================

Rows that do not fit in memory come in blocks. The readout needs only two sums over rows, so learning block by block
ends at the same model as one fit with the same hidden layer.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification

from celm import ELMClassifier

X, y = make_classification(30_000, 20, n_informative=10, n_classes=4, random_state=0)
X_test, y_test, X, y = X[:5000], y[:5000], X[5000:], y[5000:]

how = {"n_hidden": 150, "strategy": "elm", "lam": 1e3, "precision": "double", "random_state": 0}
model = ELMClassifier(**how)
seen, accuracy = [], []
for start in range(0, len(X), 1000):
    model.partial_fit(X[start : start + 1000], y[start : start + 1000], classes=range(4))
    seen.append(start + 1000)
    accuracy.append(model.score(X_test, y_test))

whole = ELMClassifier(**how).fit(X, y)

figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
axes.plot(seen, accuracy, label="partial_fit, block after block")
axes.axhline(whole.score(X_test, y_test), color="0.5", linestyle="--", label="fit on all rows")
axes.set(xlabel="rows seen", ylabel="test accuracy")
axes.legend()

# %%
# Random weights do not depend on the rows, so both have the same layer; their readouts agree to rounding. By
# default a fit on all rows would make its products in single precision, which a bound shows to do no harm.
assert np.allclose(model.beta_, whole.beta_, rtol=1e-6, atol=1e-8)
plt.show()
