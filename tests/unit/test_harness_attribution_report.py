"""Reports: the date, the spread, the scores in bins, the curve, and trials that are not the run's."""

from __future__ import annotations

import pytest
from trial_support import GENUINE, IMPOSTOR, UNSCOREABLE, WEAK, document, gates, many, trial
from voxint_contracts.attribution import v1 as contract

from voxint.errors import RecordError, UsageError
from voxint.harness.attribution_metrics import score
from voxint.harness.attribution_report import report
from voxint.harness.calibration import compare

TRIALS = document(
    [
        *many(IMPOSTOR, "i", 20, 30, **WEAK),
        *many(GENUINE, "g", 3, 9),
        trial(IMPOSTOR, "i0", 9, similarity=0.72, detail="impostor_closed"),
        trial(UNSCOREABLE, "slot", similarity=None),
    ]
)
METRICS = score(trials=TRIALS)
STRICT = score(trials=TRIALS, gates=gates(grounded_min_cosine=0.95))
DATE = "2026-09-05"


def test_one_run_has_no_spread_and_without_trials_no_scores() -> None:
    found = report(run=[METRICS], date=DATE)
    assert (found.date, found.spread, len(found.runs)) == (DATE, [], 1)
    assert (found.runs[0].label, found.runs[0].metrics) == ("A", METRICS)
    assert (found.runs[0].distributions, found.runs[0].curve) == ([], [])
    said = " ".join(found.limits)
    for word in ("close-talk", "not a certification", "Intervals describe", "noise floor"):
        assert word in said


def test_the_spread_is_the_largest_minus_the_smallest() -> None:
    found = report(run=[STRICT, METRICS, METRICS], date=DATE)
    spread = {each.metric: (each.lowest, each.highest, each.spread) for each in found.spread}
    assert spread["far"] == (0.0, METRICS.far, METRICS.far)
    assert spread["frr"] == (0.0, 1.0, 1.0)
    assert spread["coverage"] == (0.0, METRICS.coverage, METRICS.coverage)
    assert [run.label for run in found.runs] == ["A", "B", "C"]


def test_runs_beyond_z_have_two_letters() -> None:
    labels = [run.label for run in report(run=[METRICS] * 29, date=DATE).runs]
    assert labels[25:] == ["Z", "AA", "AB", "AC"]
    assert len(set(labels)) == 29


def test_scores_are_counted_in_bins_that_hold_their_lower_edge() -> None:
    edges = [-1.0, -0.95, 0.0, 0.049, 0.05, 0.7, 0.95, 1.0]
    trials = document([trial(GENUINE, "g", n, similarity=value) for n, value in enumerate([*edges, None])])
    (run,) = report(run=[score(trials=trials)], date=DATE, trials=[trials]).runs
    (found,) = run.distributions
    assert (found.detail, found.n_trials, found.n_without_score) == (contract.TrialDetail.GENUINE, 9, 1)
    filled = {place: count for place, count in enumerate(found.bin_counts) if count}
    assert filled == {0: 1, 1: 1, 20: 2, 21: 1, 34: 1, 39: 2}


def test_details_come_in_the_order_of_the_contract() -> None:
    (run,) = report(run=[METRICS], date=DATE, trials=[TRIALS]).runs
    assert [each.detail for each in run.distributions] == list(contract.TrialDetail)
    assert [each.n_trials for each in run.distributions] == [9, 1, 30, 1]


def test_a_point_of_the_curve_is_its_gates() -> None:
    (run,) = report(run=[METRICS], date=DATE, trials=[TRIALS]).runs
    assert [point.cosine for point in run.curve[:2]] == [0.0, 0.02]
    assert len(run.curve) == 51
    for point in run.curve[::10]:
        tally = compare(trials=TRIALS, after=gates(grounded_min_cosine=point.cosine)).after
        assert (point.far, point.coverage) == (tally.far, tally.coverage)
        assert point.far_upper_one_sided == tally.far_upper_one_sided
        assert point.far_exact_upper_one_sided == tally.far_exact_upper_one_sided
        assert point.genuine_cluster_coverage == tally.genuine_cluster_coverage


@pytest.mark.parametrize(
    "date", ["", "today", "2026-9-5", "2026-02-30", "2026-13-01", "2026-00-10", "0000-01-01", "20260905", "2026-09-05T"]
)
def test_what_is_no_day_is_refused(date: str) -> None:
    with pytest.raises(UsageError, match="--date: must be a day as YYYY-MM-DD"):
        report(run=[METRICS], date=date)


def test_a_leap_day_is_a_day() -> None:
    assert report(run=[METRICS], date="2028-02-29").date == "2028-02-29"


def test_each_run_needs_its_trials() -> None:
    with pytest.raises(UsageError, match="one file for each of the 2 runs"):
        report(run=[METRICS, METRICS], date=DATE, trials=[TRIALS])


def test_trials_of_another_run_are_named() -> None:
    other = document(TRIALS.trials[1:])
    with pytest.raises(RecordError) as caught:
        report(run=[METRICS, METRICS], date=DATE, trials=[TRIALS, other])
    (fault,) = caught.value.records
    assert (fault.parameter, fault.index) == ("trials", 1)
    assert fault.message.startswith("does not give the metrics of run B: n_trials, n_scoreable")
