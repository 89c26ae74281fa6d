"""The experiments of the paper: the only place that knows Hydra."""

from experiments.kernels import portable_kernels

portable_kernels()
