"""Findings become something to look at."""
