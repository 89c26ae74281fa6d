"""The environment of every test, set before numpy and scipy are first imported."""

import os
from collections import Counter

import hypothesis
import pytest

from experiments.portable_sums import portable_kernels

# The kernels of every run of the study: a worker that a test starts would otherwise use others than the test itself.
portable_kernels()
# scikit-learn runs its array-API check only when scipy's own support is on; otherwise it would skip it.
os.environ.setdefault("SCIPY_ARRAY_API", "1")
# One BLAS thread, as in every run of the study: small products on a busy machine spend their time waiting otherwise.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

hypothesis.settings.register_profile("celm", deadline=None, derandomize=True, max_examples=25)
hypothesis.settings.load_profile("celm")


def pytest_collection_modifyitems(items):
    """Files of few tests first: theirs are the long ones, and no process shall begin with one when the others end."""
    counts = Counter(item.path for item in items)
    items.sort(key=lambda item: counts[item.path])


@pytest.fixture(autouse=True, scope="session")
def _names():
    """Models and data sets are called as conf/ says, as in every run; the schema is known to Hydra."""
    from experiments.config.schema import register

    register()


@pytest.fixture
def equal_once_scaled(tmp_path):
    """A table whose rows are all the same once every row is standardised: ELM learns from it, CDELM finds no pair."""
    import pandas as pd

    path = tmp_path / "equal.csv"
    table = pd.DataFrame({"a": [1.0, 1.0, 2.0, 2.0] * 8, "b": [2.0, 2.0, 4.0, 4.0] * 8, "label": ["x", "y"] * 16})
    table.to_csv(path, index=False)
    return path


@pytest.fixture
def three_spirals():
    """Records of three spiral settings in two rounds: one misses ELM's level, one meets all, one is ours."""
    import pandas as pd

    worlds = [
        _spiral(2.0, 1.0, elm=1.0, worst=0.99, orthogonal=(0.7, 0.7, 0.6, 0.6)),
        _spiral(2.0, 0.25, elm=0.82, worst=0.995, orthogonal=(0.6, 0.6, 0.59, 0.57)),
        _spiral(3.0, 1.0, elm=0.82, worst=0.67, orthogonal=(0.64, 0.65, 0.61, 0.59)),
    ]
    return pd.DataFrame([record for world in worlds for record in world])


def _spiral(turns, scale, elm, worst, orthogonal):
    """Two rounds around the given means; ``orthogonal`` at each of the counts."""
    from celm.base.names import CELMS

    counts = (40, 50, 60, 150)
    curves = {model: dict.fromkeys(counts, 1.0) for model in CELMS}
    curves["rselm"][60] = worst
    curves["elm"] = {**dict.fromkeys(counts, 0.5), 150: elm}
    curves["orthogonal_elm"] = dict(zip(counts, orthogonal, strict=True))
    settings = {"dataset_turns": turns, "dataset_noise": 0.0, "dataset_scale": scale, "dataset_inner_radius": 0.02}
    return [
        {**settings, "model": model, "n_hidden": n, "round": i, "accuracy": accuracy + (0.01 if i else -0.01)}
        for model, curve in curves.items()
        for n, accuracy in curve.items()
        for i in range(2)
    ]
