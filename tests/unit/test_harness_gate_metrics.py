"""Each metric of a release by hand, and all of them against a slow count."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from voxint_contracts.gate_metrics import v1 as contract
from voxint_contracts.name_accuracy.v1 import SlotVerdict

from voxint.errors import RecordError
from voxint.harness.gate_metrics import assemble_gate_metrics
from voxint.semantics import RULES

V = SlotVerdict
Z2 = 1.6448536269514722**2
COUNTS = {
    "host_regression_count",
    "correct_to_wrong_swaps",
    "contamination_count",
    "overnaming_strict_count",
    "baseline_fp_overname",
    "candidate_fp_overname",
    "new_fp_overname_additions",
    "audit_regression_count",
    "audit_candidate_host_ok",
    "paired_n",
}


def pair(item_id: str, was: V, now: V) -> contract.PairedVerdict:
    return contract.PairedVerdict(item_id=item_id, baseline_verdict=was, candidate_verdict=now)


def heard(item_id: str, now: V, *, ok: bool = True) -> contract.AuditRecord:
    return contract.AuditRecord(item_id=item_id, host_ok=ok, candidate_verdict=now)


def tally(n_items: int, item_regressed: int) -> contract.PairedTally:
    return contract.PairedTally(schema_version=1, n_items=n_items, item_regressed=item_regressed)


def above_zero(metrics: contract.GateMetrics) -> dict[str, int]:
    return {name: value for name in sorted(COUNTS) if (value := getattr(metrics, name))}


@pytest.mark.parametrize(
    ("was", "now", "expected"),
    [
        (V.TP, V.FN, {"host_regression_count": 1}),
        (V.TP, V.FP_WRONG, {"correct_to_wrong_swaps": 1}),
        (V.TN, V.FP_OVERNAME, {"candidate_fp_overname": 1, "new_fp_overname_additions": 1}),
        (V.FP_OVERNAME, V.FP_OVERNAME, {"baseline_fp_overname": 1, "candidate_fp_overname": 1}),
        (V.FP_OVERNAME, V.TN, {"baseline_fp_overname": 1}),
        (V.FN, V.FP_WRONG, {}),
        (V.FP_WRONG, V.FN, {}),
        (V.FN, V.TP, {}),
        (V.TP, V.TP, {}),
        (V.EXCLUDED, V.EXCLUDED, {}),
    ],
)
def test_one_case_counts_where_it_belongs(was: V, now: V, expected: dict[str, int]) -> None:
    assert above_zero(assemble_gate_metrics([pair("x", was, now)])) == expected


def test_nothing_at_all_is_zero_and_unknown() -> None:
    metrics = assemble_gate_metrics([])
    assert above_zero(metrics) == {}
    assert metrics.item_regression_rate_upper == 1.0
    assert (metrics.passed, metrics.failed_checks) == (None, [])


def test_a_strict_control_counts_only_where_it_is_over_named() -> None:
    pairs = [pair("a", V.TN, V.FP_OVERNAME), pair("b", V.TN, V.TN), pair("c", V.FP_OVERNAME, V.FP_OVERNAME)]
    assert assemble_gate_metrics(pairs, strict_control_ids=["a", "b", "a"]).overnaming_strict_count == 1
    assert assemble_gate_metrics(pairs, strict_control_ids=["c"]).overnaming_strict_count == 1
    assert assemble_gate_metrics(pairs, strict_control_ids=[]).overnaming_strict_count == 0


@pytest.mark.parametrize(
    ("now", "ok", "expected"),
    [
        (V.TP, True, (0, 1)),
        (V.TN, True, (0, 1)),
        (V.TN, False, (0, 1)),
        (V.FN, True, (1, 0)),
        (V.FP_WRONG, True, (1, 0)),
        (V.FP_OVERNAME, True, (1, 0)),
        (V.EXCLUDED, True, (1, 0)),
        (V.FN, False, (0, 0)),
    ],
)
def test_an_audited_case_is_right_or_a_regression(now: V, ok: bool, expected: tuple[int, int]) -> None:
    metrics = assemble_gate_metrics([], audit=[heard("x", now, ok=ok)])
    assert (metrics.audit_regression_count, metrics.audit_candidate_host_ok) == expected


def test_the_bound_is_the_one_sided_wilson_bound() -> None:
    # 0 of n: z^2 / (n + z^2) with z = 1.6449, so 2.7055 / 51.7055 = 0.0523 for 49 items and 0.0495 for 52.
    metrics = assemble_gate_metrics([], paired_tally=tally(49, 0))
    assert metrics.paired_n == 49
    assert metrics.item_regression_rate_upper == pytest.approx(Z2 / (49 + Z2), abs=1e-15)
    assert assemble_gate_metrics([], paired_tally=tally(52, 0)).item_regression_rate_upper < 0.05
    assert assemble_gate_metrics([], paired_tally=tally(5, 5)).item_regression_rate_upper == 1.0


def test_a_tally_of_nothing_proves_nothing() -> None:
    metrics = assemble_gate_metrics([pair("x", V.TP, V.TP)], paired_tally=tally(0, 0))
    assert (metrics.paired_n, metrics.item_regression_rate_upper) == (0, 1.0)


def test_contamination_is_passed_through() -> None:
    assert assemble_gate_metrics([], contamination_count=3).contamination_count == 3


@pytest.mark.parametrize("count", [-1, True, 1.0, 2**31, "3"])
def test_contamination_is_a_count(count: Any) -> None:
    with pytest.raises(ValueError, match="contamination"):
        assemble_gate_metrics([], contamination_count=count)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"pairs": [pair("x", V.TP, V.TP), pair("x", V.TP, V.TP)]}, 'duplicate item_id "x"'),
        ({"pairs": [], "audit": [heard("x", V.TP), heard("x", V.TP)]}, 'duplicate item_id "x"'),
        ({"pairs": [], "paired_tally": tally(3, 4)}, "must be at most n_items, 3"),
        ({"pairs": [pair("x", V.TN, V.TN)], "strict_control_ids": ["x", "X"]}, 'no such case: "X"'),
    ],
)
def test_a_contradiction_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError) as caught:
        assemble_gate_metrics(**arguments)
    assert [record.message for record in caught.value.records] == [message]


def test_what_no_model_would_hold_is_never_a_silent_zero() -> None:
    odd = pair("x", V.TP, V.TP).model_copy(update={"candidate_verdict": "FALSE_NEGATIVE"})
    with pytest.raises(ValueError, match="verdict: expected one of TP"):
        assemble_gate_metrics([odd])
    with pytest.raises(ValueError, match="verdict: expected one of TP"):
        assemble_gate_metrics([], audit=[heard("x", V.TP).model_copy(update={"candidate_verdict": None})])
    with pytest.raises(ValueError, match="host_ok"):
        assemble_gate_metrics([], audit=[heard("x", V.TP).model_copy(update={"host_ok": "yes"})])


verdicts = st.sampled_from(list(V))
cases = st.dictionaries(st.text("abc/", min_size=1, max_size=3), st.tuples(verdicts, verdicts), max_size=20)
audits = st.dictionaries(st.text("abc", min_size=1, max_size=2), st.tuples(verdicts, st.booleans()), max_size=9)


@given(cases, audits, st.data())
def test_the_counts_are_the_slow_ones_in_any_order(
    both: dict[str, tuple[V, V]], audited: dict[str, tuple[V, bool]], data: st.DataObject
) -> None:
    strict = data.draw(st.sets(st.sampled_from(sorted(both)))) if both else set()
    pairs = data.draw(st.permutations([pair(key, *each) for key, each in both.items()]))
    audit = [heard(key, now, ok=ok) for key, (now, ok) in audited.items()]
    metrics = assemble_gate_metrics(pairs, audit=audit, strict_control_ids=strict)
    naive = dict.fromkeys(COUNTS, 0)
    for key, (was, now) in both.items():
        naive["host_regression_count"] += was == "TP" and now == "FN"
        naive["correct_to_wrong_swaps"] += was == "TP" and now == "FP_WRONG"
        naive["baseline_fp_overname"] += was == "FP_OVERNAME"
        naive["candidate_fp_overname"] += now == "FP_OVERNAME"
        naive["new_fp_overname_additions"] += now == "FP_OVERNAME" and was != "FP_OVERNAME"
        naive["overnaming_strict_count"] += now == "FP_OVERNAME" and key in strict
    for now, ok in audited.values():
        naive["audit_regression_count"] += ok and now not in ("TP", "TN")
        naive["audit_candidate_host_ok"] += now in ("TP", "TN")
    assert {name: getattr(metrics, name) for name in COUNTS} == naive
    assert [v for rule in ("gate_counts_fit", "gate_fails_by_its_checks") for v in RULES[rule](metrics)] == []
