"""The name-accuracy report in words and small tables."""

from __future__ import annotations

from voxint_contracts.name_accuracy import v1 as contract

from voxint.cli.summaries import Grid, Summary


def summary(report: contract.NameAccuracyReport) -> Summary:
    """Counts, rates plain and weighted, accuracy with its interval, the confidence curve and the paired result."""
    excluded = report.aggregate.excluded
    title = (
        f"Name accuracy: {_n(report.n_items, 'item')}, {_n(report.n_slots_scored, 'slot')} scored, {excluded} excluded"
    )
    blocks: list[Grid | str] = [_counts(report.aggregate), _rates(report.aggregate), _accuracy(report)]
    if report.risk_coverage is not None:
        blocks.append(_confidence(report.risk_coverage))
    if report.paired is not None:
        blocks.append(_paired(report.paired))
    return Summary(title, tuple(blocks))


def _n(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _counts(counts: contract.NameAggregate) -> Grid:
    rows = (
        ("a person, who should be named", str(counts.tp), str(counts.fp_wrong), str(counts.fn)),
        ("nobody to name", "-", str(counts.fp_overname), str(counts.tn)),
    )
    return Grid("Slots by truth and by what was shown", ("truth", "right name", "wrong name", "no name"), rows)


def _rates(counts: contract.NameAggregate) -> Grid:
    return Grid(
        "Rates",
        ("", "precision", "recall", "F1", "named recall"),
        (
            ("by slot", *map(_rate, (counts.precision, counts.recall, counts.f1, counts.named_recall))),
            (
                "by seconds of speech",
                *map(
                    _rate,
                    (
                        counts.weighted_precision,
                        counts.weighted_recall,
                        counts.weighted_f1,
                        counts.weighted_named_recall,
                    ),
                ),
            ),
        ),
    )


def _rate(value: float) -> str:
    return f"{value:.4f}"


def _accuracy(report: contract.NameAccuracyReport) -> str:
    lo, hi = report.accuracy_ci95
    right = report.aggregate.tp + report.aggregate.tn
    if not report.n_slots_scored:
        return "Accuracy: no slot could be scored, so nothing is known (interval 0 to 1)."
    return (
        f"Accuracy {report.accuracy:.4f}: {right} of {_n(report.n_slots_scored, 'slot')} right, "
        f"95 % interval {lo:.4f} to {hi:.4f} (Wilson)."
    )


def _confidence(curve: contract.RiskCoverage) -> str:
    if curve.chow_coverage is None:
        kept = "no threshold reaches the target accuracy"
    else:
        kept = f"the surest {curve.chow_coverage:.2%} of the slots reach the target accuracy"
    return f"Confidence (descriptive, not calibrated): {kept}; area under the risk-coverage curve {curve.aurc:.4f}."


def _paired(paired: contract.PairedComparison) -> str:
    test, change = paired.mcnemar, paired.bootstrap
    return (
        f"Against the baseline, on {_n(paired.n_slots, 'slot')} of {_n(paired.n_items, 'item')}: "
        f"{test.baseline_wrong_candidate_correct} became right, {test.baseline_correct_candidate_wrong} became wrong "
        f"(exact McNemar p = {_p(test.p_value)}). Accuracy changes by {change.point:+.4f} a slot, "
        f"{change.confidence * 100:g} % interval {change.lo:+.4f} to {change.hi:+.4f} "
        f"(items resampled {change.n_boot} times, seed {change.seed}). {_reading(change)}"
    )


def _p(value: float) -> str:
    return f"{value:.4f}" if value >= 0.0001 else f"{value:.1e}"


def _reading(change: contract.ClusteredBootstrap) -> str:
    if change.lo > 0:
        return "This run is better: the whole interval lies above zero."
    if change.hi < 0:
        return "This run is worse: the whole interval lies below zero."
    return "No difference is shown: the interval holds zero."
