"""A grid of gates in one pass, against one pass per point and by hand."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint
from trial_strategies import trial_lists
from trial_support import GENUINE, IMPOSTOR, UNSCOREABLE, gates, naive_tally, trial
from voxint_contracts.attribution.v1 import Trial
from voxint_contracts.calibration.v1 import StratumName, Tally

from voxint.harness.trial_columns import columns_of
from voxint.harness.trial_tallies import grid_counts, tally_of
from voxint.speakers.policy import BASE_GATES

COSINES, MARGINS = [0.55, 0.6, 0.7, 0.9], [0.02, 0.05, 0.08, 0.2]
STRATA = {
    StratumName.ALL: lambda _: True,
    StratumName.ROSTER_1: lambda each: each.roster_size == 1,
    StratumName.ROSTER_2_PLUS: lambda each: (each.roster_size or 0) >= 2,
}


def counts(tally: Tally) -> dict[str, int]:
    return {name: value for name, value in tally if isinstance(value, int)}


@settings(max_examples=60, deadline=None)
@given(trial_lists())
def test_every_point_of_every_stratum_is_that_of_one_pass_per_point(trials: list[Trial]) -> None:
    grid = grid_counts(columns_of(trials), BASE_GATES, COSINES, MARGINS)
    assert list(grid) == list(STRATA)
    for name, holds in STRATA.items():
        inside = [each for each in trials if holds(each)]
        for i, cosine in enumerate(COSINES):
            for j, margin in enumerate(MARGINS):
                chosen = gates(grounded_min_cosine=cosine, grounded_min_margin=margin)
                assert counts(grid[name].tally(i, j)) == naive_tally(inside, chosen)


@settings(deadline=None)
@given(trial_lists(), st.randoms())
def test_the_order_of_the_trials_does_not_matter(trials: list[Trial], draw: random.Random) -> None:
    shuffled = draw.sample(trials, len(trials))
    assert tally_of(columns_of(shuffled), BASE_GATES) == tally_of(columns_of(trials), BASE_GATES)


@settings(deadline=None)
@given(trial_lists())
def test_stricter_gates_show_no_more(trials: list[Trial]) -> None:
    grid = grid_counts(columns_of(trials), BASE_GATES, COSINES, MARGINS)[StratumName.ALL]
    for table in (grid.auto_correct, grid.auto_wrong, grid.clusters_covered, grid.clusters_wrong):
        assert (table[1:] <= table[:-1]).all()
        assert (table[:, 1:] <= table[:, :-1]).all()


def test_by_hand() -> None:
    """Two genuine speakers, one of them never shown; three impostors, one shown twice; one slot without truth."""
    trials = [
        trial(GENUINE, "ann", 0),
        trial(GENUINE, "ann", 1, similarity=0.65),
        trial(GENUINE, "bob", 0, similarity=0.3),
        trial(IMPOSTOR, "cid", 0),
        trial(IMPOSTOR, "cid", 1),
        trial(IMPOSTOR, "dan", 0, similarity=0.65),
        trial(IMPOSTOR, "eve", 0, margin=None),
        trial(UNSCOREABLE, "slot", 0),
    ]
    tally = tally_of(columns_of(trials), BASE_GATES)
    assert counts(tally) == {
        "n_scoreable": 7,
        "n_genuine_trials": 3,
        "n_impostor_trials": 4,
        "n_genuine_clusters": 2,
        "n_impostor_clusters": 3,
        "auto_correct": 1,
        "auto_wrong": 2,
        "review": 2,
        "abstain": 2,
        "impostor_clusters_wrong": 1,
        "genuine_clusters_covered": 1,
    }
    assert (tally.far, tally.frr, tally.coverage, tally.genuine_cluster_coverage) == (0.5, 2 / 3, 3 / 7, 0.5)


def test_bounds_are_those_of_statsmodels() -> None:
    trials = [trial(IMPOSTOR, str(each), similarity=0.9 if each < 3 else 0.1) for each in range(40)]
    trials += [trial(GENUINE, "g", each, similarity=0.9 if each else 0.1) for each in range(5)]
    tally = tally_of(columns_of(trials), BASE_GATES)

    def close(found: list[float], errors: int, n: int, method: str, alpha: float = 0.05) -> bool:
        expected = proportion_confint(errors, n, alpha=alpha, method=method)
        return all(abs(a - float(b)) < 1e-12 for a, b in zip(found, expected, strict=True))

    assert close(tally.far_ci, 3, 40, "wilson")
    assert close(tally.far_exact_ci, 3, 40, "beta")
    assert close(tally.frr_ci, 1, 5, "wilson")
    assert close(tally.frr_exact_ci, 1, 5, "beta")
    one_sided = [float(proportion_confint(3, 40, alpha=0.1, method=method)[1]) for method in ("wilson", "beta")]
    assert abs(tally.far_upper_one_sided - one_sided[0]) < 1e-12
    assert abs(tally.far_exact_upper_one_sided - one_sided[1]) < 1e-12


def test_nothing_known_is_nothing_promised() -> None:
    tally = tally_of(columns_of([]), BASE_GATES)
    assert set(counts(tally).values()) == {0}
    assert (tally.far, tally.far_upper_one_sided, tally.far_exact_upper_one_sided) == (0.0, 1.0, 1.0)
    assert tally.far_ci == tally.frr_exact_ci == [0.0, 1.0]
