"""Runs of attribution side by side: their spread, their scores, and what none of it shows."""

from __future__ import annotations

import calendar
from collections.abc import Sequence
from typing import TYPE_CHECKING

from voxint_contracts.attribution import v1 as contract

from voxint.errors import RecordError, RecordFault, UsageError, quoted
from voxint.harness.attribution_metrics import aggregate_trials
from voxint.harness.trial_columns import columns_of, detail_of
from voxint.harness.trial_tallies import grid_counts

if TYPE_CHECKING:
    from voxint.harness.trial_tallies import GridCounts

LIMITS = (
    "One corpus, close-talk or mixed headset at best: far-field rooms, other languages and channels are not shown.",
    "This is a baseline, not a certification: gates are certified by voxint calibrate certify on trials held back.",
    "Intervals describe. They take cases as independent; trials of one speaker are not, so trust those by speaker.",
    "The spread between runs is a noise floor only where the runs repeat one another on the same trials.",
)

SPREAD_OVER = (
    "far",
    "far_upper_one_sided",
    "frr",
    "coverage",
    "genuine_cluster_coverage",
)

N_BINS = 40
CURVE_COSINES = tuple(step / 50 for step in range(51))
"""The grounded cosines of the curve, 0.00, 0.02 up to 1.00."""


def report(
    *,
    run: Sequence[contract.AttributionMetrics],
    date: str,
    trials: Sequence[contract.TrialsDocument] | None = None,
) -> contract.AttributionReport:
    """Puts one or more runs of attribution side by side, dated, with the limits of what they show.

    Several runs are compared by their spread, the largest minus the smallest value of a metric. With the trials of each
    run, in the same order, the report holds their score distributions and the rates over the grounded cosine as well:
    the plots of a page (--format html, which needs matplotlib). The first run is A, the second B.

    Args:
        run: Metrics that `voxint attribution score` wrote, one file a run.
        date: The day of the report, YYYY-MM-DD.
        trials: The trials of each run, in the order of the runs.

    Example:
        voxint attribution report --run a.json b.json --date 2026-09-05 --out report.md

    Raises:
        UsageError: The date is no day, or there are not as many files of trials as runs.
        RecordError: The trials of a run do not give its metrics.
    """
    _check_date(date)
    if trials is not None and len(trials) != len(run):
        raise UsageError(f"--trials: give one file for each of the {len(run)} runs, in their order, not {len(trials)}")
    return contract.AttributionReport(
        schema_version=1,
        kind="attribution_report",
        date=date,
        runs=[_run(place, metrics, trials[place] if trials else None) for place, metrics in enumerate(run)],
        spread=[_spread(name, run) for name in SPREAD_OVER] if len(run) > 1 else [],
        limits=list(LIMITS),
    )


def _check_date(date: str) -> None:
    parts = date.split("-")
    if [len(part) for part in parts] == [4, 2, 2] and all(part.isascii() and part.isdigit() for part in parts):
        year, month, day = map(int, parts)
        if year and 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]:
            return
    raise UsageError(f"--date: must be a day as YYYY-MM-DD, not {quoted(date)}")


def _letters(place: int) -> str:
    """A to Z, then AA, AB and so on."""
    return (_letters(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)


def _run(
    place: int, metrics: contract.AttributionMetrics, document: contract.TrialsDocument | None
) -> contract.RunReport:
    if document is None:
        return contract.RunReport(label=_letters(place), metrics=metrics, distributions=[], curve=[])
    _check_same(place, metrics, document)
    return contract.RunReport(
        label=_letters(place),
        metrics=metrics,
        distributions=_distributions(document.trials),
        curve=_curve(metrics, document),
    )


def _check_same(place: int, metrics: contract.AttributionMetrics, document: contract.TrialsDocument) -> None:
    """RecordError unless the trials give the metrics: plots of other trials would lie beside the numbers."""
    found = aggregate_trials(document.trials, metrics.gates)
    about = {"protocol_summary", "environment"}
    unlike = [name for name, value in found if name not in about and getattr(metrics, name) != value]
    if unlike:
        message = f"does not give the metrics of run {_letters(place)}: {', '.join(unlike[:5])} would differ"
        raise RecordError([RecordFault("trials", place, message)])


def _spread(name: str, runs: Sequence[contract.AttributionMetrics]) -> contract.MetricSpread:
    values = [getattr(metrics, name) for metrics in runs]
    low, high = min(values), max(values)
    return contract.MetricSpread(metric=name, lowest=low, highest=high, spread=high - low)


def _distributions(trials: Sequence[contract.Trial]) -> list[contract.ScoreDistribution]:
    """The scores of each detail that occurs, in the order of the contract."""
    scores: dict[contract.TrialDetail, list[float | None]] = {}
    for trial in trials:
        scores.setdefault(detail_of(trial), []).append(trial.similarity)
    return [_distribution(detail, scores[detail]) for detail in contract.TrialDetail if detail in scores]


def _distribution(detail: contract.TrialDetail, scores: Sequence[float | None]) -> contract.ScoreDistribution:
    import numpy as np

    known = [score for score in scores if score is not None]
    edges = np.array([(step - 20) / 20 for step in range(1, N_BINS)])
    bins = np.bincount(np.searchsorted(edges, known, side="right"), minlength=N_BINS)
    return contract.ScoreDistribution(
        detail=detail, n_trials=len(scores), n_without_score=len(scores) - len(known), bin_counts=bins.tolist()
    )


def _curve(metrics: contract.AttributionMetrics, document: contract.TrialsDocument) -> list[contract.CurvePoint]:
    columns = columns_of(document.trials)
    grid = grid_counts(columns, metrics.gates, CURVE_COSINES, [metrics.gates.grounded_min_margin])
    counts = next(iter(grid.values()))
    return [_curve_point(counts, place, cosine) for place, cosine in enumerate(CURVE_COSINES)]


def _curve_point(counts: GridCounts, place: int, cosine: float) -> contract.CurvePoint:
    tally = counts.tally(place, 0)
    return contract.CurvePoint(
        cosine=cosine,
        far=tally.far,
        far_upper_one_sided=tally.far_upper_one_sided,
        far_exact_upper_one_sided=tally.far_exact_upper_one_sided,
        coverage=tally.coverage,
        genuine_cluster_coverage=tally.genuine_cluster_coverage,
    )
