"""What a study can be told, and how it says no."""

from dataclasses import asdict

import pytest

from celm.datasets.spiral import SpiralParams
from celm.models.baselines.bp_cv import BPClassifierCV
from celm.models.baselines.dcn import DCNClassifier
from celm.models.baselines.linear_svm_cv import LinearSVMCV
from celm.models.baselines.ml_elm import MLELMClassifier
from celm.models.baselines.nystroem import GAMMA_SCALES, LAMS, NystroemClassifier
from celm.models.baselines.r2svm import R2SVMClassifier
from celm.models.elm.base_search import LAMBDAS
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.options import WeightOptions
from celm.models.elm.search import ELMClassifierCV
from celm.study.data_config import SCHEMAS, SplitConfig
from celm.study.family_config import (
    BPProtocol,
    DCNProtocol,
    ELMProtocol,
    KernelProtocol,
    LinearSVMProtocol,
    MLELMProtocol,
    R2SVMProtocol,
)
from celm.study.node_counts import node_counts, thinned
from celm.study.study_config import ExecutorConfig, SelectionConfig, StudyConfig


@pytest.mark.parametrize(
    ("study", "words"),
    [
        (StudyConfig(rounds=0), ["rounds", "at least 1", "got 0"]),
        (StudyConfig(seed=-1), ["seed", "at least 0"]),
        (StudyConfig(resume="publised"), ["resume", "local, published", "Did you mean 'published'"]),
        (StudyConfig(selection=SelectionConfig(choose="join")), ["selection.choose", "Did you mean 'joint'"]),
        (StudyConfig(selection=SelectionConfig(penalty="l1")), ["selection.penalty", "ridge, none"]),
        (StudyConfig(selection=SelectionConfig(n_folds=1)), ["selection.n_folds", "at least 2"]),
        (StudyConfig(selection=SelectionConfig(exponents=[3, 1])), ["selection.exponents", "[first, last]"]),
        (StudyConfig(selection=SelectionConfig(every_round=1)), ["selection.every_round", "true or false", "got 1"]),
        (StudyConfig(executor=ExecutorConfig(name="slurm")), ["executor.name", "local, dask"]),
        (StudyConfig(executor=ExecutorConfig(workers=0)), ["executor.workers", "at least 1"]),
        (StudyConfig(split=SplitConfig(train_share=1.0)), ["split.train_share", "at most 0.95"]),
        (StudyConfig(split=SplitConfig(subset=0)), ["split.subset", "at least 1"]),
        (StudyConfig(split=SplitConfig(label_noise=1.5)), ["split.label_noise", "at most 1"]),
        (StudyConfig(split=SplitConfig(input_noise=-0.1)), ["split.input_noise", "at least 0"]),
    ],
)
def test_out_of_range_values_name_the_key_and_what_is_allowed(study, words):
    with pytest.raises(ValueError, match="config: ") as error:
        study.check()
    for word in words:
        assert word in str(error.value)


def test_the_default_study_is_valid():
    StudyConfig().check()


@pytest.mark.parametrize("value", [-5, 0, "many", [5, 0], [], 2.5, True])
def test_node_counts_refuse_nonsense(value):
    with pytest.raises(ValueError, match="n_hidden"):
        node_counts(value, "n_hidden")


def test_node_counts_are_sorted_and_unique():
    assert node_counts([100, 50, 100], "n_hidden") == [50, 100]
    assert node_counts(7, "n_hidden") == [7]


def test_thinning_keeps_the_largest_and_spreads_evenly():
    counts = list(range(5, 201, 5))
    assert thinned(counts, None) == counts
    assert thinned(counts, 100) == counts
    few = thinned(counts, 4)
    assert few == [50, 100, 150, 200]
    assert thinned(counts, 1) == [200]
    assert thinned([1000, 2000], None, 200) == [200]
    assert thinned([100, 150, 300], None, 200) == [100, 150, 200]


def test_lambda_grid():
    assert SelectionConfig().lams() == tuple(10.0**e for e in range(-8, 9))


def test_defaults_of_the_schema_are_those_of_the_library():
    """Hydra needs the options as plain fields of its own; a default that drifted apart would be a silent reading."""
    for protocol, estimator in [(ELMProtocol(), ELMClassifier()), (MLELMProtocol(), MLELMClassifier())]:
        search = {"input_scales": ELMClassifierCV().input_scales}
        # Records are of double precision; the library chooses its own where a bound allows it.
        theirs = {**asdict(WeightOptions()), **search, **estimator.get_params(), "precision": "double"}
        for name, value in asdict(protocol).items():
            assert value == (list(theirs[name]) if isinstance(theirs[name], tuple) else theirs[name]), name
    ours, theirs = BPProtocol(), BPClassifierCV()
    assert (ours.targets, ours.max_epochs) == (theirs.targets, theirs.max_epochs)
    assert tuple(ours.n_hidden) == tuple(theirs.n_hidden_grid)
    assert LinearSVMProtocol().infer_classes == LinearSVMCV().infer_classes
    r2svm, dcn = R2SVMClassifier(), DCNClassifier()
    assert (R2SVMProtocol().n_layers, R2SVMProtocol().weights) == (r2svm.n_layers, r2svm.weights)
    assert (DCNProtocol().n_modules, DCNProtocol().n_units) == (dcn.n_modules, dcn.n_units)
    assert DCNProtocol().rbm_epochs == dcn.rbm_epochs
    assert KernelProtocol().n_components == NystroemClassifier().n_components
    assert (tuple(KernelProtocol().gamma_scales), tuple(KernelProtocol().lams)) == (GAMMA_SCALES, LAMS)
    assert SCHEMAS["spiral"]().params() == asdict(SpiralParams())
    assert SelectionConfig().lams() == LAMBDAS
