"""
In a pipeline
=============

Sample-based layers live on the scale of their inputs: put a scaler in front. The estimators are scikit-learn's kind, so
pipelines, grid searches and cross-validation take them as they are.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from celm import ELMClassifier

X, y = load_wine(return_X_y=True)

model = make_pipeline(StandardScaler(), ELMClassifier(lam=10.0, random_state=0))
search = GridSearchCV(
    model,
    {
        "elmclassifier__strategy": ["elm", "cdelm", "selm", "cselm"],
        "elmclassifier__n_hidden": [10, 20, 50, 100],
    },
    cv=5,
).fit(X, y)

figure, axes = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
for strategy in ["elm", "cdelm", "selm", "cselm"]:
    chosen = search.cv_results_["param_elmclassifier__strategy"] == strategy
    axes.plot([10, 20, 50, 100], search.cv_results_["mean_test_score"][chosen], marker="o", label=strategy)
axes.set(xlabel="hidden nodes", ylabel="accuracy, five folds")
axes.legend()

# %%
# Without the scaler one large feature saturates every node.
scaled = cross_val_score(search.best_estimator_, X, y).mean()
assert scaled > 0.95
plt.show()
