"""Does the method find the protocol that wrote a paper, and say so when none did?"""

import numpy as np
import pytest

from celm.analysis.protocols import calibrated, document, identify, protocol_findings, trial
from celm.analysis.protocols.identification import LEVEL, SEED, cutoffs_of, joint_quantiles, kept, ranks
from celm.analysis.protocols.measures import cells_inside, chance_inside, distances, lead_of_celms
from celm.analysis.protocols.simulation import Writer


@pytest.mark.parametrize("correlation", ["ours", "none"])
def test_papers_of_a_listed_protocol_keep_it_and_random_ones_fit_none(world, correlation):
    # Cutoffs from papers of one half of the rounds, checked on papers of the other half, and the other way round:
    # variances of the two differ by an eighth, so that one way is about as strict as the other is lenient.
    trials = [
        trial(world, calibrated(world, correlation=correlation, half=half), 200, correlation=correlation, half=1 - half)
        for half in (0, 1)
    ]
    assert 0.90 <= np.mean([found.listed_held for found in trials]) <= 0.98
    for found in trials:
        assert found.listed_share <= 1 / 3
        assert found.random_none >= 0.9
        assert found.removed_none > found.listed_none


@pytest.mark.parametrize("correlation", ["ours", "none"])
@pytest.mark.parametrize("papers", [200, 137])
def test_a_protocol_is_kept_in_95_percent_of_the_papers_that_calibrate_it(world, correlation, papers):
    # Half of 5 % for each cutoff kept a protocol in more of them wherever papers failed both at once.
    writer, calibration = Writer(world, correlation), {}

    def written(truth, papers, rng, random):
        calibration[truth] = writer.papers(truth, papers, rng)
        return calibration[truth]

    cutoffs = cutoffs_of(world.protocols, written, papers, SEED, correlation)
    held = [kept(found, cutoffs)[:, truth].sum() for truth, found in calibration.items()]
    # One rank more lets in one paper by each cutoff, so 95 % is passed by one paper at most.
    fewest = int(np.ceil(LEVEL * papers))
    assert set(held) <= {fewest, fewest + 1}
    assert fewest in held


def test_joint_quantiles_are_the_lowest_common_rank_that_a_loop_finds():
    rng = np.random.default_rng(3)
    values = rng.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], 200).T
    values[0] = np.maximum(values[0], 0.0)
    ordered = np.sort(values, axis=1)
    passing = [np.all(values <= ordered[:, [rank]], axis=0).mean() for rank in range(200)]
    lowest = next(rank for rank, share in enumerate(passing) if share >= 0.95)
    assert joint_quantiles(values, 0.95).tolist() == ordered[:, lowest].tolist()
    assert 0.95 <= passing[lowest] <= 0.96
    # Measures that fail together need no room for one another, those that never do need half each.
    together = np.arange(100.0)
    assert joint_quantiles(np.stack([together, together]), 0.95).tolist() == [94.0, 94.0]
    assert joint_quantiles(np.stack([together, together[::-1]]), 0.9).tolist() == [94.0, 94.0]


@pytest.mark.parametrize("behind", [0, 3, 40])
def test_papers_whose_protocol_is_the_best_pass_the_distance_at_any_rank(behind):
    """``behind`` of 100 papers have another protocol before their own; their fit is no worse than others'."""
    distance = np.r_[np.zeros(100 - behind), np.arange(1.0, behind + 1)]
    fit = np.r_[np.arange(behind, 100.0), np.arange(behind)]
    farthest, worst = joint_quantiles(np.stack([distance, fit]), 0.95)
    passed = (distance <= farthest) & (fit <= worst)
    assert passed.sum() in (95, 96)
    assert (passed == (fit <= worst))[distance == 0].all()
    if not behind:
        assert (farthest, worst) == (0.0, 94.0)


def test_protocols_that_hardly_differ_are_not_told_apart_and_the_true_one_is_among_them(make_world, paper_of):
    alike = make_world(distance=0.0005, seed=4)
    cutoffs = calibrated(alike, 100)
    found = identify(paper_of(alike, 5), cutoffs)
    assert "protocol5" in found.indistinguishable
    assert len(found.indistinguishable) > 6


def test_ten_rounds_are_enough_to_run_and_not_enough_to_tell_much(make_world):
    few = make_world(rounds=10, distance=0.002, seed=5)
    found = trial(few, calibrated(few, 100), 120)
    assert found.listed_held >= 0.88
    assert found.random_none >= 0.9
    many = make_world(rounds=100, distance=0.002, seed=5)
    assert trial(many, calibrated(many, 100), 120).listed_share <= found.listed_share


def test_the_protocol_that_wrote_the_paper_is_named(world, paper_of):
    findings = protocol_findings(paper_of(world, 7))
    ours = findings.identified["ours"]
    assert ours.most_probable == ours.nearest == "protocol7" == findings.fits[0].name
    assert ours.fails_on == ()
    assert findings.fits[0].kept
    assert findings.identified["none"].nearest == "protocol7"
    told = document(findings)
    assert told["most_probable"] == "protocol7"
    assert len(told["protocols"]) == 12
    assert {"name", "bias", "rms", "gap", "inside", "log_likelihood", "chance"} <= told["protocols"][0].keys()


def test_when_one_set_spoils_the_paper_none_fits_and_the_nearest_says_where(world, paper_of):
    paper = paper_of(world, 7)
    spoiled = paper.sets[2]._replace(published=paper.sets[2].published - 0.02 * np.array([1, -1, 1, 1, -1, 1, -1]))
    panel = paper._replace(sets=(*paper.sets[:2], spoiled, paper.sets[3]))
    findings = protocol_findings(panel)
    ours = findings.identified["ours"]
    assert ours.most_probable is None
    assert ours.indistinguishable == ()
    assert ours.nearest == "protocol7"
    assert ours.fails_on == ("set2",)
    nearest = findings.fits[0]
    assert nearest.ranks_without["set2"] == 1
    assert [nearest.ranks[name] for name in ("set0", "set1", "set3")] == [1, 1, 1]


def test_bias_rms_gap_and_cells_inside_are_what_a_loop_counts(world, paper_of):
    panel = paper_of(world, 7)
    away, inside = distances(panel), cells_inside(panel)
    for p in (0, 7):
        differences, gaps, count = [], [], 0
        for one in panel.sets:
            rounds = one.accuracy[p]
            mean, spread = rounds.mean(axis=0), rounds.std(axis=0, ddof=1)
            differences += list(mean - one.published)
            gaps.append(mean[2:].mean() - mean[0])
            width = 2.00099538 * spread * np.sqrt(1 / 60 + 1 / 10) + 0.0005  # t of 59 degrees of freedom
            count += int((np.abs(mean - one.published) <= width).sum())
        assert away.bias[p] == pytest.approx(np.mean(differences))
        assert away.rms[p] == pytest.approx(np.sqrt(np.mean(np.square(differences))))
        assert away.gap[p] == pytest.approx(np.mean(gaps))
        assert inside[p] == count
    assert inside[7] >= 24
    assert away.rms.argmin() == 7


def test_chance_reaches_the_share_that_the_intervals_cover(world):
    expected = chance_inside(world).mean(axis=0) / world.cells
    widths = [2.00099538 * one.accuracy[0].std(axis=0, ddof=1) * np.sqrt(7 / 60) + 0.0005 for one in world.sets]
    assert expected[0] == pytest.approx(np.mean(np.concatenate(widths)) / 0.03, abs=0.01)


def test_ranks_per_set_and_over_the_others():
    single, others = ranks(np.array([[0.0, -1.0, -9.0], [-1.0, 0.0, 0.0]]))
    assert single.tolist() == [[1, 2, 2], [2, 1, 1]]
    assert others.tolist() == [[2, 2, 1], [1, 1, 2]]


def test_the_lead_needs_elm_and_a_celm():
    assert lead_of_celms(
        np.array([0.8, 0.7, 0.9, 0.9, 0.9, 0.9, 0.9]),
        ("elm", "orthogonal_elm", "cdelm", "cselm", "selm", "rselm", "cmelm"),
    ) == pytest.approx(0.1)
    with pytest.raises(ValueError, match="got elm, bp"):
        lead_of_celms(np.zeros(2), ("elm", "bp"))
