"""
Nodes against accuracy
======================

How many hidden nodes does a model need? Handwritten digits, one nested layer per strategy: the first 20 nodes of the
largest layer are the layer of 20 nodes, so a curve costs about as much as its last point.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from celm import ELMClassifier, ELMClassifierCV

X, y = load_digits(return_X_y=True)
X, X_test, y, y_test = train_test_split(X, y, test_size=1 / 3, random_state=0)
scaler = StandardScaler().fit(X)
X, X_test = scaler.transform(X), scaler.transform(X_test)

# %%
# λ is chosen for every node count by three folds.
counts = [10, 20, 40, 60, 80, 120, 160, 240]
curves = {}
for strategy in ["elm", "normalized_elm", "cdelm", "cselm"]:
    search = ELMClassifierCV(ELMClassifier(strategy=strategy), n_hidden_grid=counts, random_state=0).fit(X, y)
    curves[strategy] = [
        ELMClassifier(n_hidden=choice.n_hidden, strategy=strategy, lam=choice.lam, random_state=0)
        .fit(X, y)
        .score(X_test, y_test)
        for choice in search.lambdas_by_count_
    ]

figure, axes = plt.subplots(figsize=(6.4, 4), layout="constrained")
for strategy, accuracy in curves.items():
    axes.plot(counts, accuracy, marker="o", label=strategy)
axes.set(xlabel="hidden nodes", ylabel="test accuracy", ylim=(0.6, 1.0))
axes.legend()

# %%
# Sample-based layers reach a given accuracy with fewer nodes.
assert curves["cselm"][2] > curves["elm"][2] + 0.02
plt.show()
