"""The benchmark of the library against its peers and against what no arrangement can avoid: make bench."""

from experiments.environment_check import expect_environment, starting
from experiments.portable_sums import native_kernels

expect_environment()
if starting():
    native_kernels()
