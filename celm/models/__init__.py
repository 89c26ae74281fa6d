"""The classifiers of the study, as scikit-learn estimators over pure functions."""
