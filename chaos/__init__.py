"""Faults brought about on purpose: processes killed at drawn moments, disks that fill up, clocks that go back."""

from experiments.environment_check import expect_environment

expect_environment()
