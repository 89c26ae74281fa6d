"""Sums over rows and their solutions: blocks, Gram matrices, ridge and pseudo-inverse, choices on their surfaces."""
