"""
Text: sparse rows stay sparse
=============================

Counts of words are wide and nearly empty. Machines take them as CSR matrices and never make them dense. The texts here
are the docstrings of scikit-learn itself: is a paragraph about classification, regression, clustering or something that
transforms?
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import ConfusionMatrixDisplay
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.utils.discovery import all_estimators

from celm import ELMClassifier, ELMClassifierCV

KINDS = ["classifier", "regressor", "cluster", "transformer"]
texts, kinds, sources = [], [], []
for kind in KINDS:
    for name, estimator in all_estimators(type_filter=kind):
        for paragraph in (estimator.__doc__ or "").split("\n\n"):
            if len(paragraph) > 200:
                texts.append(paragraph)
                kinds.append(kind)
                sources.append(name)

# %%
# Paragraphs of one docstring stay together, so that no answer is learned by heart.
names = np.array(sorted(set(sources)))
train_names, _ = train_test_split(names, test_size=0.3, random_state=0)
is_train = np.isin(sources, train_names)
texts, kinds = np.array(texts, dtype=object), np.array(kinds)

search = ELMClassifierCV(
    ELMClassifier(strategy="covariance"),
    n_hidden_grid=(200, 400),
    input_scales=(0.3, 1.0, 3.0),
    random_state=0,
)
model = make_pipeline(TfidfVectorizer(sublinear_tf=True, min_df=2), search).fit(texts[is_train], kinds[is_train])
rows = model[0].transform(texts[~is_train])
accuracy = (model.predict(texts[~is_train]) == kinds[~is_train]).mean()
usual = max(np.mean(kinds[~is_train] == kind) for kind in KINDS)

figure, axes = plt.subplots(figsize=(5.2, 4.4), layout="constrained")
ConfusionMatrixDisplay.from_predictions(
    kinds[~is_train], model.predict(texts[~is_train]), labels=KINDS, normalize="true", ax=axes, colorbar=False
)
axes.set_title(f"{rows.shape[1]} words, {rows.nnz / np.prod(rows.shape):.1%} filled: accuracy {accuracy:.2f}")

assert rows.nnz < 0.05 * np.prod(rows.shape)
assert accuracy > usual + 0.1
plt.show()
