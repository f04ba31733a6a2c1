"""The gate as a table: what was measured, what is allowed, and whether the release may go out."""

from __future__ import annotations

from voxint_contracts.gate_metrics import v1 as contract

from voxint.cli.summaries import Grid, Summary

_LINES = {
    "host_regression_count": "right name lost",
    "correct_to_wrong_swaps": "right name swapped for a wrong one",
    "candidate_fp_overname": "over-named",
    "baseline_fp_overname": "over-named by the baseline",
    "new_fp_overname_additions": "newly over-named",
    "overnaming_strict_count": "strict controls over-named",
    "contamination_count": "contaminated (adjudicated)",
    "audit_candidate_host_ok": "audited and right",
    "audit_regression_count": "audited regressions",
    "item_regression_rate_upper": "share of items that became worse, upper bound",
    "paired_n": "items in the tally",
}


def summary(metrics: contract.GateMetrics) -> Summary:
    """Every metric on a line, the ceilings that do not hold beside theirs, and the answer as the title."""
    failed = {check.metric: check for check in metrics.failed_checks}
    rows = tuple(
        (
            words,
            name,
            _number(getattr(metrics, name)),
            f"above {_number(failed[name].ceiling)}" if name in failed else "",
        )
        for name, words in _LINES.items()
    )
    grid = Grid("", ("what", "metric", "value", "fails"), rows, n_text=2)
    blocks: list[Grid | str] = [grid]
    if not metrics.paired_n:
        blocks.append("Without a tally nothing is known of the share of items that became worse, so its bound is 1.")
    return Summary(_title(metrics), tuple(blocks))


def _title(metrics: contract.GateMetrics) -> str:
    if metrics.passed is None:
        return "Release gate: no policy, nothing decided"
    if metrics.passed:
        return "Release gate: PASSED"
    n = len(metrics.failed_checks)
    return f"Release gate: FAILED, {n} ceiling{'' if n == 1 else 's'} exceeded"


def _number(value: float) -> str:
    return f"{value:.0f}" if value == int(value) else f"{value:.4f}"
