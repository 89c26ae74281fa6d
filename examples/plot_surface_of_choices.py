"""
The surface of choices
======================

:class:`~celm.ELMClassifierCV` chooses the node count and λ together: one factorisation per fold and λ serves every node
count, because the nodes are nested. Here is the whole surface that it looked at.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from celm import ELMClassifier, ELMClassifierCV

X, y = load_wine(return_X_y=True)
X, X_test, y, y_test = train_test_split(X, y, test_size=1 / 3, random_state=0)
scaler = StandardScaler().fit(X)

search = ELMClassifierCV(ELMClassifier(strategy="selm"), n_hidden_grid=range(5, 101, 5), random_state=0)
search.fit(scaler.transform(X), y)
share = search.surface_ / len(y)

figure, axes = plt.subplots(figsize=(6.4, 4), layout="constrained")
picture = axes.pcolormesh(np.log10(search.lams), range(5, 101, 5), share, cmap="viridis")
axes.plot(np.log10(search.lam_), search.n_hidden_, "r*", markersize=14)
axes.set(xlabel="log10 λ (larger: weaker penalty)", ylabel="hidden nodes")
figure.colorbar(picture, label="held-out accuracy")

# %%
# The star is the choice, and it holds on rows that took no part in it.
assert share.max() == search.cv_accuracy_
assert search.score(scaler.transform(X_test), y_test) > 0.93
plt.show()
