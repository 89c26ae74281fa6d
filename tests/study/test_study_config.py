"""What a study can be told, and how it says no."""

from dataclasses import asdict

import pytest

from celm.models.baselines.ml_elm import MLELMClassifier
from celm.models.elm.base_search import LAMBDAS
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.options import WeightOptions
from celm.study.data_config import SplitConfig
from celm.study.family_config import ELMProtocol, MLELMProtocol
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


def test_a_study_has_the_defaults_of_the_library_but_for_its_own_precision():
    """Records are of double precision; the library chooses its own where a bound allows it."""
    theirs = {**asdict(WeightOptions()), **ELMClassifier().get_params(), "precision": "double", "input_scales": None}
    assert asdict(ELMProtocol()) == {name: theirs[name] for name in asdict(ELMProtocol())}
    assert SelectionConfig().lams() == LAMBDAS


def test_two_configs_share_no_default():
    ours = MLELMProtocol()
    ours.layers.append(1)
    assert tuple(MLELMProtocol().layers) == MLELMClassifier().layers
