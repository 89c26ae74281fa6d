"""How many draws of weight vectors are rejected, and why: counted while somebody listens, in that thread alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.bool_]

# Kind or reason -> how many draws; None where nobody listens.
_heard: ContextVar[Counter[str] | None] = ContextVar("rejections", default=None)


@contextmanager
def counted_draws() -> Iterator[Counter[str]]:
    """Everything that is noted inside, by its name; a name that was not noted counts 0.

    Examples
    --------
    >>> with counted_draws() as seen:
    ...     note("sums", 3)
    >>> seen["sums"], seen["differences"]
    (3, 0)
    """
    seen = Counter[str]()
    before = _heard.set(seen)
    try:
        yield seen
    finally:
        _heard.reset(before)


def note(name: str, count: int) -> None:
    """Add to what is counted, if anything is."""
    seen = _heard.get()
    if seen is not None:
        seen[name] += count


def noted(reason: str, refused: Mask) -> Mask:
    """The same mask; what it refuses is counted under the reason."""
    if _heard.get() is not None:
        note(reason, int(np.count_nonzero(refused)))
    return refused
