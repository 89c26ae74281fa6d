"""How each family of models runs a cell: its settings, their check, and the records it makes."""

from celm.families.bp import BP
from celm.families.common import Family
from celm.families.elm import ELM
from celm.families.elm_embedding import ELM_EMBEDDING
from celm.families.elm_times import ELM_TIMES
from celm.families.kernel import KERNEL
from celm.families.linear_svm import LINEAR_SVM
from celm.families.ml_elm import ML_ELM
from celm.families.staged import DCN, DCN_RBM, R2SVM

# Task -> family of models -> how it does that task.
FAMILIES: dict[str, dict[str, Family]] = {
    "classify": {
        "elm": ELM,
        "bp": BP,
        "linear_svm": LINEAR_SVM,
        "ml_elm": ML_ELM,
        "r2svm": R2SVM,
        "dcn": DCN,
        "dcn_rbm": DCN_RBM,
        "kernel": KERNEL,
    },
    "embed": {"elm": ELM_EMBEDDING},
    "time": {"elm": ELM_TIMES, "ml_elm": ML_ELM},
}

__all__ = ["FAMILIES", "Family"]
