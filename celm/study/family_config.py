"""The readings of every family of models: plain typed dataclasses, one per family, that a study holds.

An option that is added is a plain field: see :mod:`celm.base.identity` for what ``original`` means. A default that
the library has is taken from there: what stands here as a value is the harness's own choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from celm.base.identity import original
from celm.base.validation import check_integer, check_number
from celm.models.baselines.bp import BPClassifier
from celm.models.baselines.bp_cv import BPClassifierCV
from celm.models.baselines.dcn import DCNClassifier
from celm.models.baselines.linear_svm_cv import LinearSVMCV
from celm.models.baselines.ml_elm import MLELMClassifier
from celm.models.baselines.nystroem import NystroemClassifier, choose_kernel
from celm.models.baselines.r2svm import R2SVMClassifier
from celm.models.baselines.staged import HeldOutSearch
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.options import WeightOptions
from celm.study.library_defaults import default_of


@dataclass
class ELMProtocol(WeightOptions):
    """Readings of the ELM family, shared by all its models: those of a weight draw and those of the classifier.

    See :class:`celm.models.elm.options.WeightOptions` and :class:`celm.models.elm.classifier.ELMClassifier`.
    ``input_scales``: candidates for the scale, chosen with λ (:class:`celm.models.elm.search.ELMClassifierCV`).
    """

    cutoff: str = original(default_of(ELMClassifier, "cutoff"))
    targets: str = original(default_of(ELMClassifier, "targets"))
    precision: str = original("double")
    input_scale: float | None = default_of(ELMClassifier, "input_scale")
    bias_width: float = default_of(ELMClassifier, "bias_width")
    input_scales: list[float] | None = None


@dataclass
class BPProtocol:
    """Readings of the back-propagation network, see :class:`celm.models.baselines.bp.BPClassifierCV`."""

    n_hidden: list[int] = original(factory=lambda: default_of(BPClassifierCV, "n_hidden_grid"))
    targets: str = original(default_of(BPClassifierCV, "targets"))
    max_epochs: int = original(default_of(BPClassifierCV, "max_epochs"))
    early_stopping: bool = original(default_of(BPClassifier, "early_stopping"))


@dataclass
class LinearSVMProtocol:
    """Readings of the linear SVM, see :class:`celm.models.baselines.linear_svm.LinearSVMCV`."""

    infer_classes: str = original(default_of(LinearSVMCV, "infer_classes"))


@dataclass
class MLELMProtocol:
    """Readings of the multilayer ELM, see :class:`celm.models.baselines.ml_elm.MLELMClassifier`."""

    layers: list[int] = original(factory=lambda: default_of(MLELMClassifier, "layers"))
    penalties: list[Any] = original(factory=lambda: default_of(MLELMClassifier, "penalties"))
    encoder_slopes: list[float] = original(factory=lambda: default_of(MLELMClassifier, "encoder_slopes"))
    forward_slopes: list[float] = original(factory=lambda: default_of(MLELMClassifier, "forward_slopes"))
    lam: float = original(default_of(MLELMClassifier, "lam"))


@dataclass
class R2SVMProtocol:
    """R²SVM and its candidates, see :class:`celm.models.baselines.r2svm.R2SVMClassifier`.

    Cs: weights of the mean squared hinge; those of a sum over 50,000 rows would be 0.01 and 0.1.
    held_out: share of the training rows on which β and C are chosen.
    """

    n_layers: int = original(default_of(R2SVMClassifier, "n_layers"))
    weights: str = original(default_of(R2SVMClassifier, "weights"))
    betas: list[float] = original(factory=lambda: [0.1, 0.2, 0.3])
    Cs: list[float] = original(factory=lambda: [500.0, 5000.0])
    held_out: float = original(default_of(HeldOutSearch, "fraction"))


@dataclass
class DCNProtocol:
    """The deep convex network and its candidates, see :class:`celm.models.baselines.dcn.DCNClassifier`.

    rbm_share, rbm_epochs: of the model dcn_rbm alone. held_out: share of the training rows on which the scale of the
    random weights and λ are chosen.
    """

    n_modules: int = original(default_of(DCNClassifier, "n_modules"))
    n_units: int = original(default_of(DCNClassifier, "n_units"))
    rbm_share: float = original(0.5)
    rbm_epochs: int = original(default_of(DCNClassifier, "rbm_epochs"))
    input_scales: list[float] = original(factory=lambda: [0.25, 0.5, 1.0])
    lams: list[float] = original(factory=lambda: [1e2, 1e3, 1e4])
    held_out: float = original(default_of(HeldOutSearch, "fraction"))


@dataclass
class KernelProtocol:
    """The RBF kernel and its candidates, see :class:`celm.models.baselines.nystroem.NystroemClassifier`.

    held_out: share of the training rows on which γ and λ are chosen.
    """

    n_components: int = original(default_of(NystroemClassifier, "n_components"))
    gamma_scales: list[float] = original(factory=lambda: default_of(choose_kernel, "gamma_scales"))
    lams: list[float] = original(factory=lambda: default_of(choose_kernel, "lams"))
    held_out: float = original(default_of(choose_kernel, "fraction"))


@dataclass
class EmbeddingProtocol:
    """How hidden outputs are shown in the plane, see :mod:`celm.models.elm.embedding`.

    points: test rows shown. pca: principal components that t-SNE is given (null: the hidden outputs themselves).
    neighbours: of the accuracy and the trustworthiness of the plane.
    """

    points: int = original(2000)
    pca: int | None = original(50)
    perplexity: float = original(30.0)
    iterations: int = original(1000)
    neighbours: int = original(10)

    def check(self) -> None:
        """Raise a ValueError naming the first key out of range."""
        check_integer(self.points, "embedding.points", "config", 10)
        if self.pca is not None:
            check_integer(self.pca, "embedding.pca", "config", 2, self.points)
        check_number(self.perplexity, "embedding.perplexity", "config", 1, self.points - 1)
        # The first 250 iterations exaggerate: the divergence exists from the next one on.
        check_integer(self.iterations, "embedding.iterations", "config", 251)
        # Trustworthiness is defined for fewer neighbours than half the points.
        check_integer(self.neighbours, "embedding.neighbours", "config", 1, (self.points - 1) // 2)
