"""celm: constrained extreme learning machines and the replication of the paper that proposed them."""

from celm.features.coates_ng import CoatesNgFeatures
from celm.features.scaling import SampleStandardizer
from celm.models.baselines.bp import BPClassifier
from celm.models.baselines.bp_cv import BPClassifierCV
from celm.models.baselines.dcn import DCNClassifier
from celm.models.baselines.linear_svm import LinearSVM
from celm.models.baselines.linear_svm_cv import LinearSVMCV
from celm.models.baselines.ml_elm import MLELMClassifier
from celm.models.baselines.nystroem import NystroemClassifier
from celm.models.baselines.r2svm import R2SVMClassifier
from celm.models.baselines.staged import HeldOutSearch
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.hidden import HiddenLayer
from celm.models.elm.node_paths import NodePath
from celm.models.elm.options import WeightOptions
from celm.models.elm.regressor import ELMRegressor
from celm.models.elm.regressor_search import ELMRegressorCV
from celm.models.elm.search import ELMClassifierCV
from celm.models.elm.strategy import Strategy

__version__ = "0.2.0"

__all__ = [
    "BPClassifier",
    "BPClassifierCV",
    "CoatesNgFeatures",
    "DCNClassifier",
    "ELMClassifier",
    "ELMClassifierCV",
    "ELMRegressor",
    "ELMRegressorCV",
    "HeldOutSearch",
    "HiddenLayer",
    "LinearSVM",
    "LinearSVMCV",
    "MLELMClassifier",
    "NodePath",
    "NystroemClassifier",
    "R2SVMClassifier",
    "SampleStandardizer",
    "Strategy",
    "WeightOptions",
]
