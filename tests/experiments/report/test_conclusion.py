"""The one sentence of the answer: it counts what is decided, and nothing is said where nothing is."""

import pytest

from experiments.report.conclusion import conclusion


@pytest.mark.parametrize(
    ("numbers", "sentences", "word"),
    [((8, 2), (3, 1), "In large part"), ((8, 2), (3, 3), "In part"), ((8, 8), (3, 3), "In small part")],
)
def test_more_than_half_of_both_is_a_large_part(numbers, sentences, word):
    assert conclusion(numbers, sentences) == (
        f"{word}: of what the records decide, {numbers[0]} of {sum(numbers)} numbers agree within the margin and "
        f"{sentences[0]} of {sum(sentences)} sentences hold."
    )


def test_nothing_is_concluded_from_nothing():
    assert conclusion((0, 0), (3, 1)) == conclusion((3, 1), (0, 0)) == ""
