"""Attribution as a person reads it: one run, and several side by side."""

from __future__ import annotations

from test_harness_attribution_report import DATE, METRICS, STRICT, TRIALS
from voxint_contracts.attribution import v1 as contract

from voxint.cli.summaries import Grid, Summary, summary_of
from voxint.cli.summaries.attribution import interval
from voxint.harness.attribution_report import report


def grid(summary: Summary, title: str) -> dict[str, tuple[str, ...]]:
    (found,) = [block for block in summary.blocks if isinstance(block, Grid) and block.title == title]
    return {row[0]: row[1:] for row in found.rows}


def test_one_run() -> None:
    found = summary_of(METRICS)
    assert found.title == "Attribution: 40 of 41 trials scoreable, 1 wrongly shown, coverage 25.00%"
    bands = grid(found, "Trials and what is shown of them")
    assert (bands["rightly shown"], bands["impostor speakers"], bands["coverage"]) == (("9",), ("20",), ("0.2500",))
    rates = grid(found, "Rates and bounds")
    assert rates["FAR by speaker"][:3] == ("1 of 20", "0.0500", interval(METRICS.far_by_cluster.ci95))
    assert grid(found, "Gates in force")["grounded_min_cosine"] == ("0.7",)
    assert grid(found, "Slots by class of the alignment")["genuine"] == ("41",)


def test_several_runs_stand_side_by_side() -> None:
    found = summary_of(report(run=[METRICS, STRICT], date=DATE, trials=[TRIALS, TRIALS]))
    assert found.title == "Attribution report, 2026-09-05: 2 runs"
    assert grid(found, "Runs")["B"] == ("made", "corpus_gold")
    assert grid(found, "Trials and what is shown of them")["rightly shown"] == ("9", "0")
    assert grid(found, "Noise floor: spread between the runs")["coverage"] == ("0.0000", "0.2500", "0.2500")
    assert grid(found, "Rates of run B")["FRR by speaker"][:2] == ("3 of 3", "1.0000")
    assert found.blocks[-5] == "What these numbers do not show:"


def test_a_run_without_a_protocol_says_so() -> None:
    bare = contract.AttributionMetrics.model_validate(METRICS.model_copy(update={"protocol_summary": None}))
    found = summary_of(report(run=[bare], date=DATE))
    assert found.title == "Attribution report, 2026-09-05: one run"
    assert grid(found, "Runs")["A"] == ("not stated", "not stated")
    assert not any(isinstance(block, Grid) and block.title.startswith("Noise") for block in found.blocks)
