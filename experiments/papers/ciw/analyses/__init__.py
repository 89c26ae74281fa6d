"""Analyses that read the records of the second paper."""
