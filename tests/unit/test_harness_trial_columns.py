"""Trials as columns: the same bands as one trial at a time."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from trial_strategies import trial_lists
from trial_support import GENUINE, IMPOSTOR, UNSCOREABLE, gates, trial
from voxint_contracts.attribution.v1 import Trial, TrialDetail

from voxint.errors import RecordError
from voxint.harness.trial_columns import (
    ABSTAIN,
    AUTO,
    REVIEW,
    accepted,
    bands,
    check_distinct_trials,
    columns_of,
    detail_of,
)
from voxint.speakers.policy import BASE_GATES, Band, accept_failure, band_for

CODES = {Band.AUTO_ATTRIBUTE: AUTO, Band.REVIEW: REVIEW, Band.ABSTAIN: ABSTAIN}


@settings(deadline=None)
@given(trial_lists())
def test_bands_are_those_of_the_policy(trials: list[Trial]) -> None:
    columns = columns_of(trials)
    for chosen in (BASE_GATES, gates(grounded_min_cosine=0.55, grounded_min_margin=0.02), gates(min_cosine=0.8)):
        assert bands(columns, chosen).tolist() == [CODES[band_for(each, chosen).band] for each in trials]
        assert accepted(columns, chosen).tolist() == [accept_failure(each, chosen) is None for each in trials]


def test_no_trials_give_empty_columns() -> None:
    columns = columns_of([])
    assert columns.n_clusters == 0
    assert {len(values) for values in (columns.kinds, columns.clusters, columns.cosines, columns.votes)} == {0}
    assert bands(columns, BASE_GATES).tolist() == []


def test_speakers_are_numbered_and_rosters_sorted() -> None:
    columns = columns_of(
        [
            trial(GENUINE, "x", 0, roster_size=1),
            trial(IMPOSTOR, "y", 0, roster_size=2),
            trial(IMPOSTOR, "x", 1, roster_size=None),
            trial(IMPOSTOR, "x", 2, roster_size=400),
        ]
    )
    assert columns.clusters.tolist() == [0, 1, 0, 0]
    assert columns.n_clusters == 2
    assert columns.rosters.tolist() == [1, 2, 0, 2]


def test_a_frozen_impostor_without_detail_is_a_closed_one() -> None:
    assert detail_of(trial(IMPOSTOR, "x", detail=None)) == TrialDetail.IMPOSTOR_CLOSED
    assert detail_of(trial(IMPOSTOR, "x")) == TrialDetail.IMPOSTOR_OPEN
    assert detail_of(trial(GENUINE, "x", detail=None)) == TrialDetail.GENUINE
    assert detail_of(trial(UNSCOREABLE, "x", detail=None)) == TrialDetail.UNSCOREABLE


def test_a_trial_that_stands_twice_is_named() -> None:
    once = [trial(GENUINE, "x", 0), trial(GENUINE, "x", 1), trial(GENUINE, "x", 0, run_id="another run")]
    check_distinct_trials(once)
    with pytest.raises(RecordError) as caught:
        check_distinct_trials([*once, once[1]])
    (fault,) = caught.value.records
    assert fault.path == ("trials", 3, "label")
    assert fault.message == 'stands twice: "SPK_01" of "dev-x" is trials[1] too'
