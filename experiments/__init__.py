"""The experiments of the paper: the only place that knows Hydra."""

from experiments.portable_sums import portable_kernels

portable_kernels()
