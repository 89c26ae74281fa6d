"""The words of verdicts, each written once: on a published number, and on a sentence of a paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

REPRODUCED, NOT_RUN = "reproduced", "not run"
# Of a number.
EXPLAINED, UNEXPLAINED = "explained", "unexplained"
# The word of a cell that the paper does not have.
OURS_ALONE = "ours alone"
# Of a sentence, on these data or beyond them: where the interval of its pooled effect lies. Vacuous: what it speaks of
# changed nothing at all, so that nothing could speak against it.
HOLDS, FAILS, OPEN, VACUOUS = "holds", "fails", "open", "vacuous"

CELL_VERDICTS = (REPRODUCED, EXPLAINED, UNEXPLAINED, NOT_RUN)
CLAIM_VERDICTS = (HOLDS, FAILS, OPEN, VACUOUS, NOT_RUN)


def counted(verdicts: Iterable[str], words: Iterable[str]) -> dict[str, int]:
    """Every word and how often it was given."""
    counts = Counter(verdicts)
    return {word: counts[word] for word in words}
