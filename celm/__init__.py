"""celm: constrained extreme learning machines and the replication of the paper that proposed them."""

from celm.models.bp import BPClassifier
from celm.models.bp_cv import BPClassifierCV
from celm.models.elm import ELMClassifier
from celm.models.elm_cv import ELMClassifierCV
from celm.models.hidden import HiddenLayer
from celm.models.linear_svm import LinearSVM, LinearSVMCV

__version__ = "0.1.0"

__all__ = [
    "BPClassifier",
    "BPClassifierCV",
    "ELMClassifier",
    "ELMClassifierCV",
    "HiddenLayer",
    "LinearSVM",
    "LinearSVMCV",
]
