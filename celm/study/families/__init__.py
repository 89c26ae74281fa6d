"""How each family of models runs a cell: its settings, their check, and the records it makes."""

from celm.study.families.bp_family import BP
from celm.study.families.comparison_family import COMPARE, REGRESS
from celm.study.families.elm_family import ELM
from celm.study.families.embedding_family import ELM_EMBEDDING
from celm.study.families.family import Family
from celm.study.families.kernel_family import KERNEL
from celm.study.families.linear_svm_family import LINEAR_SVM
from celm.study.families.ml_elm_family import ML_ELM
from celm.study.families.staged_family import DCN, DCN_RBM, R2SVM
from celm.study.families.times_family import ELM_TIMES

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
    "compare": COMPARE,
    "regress": REGRESS,
}

__all__ = ["FAMILIES", "Family"]
