"""Inputs nobody would think of, made from a seed: for the estimators and for the command line."""

from experiments.environment_check import expect_environment

expect_environment()
