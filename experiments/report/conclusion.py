"""The one sentence that page, README, documentation and article answer with."""

from __future__ import annotations


def conclusion(numbers: tuple[int, int], sentences: tuple[int, int]) -> str:
    """Numbers and sentences in one sentence: what holds of all that the intervals decide.

    Parameters
    ----------
    numbers, sentences : tuple of int
        How many agree or hold, and how many do not; what is open counts for neither.

    Returns
    -------
    str
        The sentence; empty if nothing is decided of one of the two.
    """
    decided = sum(numbers), sum(sentences)
    if not all(decided):
        return ""
    mostly = [2 * held > all_ for (held, _), all_ in zip((numbers, sentences), decided, strict=True)]
    word = "In large part" if all(mostly) else "In part" if any(mostly) else "In small part"
    return (
        f"{word}: of what the records decide, {numbers[0]} of {decided[0]} numbers agree within the margin and "
        f"{sentences[0]} of {decided[1]} sentences hold."
    )
