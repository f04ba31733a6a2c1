"""The gate as a person reads it."""

from __future__ import annotations

from test_harness_gate_metrics import tally
from test_harness_gate_metrics_score import NEW, OLD, policy
from voxint_contracts.gate_metrics import v1 as contract

from voxint.cli.summaries import Grid
from voxint.cli.summaries.gate_metrics import summary
from voxint.harness.gate_metrics import score


def rows(metrics: contract.GateMetrics) -> dict[str, tuple[str, str]]:
    grid = summary(metrics).blocks[0]
    assert isinstance(grid, Grid)
    return {row[1]: (row[2], row[3]) for row in grid.rows}


def test_every_metric_has_its_line() -> None:
    metrics = score(candidate=NEW, baseline=OLD)
    numbers = {name for name, value in metrics if isinstance(value, int | float) and name != "schema_version"}
    assert set(rows(metrics)) == numbers
    assert summary(metrics).title == "Release gate: no policy, nothing decided"
    assert "nothing is known" in str(summary(metrics).blocks[1])


def test_a_failed_check_stands_beside_its_metric() -> None:
    metrics = score(
        candidate=NEW, baseline=OLD, policy=policy(host_regression_count=0, item_regression_rate_upper=0.05)
    )
    assert summary(metrics).title == "Release gate: FAILED, 2 ceilings exceeded"
    found = rows(metrics)
    assert found["host_regression_count"] == ("1", "above 0")
    assert found["item_regression_rate_upper"] == ("1", "above 0.0500")
    assert found["correct_to_wrong_swaps"] == ("1", "")


def test_a_gate_that_passes_says_so() -> None:
    metrics = score(candidate=OLD, baseline=OLD, tally=tally(52, 0), policy=policy(host_regression_count=0))
    assert summary(metrics).title == "Release gate: PASSED"
    assert len(summary(metrics).blocks) == 1
    assert rows(metrics)["item_regression_rate_upper"] == ("0.0495", "")
    assert summary(score(candidate=NEW, baseline=OLD, policy=policy(host_regression_count=0))).title.endswith(
        "1 ceiling exceeded"
    )
