"""The environment of every test, set before numpy and scipy are first imported."""

import os

import hypothesis
import pytest

from experiments.kernels import portable_kernels

# The kernels of every run of the study: a worker that a test starts would otherwise use others than the test itself.
portable_kernels()
# scikit-learn runs its array-API check only when scipy's own support is on; otherwise it would skip it.
os.environ.setdefault("SCIPY_ARRAY_API", "1")
# One BLAS thread, as in every run of the study: small products on a busy machine spend their time waiting otherwise.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

hypothesis.settings.register_profile("celm", deadline=None, derandomize=True, max_examples=25)
hypothesis.settings.load_profile("celm")


@pytest.fixture(autouse=True, scope="session")
def _names():
    """Models and data sets are called as conf/ says, as in every run; the schema is known to Hydra."""
    from experiments.config.schema import register

    register()
