"""
Image features by Coates and Ng
===============================

The features of the paper's CIFAR-10 table: whitened patches, a dictionary learned by orthogonal matching pursuit with
one atom, a two-sided threshold, averages over four quadrants. Small pictures of digits are enough to see them.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import RidgeClassifierCV
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from celm.features.coates_ng import CoatesNgFeatures

digits = load_digits()
images = (digits.images[..., None] * 15).astype(np.uint8)
train, test, y, y_test = train_test_split(images, digits.target, test_size=1 / 3, random_state=0)

features = CoatesNgFeatures(n_atoms=32, patch_size=4, n_patches=20_000, random_state=0).fit(train)

figure, axes = plt.subplots(4, 8, figsize=(8, 4.2), layout="constrained")
for panel, atom in zip(axes.flat, features.coder_["dictionary"].atoms_, strict=True):
    panel.imshow(atom.reshape(4, 4), cmap="gray")
    panel.axis("off")

# %%
# A linear classifier on them against the same classifier on pixels.
scaler = StandardScaler()
encoded = RidgeClassifierCV(np.logspace(-2, 4, 7)).fit(scaler.fit_transform(features.transform(train)), y)
on_features = encoded.score(scaler.transform(features.transform(test)), y_test)
pixels = RidgeClassifierCV(np.logspace(-2, 4, 7)).fit(train.reshape(len(train), -1) / 255, y)
on_pixels = pixels.score(test.reshape(len(test), -1) / 255, y_test)
print(f"linear classifier on pixels {on_pixels:.3f}, on features {on_features:.3f}")
assert on_features > on_pixels
plt.show()
