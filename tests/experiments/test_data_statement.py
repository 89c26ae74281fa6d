"""The page on the data names every set, its citation and its digest, and is the one that the table gives today."""

from celm.datasets import declared_digest
from celm.datasets.suite import LEFT_OUT, suite_table
from experiments.data_statement import FROM_MEMORY, TARGET, statement


def test_the_page_is_what_the_table_gives():
    assert TARGET.read_text(encoding="utf-8") == statement()


def test_every_set_has_its_citation_and_its_digest_on_the_page():
    page = statement()
    for row in suite_table():
        assert row.name in page
        if row.task != LEFT_OUT:
            assert row.citation in page
            assert f"`{declared_digest(row.name)}`" in page
        assert row.drop_reason in page


def test_citations_from_memory_are_marked_and_are_of_sets_that_exist():
    assert set(FROM_MEMORY) <= {row.name for row in suite_table() if row.task != LEFT_OUT}
    assert statement().count(" † |") == len(FROM_MEMORY)
