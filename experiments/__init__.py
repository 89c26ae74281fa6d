"""The experiments of the paper: the only place that knows Hydra."""

from experiments.environment_check import expect_environment
from experiments.portable_sums import portable_kernels

expect_environment()
portable_kernels()
