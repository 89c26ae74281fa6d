"""celm: constrained extreme learning machines and the replication of the paper that proposed them."""

from celm.models.bp import BPClassifier
from celm.models.bp_cv import BPClassifierCV
from celm.models.dcn import DCNClassifier
from celm.models.elm import ELMClassifier
from celm.models.elm_cv import ELMClassifierCV
from celm.models.hidden import HiddenLayer
from celm.models.linear_svm import LinearSVM, LinearSVMCV
from celm.models.nystroem import NystroemClassifier
from celm.models.r2svm import R2SVMClassifier
from celm.models.staged import HeldOutSearch

__version__ = "0.1.0"

__all__ = [
    "BPClassifier",
    "BPClassifierCV",
    "DCNClassifier",
    "ELMClassifier",
    "ELMClassifierCV",
    "HeldOutSearch",
    "HiddenLayer",
    "LinearSVM",
    "LinearSVMCV",
    "NystroemClassifier",
    "R2SVMClassifier",
]
