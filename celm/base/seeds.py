"""Seeds made of named roles, so that no number depends on the order in which things run."""

from __future__ import annotations

import hashlib

import numpy as np


def seed_of(master: int, *roles: str | int) -> int:
    """A 128-bit seed for ``roles``, e.g. ``seed_of(master, "wdbc", 3, "split")``.

    The same words give the same seed on every machine; models are never a role, so that every model of a
    round sees the same split and the same stream of draws and comparisons are paired.
    """
    words = "\x1f".join([str(int(master)), *(str(role) for role in roles)])
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:16], "little")


def generator(master: int, *roles: str | int) -> np.random.Generator:
    """A fresh random generator for ``roles``."""
    return np.random.default_rng(seed_of(master, *roles))
