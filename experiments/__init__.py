"""The experiments of the paper: the only place that knows Hydra."""

from celm.environment import portable_kernels

# Before anything here imports numpy: the same rounding on every machine.
portable_kernels()
