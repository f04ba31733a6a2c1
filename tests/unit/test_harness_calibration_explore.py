"""Sweep and comparison: every point and every change of band, by one trial at a time."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from trial_strategies import trial_lists
from trial_support import GENUINE, IMPOSTOR, UNSCOREABLE, document, gates, many, naive_tally, trial
from voxint_contracts.attribution.v1 import Trial
from voxint_contracts.calibration.v1 import Band, StratumName

from voxint.errors import RecordError
from voxint.harness.calibration_explore import check_independence, compare, sweep
from voxint.semantics import RULES
from voxint.speakers.policy import BASE_GATES, band_for


def test_the_sweep_has_99_points_in_three_strata() -> None:
    found = sweep(trials=document([trial(GENUINE, "ann"), trial(IMPOSTOR, "bob", roster_size=1)]))
    assert [stratum.name for stratum in found.strata] == list(StratumName)
    assert [len(stratum.points) for stratum in found.strata] == [99, 99, 99]
    first = found.strata[0].points[0]
    assert (first.cosine, first.margin) == (0.55, 0.02)
    totals = [stratum.points[0].tally.n_scoreable for stratum in found.strata]
    assert totals == [2, 1, 1]
    assert found.base_gates == BASE_GATES


@settings(max_examples=15, deadline=None)
@given(trial_lists())
def test_a_point_of_the_sweep_is_its_gates(trials: list[Trial]) -> None:
    found = sweep(trials=document(trials))
    assert list(RULES["tallies_add_up"](found)) == []
    for point in found.strata[0].points[::7]:
        naive = naive_tally(trials, gates(grounded_min_cosine=point.cosine, grounded_min_margin=point.margin))
        assert {name: value for name, value in point.tally if isinstance(value, int)} == naive


@settings(max_examples=30, deadline=None)
@given(trial_lists())
def test_every_change_of_band_is_listed(trials: list[Trial]) -> None:
    strict = gates(grounded_min_cosine=0.8, min_cosine=0.66)
    found = compare(trials=document(trials), after=strict)
    assert list(RULES["changes_change"](found)) == []
    expected = sorted(
        (each.label, before, after)
        for each in trials
        for before, after in [(band_for(each).band, band_for(each, strict).band)]
        if before != after
    )
    assert sorted((each.label, each.before, each.after) for each in found.changes) == expected


def test_changes_are_sorted_and_hold_unscoreable_slots() -> None:
    trials = [
        trial(UNSCOREABLE, "slot", 3, similarity=0.72, meeting_id="m2"),
        trial(GENUINE, "ann", 2, similarity=0.72, meeting_id="m1"),
        trial(IMPOSTOR, "bob", 1, similarity=0.72, meeting_id="m1", run_id=None),
        trial(IMPOSTOR, "bob", 0, similarity=0.95, meeting_id="m0"),
    ]
    found = compare(trials=document(trials), after=gates(grounded_min_cosine=0.8))
    assert [(each.meeting_id, each.label, each.detail.value) for each in found.changes] == [
        ("m1", "SPK_01", "impostor_open"),
        ("m1", "SPK_02", "genuine"),
        ("m2", "SPK_03", "unscoreable"),
    ]
    assert {(each.before, each.after) for each in found.changes} == {(Band.AUTO_ATTRIBUTE, Band.REVIEW)}
    assert (found.before.auto_wrong, found.after.auto_wrong) == (2, 1)


def test_both_sets_of_gates_may_be_given() -> None:
    trials = document([trial(GENUINE, "ann", similarity=0.72)])
    loose, strict = gates(grounded_min_cosine=0.5), gates(grounded_min_cosine=0.8)
    found = compare(trials=trials, before=strict, after=loose)
    assert (found.before_gates, found.after_gates) == (strict, loose)
    assert [(each.before, each.after) for each in found.changes] == [(Band.REVIEW, Band.AUTO_ATTRIBUTE)]


def test_a_trial_that_stands_twice_is_refused() -> None:
    twice = document([trial(GENUINE, "ann"), trial(GENUINE, "ann")])
    for call in (lambda: sweep(trials=twice), lambda: compare(trials=twice, after=BASE_GATES)):
        with pytest.raises(RecordError, match="stands twice"):
            call()


@pytest.mark.parametrize(("n", "sufficient"), [(49, False), (50, True)])
def test_independence_counts_speakers_not_trials(n: int, sufficient: bool) -> None:
    found = check_independence(
        many(IMPOSTOR, "i", n, 3 * n) + many(GENUINE, "g", 4, 9) + many(UNSCOREABLE, "u", 60, 60)
    )
    assert (found.n_impostor_clusters, found.n_genuine_clusters) == (n, 4)
    assert (found.min_impostor_clusters, found.sufficient) == (50, sufficient)
