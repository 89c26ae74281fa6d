"""Inputs nobody would think of, made from a seed: for the estimators and for the command line."""
