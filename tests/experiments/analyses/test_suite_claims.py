"""Claims that join no wide study, from made-up records of it: pooled over sources and called exploratory."""

import pytest

from celm.analysis.suite_leads import Lead, scores_of, set_leads
from celm.render.markdown import markdown
from experiments.analyses.sentences_judged import written_claims
from experiments.analyses.suite_claims import SUITE_CLAIMS, WORDS, range_leads
from experiments.analyses.suite_judged import sets_of
from tests.experiments.analyses.test_wide_study import records


@pytest.fixture(scope="module")
def rows():
    """Normalized ELM two points below ELM, the linear SVM one above, CELMs alike but for one, three points lower."""
    return records("suite", (("cdelm", -0.019),))


@pytest.fixture(scope="module")
def found(rows):
    return SUITE_CLAIMS.find({"suite": rows})


def test_every_claim_is_pooled_over_sources_and_held_against_its_margin(found):
    fresh = {part.claim: part for part in found if part.sets == "tables, fresh"}
    assert [part.claim for part in found if part.sets == "all"] == list(WORDS)
    assert fresh["normalisation_helps_elm"].pooled.effect == pytest.approx(-0.02, abs=0.002)
    assert fresh["normalisation_helps_elm"].verdict == "fails"
    assert fresh["constrained_weights_help_beyond_normalisation"].verdict == "holds"
    assert fresh["elm_beats_linear_svm"].verdict == "fails"
    assert fresh["elm_beats_linear_svm"].above == 0
    assert fresh["celms_differ_little_uci"].verdict == "fails"
    assert all(part.pooled.predicted_low < part.pooled.low for part in fresh.values())


def test_a_range_is_that_of_the_best_and_the_worst_of_each_set(rows):
    scores = scores_of(rows, sets_of("classification"), "accuracy")
    models = ("cdelm", "selm", "cselm")
    pairs = {
        one.dataset: max(
            (found for found in set_leads_of(scores, models, one.dataset)), key=lambda found: found.rounds.mean()
        )
        for one in range_leads(scores, models)
    }
    assert len(pairs) > 20
    for one in range_leads(scores, models):
        assert one.rounds.mean() == pytest.approx(pairs[one.dataset].rounds.mean())


def set_leads_of(scores, models, dataset):
    pairs = [(a, b) for a in models for b in models if a != b]
    few = scores._replace(sets=scores.sets[scores.sets["dataset"] == dataset])
    return [one for a, b in pairs for one in set_leads(few, Lead("x", (a,), (b,)))]


def test_it_is_called_exploratory_and_touches_no_claim(found):
    text = markdown(SUITE_CLAIMS.document(found))
    assert "\nExploratory: " in text
    assert all(f"`{name}`" in text for name in WORDS)
    assert not any(claim.joins for claim in written_claims() if claim.id in WORDS)
    assert len(SUITE_CLAIMS.numbers(found)) == len(found)
