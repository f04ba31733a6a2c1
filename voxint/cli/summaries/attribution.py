"""Attribution in words: one run's metrics, and the dated report of several."""

from __future__ import annotations

from collections.abc import Sequence

from voxint_contracts.attribution import v1 as contract

from voxint.cli.summaries import Grid, Summary

_RATES = {
    "far_by_trial": "FAR by trial",
    "far_by_cluster": "FAR by speaker",
    "frr_by_trial": "FRR by trial",
    "frr_by_cluster": "FRR by speaker",
}

Runs = Sequence[tuple[str, contract.AttributionMetrics]]


def metrics_summary(metrics: contract.AttributionMetrics) -> Summary:
    """Counts by band, the rates with both kinds of bounds, what was left out, and the gates."""
    title = (
        f"Attribution: {metrics.n_scoreable} of {metrics.n_trials} trials scoreable, "
        f"{metrics.n_auto_wrong} wrongly shown, coverage {metrics.coverage:.2%}"
    )
    runs = [("trials", metrics)]
    return Summary(title, (_bands(runs), _rates("", metrics), _attrition(runs), _gates(runs)))


def report_summary(report: contract.AttributionReport) -> Summary:
    """Every run's numbers side by side, the spread, the rates of each run, and the limits."""
    runs = [(run.label, run.metrics) for run in report.runs]
    what = "one run" if len(runs) == 1 else f"{len(runs)} runs"
    blocks: list[Grid | str] = [_corpora(runs), _bands(runs)]
    blocks += [_rates(f"Rates of run {label}", metrics) for label, metrics in runs]
    if report.spread:
        blocks.append(_spread(report.spread))
    blocks += [_attrition(runs), _gates(runs), "What these numbers do not show:", *report.limits]
    return Summary(f"Attribution report, {report.date}: {what}", tuple(blocks))


def _corpora(runs: Runs) -> Grid:
    rows = tuple(
        (label, about.corpus if about else "not stated", about.truth_source if about else "not stated")
        for label, metrics in runs
        for about in [metrics.protocol_summary]
    )
    return Grid("Runs", ("run", "corpus", "truth"), rows, n_text=3)


def _bands(runs: Runs) -> Grid:
    lines = {
        "genuine trials": "n_genuine_trials",
        "impostor trials": "n_impostor_trials",
        "of speakers on the roster": "n_impostor_closed_trials",
        "of speakers not on it": "n_impostor_open_trials",
        "genuine speakers": "n_genuine_clusters",
        "impostor speakers": "n_impostor_clusters",
        "rightly shown": "n_auto_correct",
        "wrongly shown": "n_auto_wrong",
        "left to review": "n_review",
        "abstained": "n_abstain",
        "unscoreable": "n_unscoreable",
    }
    rows = [(words, *(str(getattr(metrics, name)) for _, metrics in runs)) for words, name in lines.items()]
    rows.append(("coverage", *(f"{metrics.coverage:.4f}" for _, metrics in runs)))
    rows.append(("genuine speakers covered", *(f"{metrics.genuine_cluster_coverage:.4f}" for _, metrics in runs)))
    return Grid("Trials and what is shown of them", ("", *(label for label, _ in runs)), tuple(rows))


def _rates(title: str, metrics: contract.AttributionMetrics) -> Grid:
    columns = ("", "errors", "rate", "95 % Wilson", "95 % exact", "bound, Wilson", "bound, exact")
    rows = tuple((words, *_bounds(getattr(metrics, name))) for name, words in _RATES.items())
    return Grid(title or "Rates and bounds", columns, rows)


def _bounds(rate: contract.RateBounds) -> tuple[str, ...]:
    return (
        f"{rate.errors} of {rate.cases}",
        f"{rate.rate:.4f}",
        interval(rate.ci95),
        interval(rate.exact_ci95),
        f"{rate.upper_one_sided:.4f}",
        f"{rate.exact_upper_one_sided:.4f}",
    )


def interval(ends: Sequence[float]) -> str:
    """Both ends of an interval, to four digits."""
    return f"{ends[0]:.4f} to {ends[1]:.4f}"


def _spread(spread: Sequence[contract.MetricSpread]) -> Grid:
    rows = tuple((each.metric, f"{each.lowest:.4f}", f"{each.highest:.4f}", f"{each.spread:.4f}") for each in spread)
    return Grid("Noise floor: spread between the runs", ("metric", "lowest", "highest", "spread"), rows)


def _attrition(runs: Runs) -> Grid:
    names = [name for name, _ in runs[0][1].alignment_attrition]
    rows = tuple((name, *(str(getattr(each.alignment_attrition, name)) for _, each in runs)) for name in names)
    return Grid("Slots by class of the alignment", ("class", *(label for label, _ in runs)), rows)


def _gates(runs: Runs) -> Grid:
    names = [name for name, _ in runs[0][1].gates if name != "schema_version"]
    rows = tuple((name, *(f"{getattr(metrics.gates, name):g}" for _, metrics in runs)) for name in names)
    return Grid("Gates in force", ("gate", *(label for label, _ in runs)), rows)
