"""Adapters of the other libraries, each with the settings that come nearest to a ridge readout on sigmoid nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
from adapters import FOLDS, LAM, LAMBDAS, Adapter, is_regression, one_hot

# Of Gaussian kernels exp(−γ‖x − x'‖²), times the number of features.
GAMMA = 0.1


class Hpelm(Adapter):
    package = "hpelm"

    def fit(self, X: Any, y: Any) -> Any:
        from hpelm import ELM

        T = y[:, None] if is_regression(y) else one_hot(y)
        precision = {"float64": "double", "float32": "single"}[self.dtype]
        model = ELM(X.shape[1], T.shape[1], norm=1 / LAM, precision=precision)
        model.add_neurons(self.nodes, "sigm")
        model.train(X, T, *([] if is_regression(y) else ["c"]))
        return model, is_regression(y)

    def predict(self, model: Any, X: Any) -> Any:
        scores = model[0].predict(X)
        return scores[:, 0] if model[1] else scores.argmax(axis=1)


class ScikitElm(Adapter):
    package = "scikit-elm"

    def fit(self, X: Any, y: Any) -> Any:
        from skelm import ELMClassifier, ELMRegressor

        kind = ELMRegressor if is_regression(y) else ELMClassifier
        return kind(n_neurons=self.nodes, ufunc="sigm", alpha=1 / LAM, random_state=0).fit(X, y)


class Pyoselm(Adapter):
    package = "pyoselm"

    def fit(self, X: Any, y: Any) -> Any:
        from pyoselm import OSELMClassifier, OSELMRegressor

        kind = OSELMRegressor if is_regression(y) else OSELMClassifier
        return kind(n_hidden=self.nodes, activation_func="sigmoid", random_state=0).fit(X, y)


class Intelelm(Adapter):
    package = "intelelm"

    def fit(self, X: Any, y: Any) -> Any:
        from intelelm import ElmClassifier, ElmRegressor

        kind = ElmRegressor if is_regression(y) else ElmClassifier
        return kind(layer_sizes=(self.nodes,), act_name="sigmoid", seed=0).fit(X, y)


class Graforvfl(Adapter):
    package = "graforvfl"

    def fit(self, X: Any, y: Any) -> Any:
        from graforvfl import RvflClassifier, RvflRegressor

        kind = RvflRegressor if is_regression(y) else RvflClassifier
        return kind(size_hidden=self.nodes, act_name="sigmoid", reg_alpha=1 / LAM, seed=0).fit(X, y)


class Swimnetworks(Adapter):
    package = "swimnetworks"

    def fit(self, X: Any, y: Any) -> Any:
        from sklearn.pipeline import Pipeline
        from swimnetworks import Dense, Linear

        T = y[:, None] if is_regression(y) else one_hot(y)
        dense = Dense(layer_width=self.nodes, activation="tanh", parameter_sampler="tanh", random_seed=0)
        return Pipeline([("dense", dense), ("linear", Linear(regularization_scale=1e-8))]).fit(X, T), is_regression(y)

    def predict(self, model: Any, X: Any) -> Any:
        scores = np.asarray(model[0].transform(X))
        return scores[:, 0] if model[1] else scores.argmax(axis=1)


class Rfflearn(Adapter):
    package = "rfflearn"

    def fit(self, X: Any, y: Any) -> Any:
        import rfflearn.cpu as rfflearn

        kind = rfflearn.RFFRegressor if is_regression(y) else rfflearn.RFFGPC
        return kind(dim_kernel=self.nodes, std_kernel=np.sqrt(2 * GAMMA / X.shape[1])).fit(X, y)


class Tfelm(Adapter):
    """Its ``C`` is added to the diagonal of H itself, so it is left out."""

    package = "TfELM"

    def fit(self, X: Any, y: Any) -> Any:
        from TfELM.Layers.ELMLayer import ELMLayer
        from TfELM.Models.ELMModel import ELMModel

        model = ELMModel(
            ELMLayer(number_neurons=self.nodes, activation="sigmoid", C=None), classification=not is_regression(y)
        )
        model.fit(X, y[:, None] if is_regression(y) else y)
        return model


class Pyrcn(Adapter):
    package = "pyrcn"

    def fit(self, X: Any, y: Any) -> Any:
        from pyrcn.extreme_learning_machine import ELMClassifier, ELMRegressor

        kind = ELMRegressor if is_regression(y) else ELMClassifier
        return kind(hidden_layer_size=self.nodes, input_activation="logistic", alpha=1 / LAM, random_state=0).fit(X, y)


class _ScikitLearn(Adapter):
    package = "scikit-learn"

    def _features(self, features: int) -> Any:
        raise NotImplementedError

    def fit(self, X: Any, y: Any) -> Any:
        from sklearn.linear_model import Ridge, RidgeClassifier
        from sklearn.pipeline import make_pipeline

        kind = Ridge if is_regression(y) else RidgeClassifier
        return make_pipeline(self._features(X.shape[1]), kind(alpha=1 / LAM)).fit(X, y)

    def choice_lambda(self, X: Any, y: Any) -> Any:
        from sklearn.linear_model import RidgeClassifierCV
        from sklearn.pipeline import make_pipeline

        ridge = RidgeClassifierCV(alphas=[1 / lam for lam in LAMBDAS], cv=FOLDS)
        return make_pipeline(self._features(X.shape[1]), ridge).fit(X, y)


class LeaveOneOut(Adapter):
    """scikit-learn's own quick way to a penalty, which answers another question: each row is left out alone."""

    package = "scikit-learn"

    def choice_lambda(self, X: Any, y: Any) -> Any:
        from sklearn.kernel_approximation import RBFSampler
        from sklearn.linear_model import RidgeClassifierCV
        from sklearn.pipeline import make_pipeline

        features = RBFSampler(gamma=GAMMA / X.shape[1], n_components=self.nodes, random_state=0)
        return make_pipeline(features, RidgeClassifierCV(alphas=[1 / lam for lam in LAMBDAS])).fit(X, y)


class RbfSampler(_ScikitLearn):
    def _features(self, features: int) -> Any:
        from sklearn.kernel_approximation import RBFSampler

        return RBFSampler(gamma=GAMMA / features, n_components=self.nodes, random_state=0)


class NystroemRidge(_ScikitLearn):
    def _features(self, features: int) -> Any:
        from sklearn.kernel_approximation import Nystroem

        return Nystroem(gamma=GAMMA / features, n_components=self.nodes, random_state=0)


class Mlp(Adapter):
    package = "scikit-learn"

    def fit(self, X: Any, y: Any) -> Any:
        import warnings

        from sklearn.exceptions import ConvergenceWarning
        from sklearn.neural_network import MLPClassifier, MLPRegressor

        kind = MLPRegressor if is_regression(y) else MLPClassifier
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            return kind(hidden_layer_sizes=(self.nodes,), activation="logistic", max_iter=5, random_state=0).fit(X, y)


ADAPTERS: dict[str, type[Adapter]] = {
    "hpelm": Hpelm,
    "scikit-elm": ScikitElm,
    "pyoselm": Pyoselm,
    "intelelm": Intelelm,
    "graforvfl": Graforvfl,
    "swimnetworks": Swimnetworks,
    "rfflearn": Rfflearn,
    "TfELM": Tfelm,
    "pyrcn": Pyrcn,
    "sklearn RBFSampler": RbfSampler,
    "sklearn RBFSampler leave-one-out": LeaveOneOut,
    "sklearn Nystroem": NystroemRidge,
    "sklearn MLP": Mlp,
}
