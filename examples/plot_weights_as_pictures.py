"""
Weights as pictures
===================

Every hidden node answers to one direction in the space of inputs. For images that direction is an image. The first
eight nodes of five strategies on 8 × 8 digits: noise, differences of two classes, a digit, sums of a class.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from celm import HiddenLayer

X, y = load_digits(return_X_y=True)
X = X / 16.0

strategies = ["elm", "cdelm", "selm", "cselm", "rselm"]
figure, axes = plt.subplots(len(strategies), 8, figsize=(8, 5.4), layout="constrained")
roughness = {}
for row, strategy in zip(axes, strategies, strict=True):
    W = HiddenLayer(8, strategy=strategy, random_state=1).fit(X, y).W_
    pictures = (W / np.linalg.norm(W, axis=0)).T.reshape(-1, 8, 8)
    roughness[strategy] = np.square(np.diff(pictures, axis=2)).sum(axis=(1, 2)).mean()
    for panel, picture in zip(row, pictures, strict=True):
        size = np.abs(picture).max()
        panel.imshow(picture, cmap="RdBu_r", vmin=-size, vmax=size)
        panel.set_xticks([])
        panel.set_yticks([])
    row[0].set_ylabel(strategy)

# %%
# A sample is as smooth as the data; a random direction is not. The covariance of the data is what the two differ by.
assert max(roughness[name] for name in strategies[1:]) < roughness["elm"]
plt.show()
