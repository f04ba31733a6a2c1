"""Two reports to a gate: pairs by item/slot, the policy's answer, and what is refused on the way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_harness_gate_metrics import heard, tally
from voxint_contracts.gate_metrics import v1 as contract
from voxint_contracts.name_accuracy import v1 as name_accuracy

from voxint.cli import main
from voxint.errors import RecordError
from voxint.harness import name_accuracy as scorer
from voxint.harness.gate_metrics import score
from voxint.io import canonical
from voxint.semantics import HARMS, RULES

V = name_accuracy.SlotVerdict
Slots = dict[str, tuple[str | None, str | None]]
DANA, MISSED, WRONG = ("Dana Fox", "Dana Fox"), (None, "Dana Fox"), ("Mei Lindqvist", "Dana Fox")
QUIET, OVERNAMED, UNKNOWN = (None, "__ABSTAIN__"), ("Dana Fox", "__ABSTAIN__"), (None, None)


def report(items: dict[str, Slots]) -> name_accuracy.NameAccuracyReport:
    return scorer.score(
        name_accuracy.NameAccuracyItem(
            item_id=key, slots={s: name_accuracy.NameSlot(assigned_name=a, truth=t) for s, (a, t) in slots.items()}
        )
        for key, slots in items.items()
    )


def policy(**ceilings: float) -> contract.GatePolicy:
    return contract.GatePolicy(schema_version=1, ceilings=ceilings)


OLD = report({"a": {"s": DANA, "t": QUIET, "u": DANA}, "b": {"s": QUIET, "t": UNKNOWN}})
NEW = report({"b": {"t": UNKNOWN, "s": OVERNAMED}, "a": {"u": WRONG, "s": MISSED, "t": QUIET}})


def messages(**arguments: Any) -> list[str]:
    with pytest.raises(RecordError) as caught:
        score(**({"candidate": NEW, "baseline": OLD} | arguments))
    places = [r.parameter if r.index is None else f"{r.parameter}[{r.index}]" for r in caught.value.records]
    return [f"{place}: {record.message}" for place, record in zip(places, caught.value.records, strict=True)]


def test_slots_are_paired_by_item_and_label_in_any_order() -> None:
    metrics = score(candidate=NEW, baseline=OLD)
    assert (metrics.host_regression_count, metrics.correct_to_wrong_swaps) == (1, 1)
    assert (metrics.candidate_fp_overname, metrics.new_fp_overname_additions) == (1, 1)
    assert (metrics.passed, metrics.paired_n, metrics.item_regression_rate_upper) == (None, 0, 1.0)


@pytest.mark.parametrize(("controls", "expected"), [(["b/s"], 1), (["b"], 1), (["a"], 0), (["a/s", "b/t"], 0)])
def test_a_strict_control_is_a_slot_or_a_whole_item(controls: list[str], expected: int) -> None:
    assert score(candidate=NEW, baseline=OLD, strict_controls=controls).overnaming_strict_count == expected


def test_a_misspelt_control_passes_no_gate_in_silence() -> None:
    assert messages(strict_controls=["b/S", "b", "B"]) == [
        'strict_controls[0]: no such case or item: "b/S"',
        'strict_controls[2]: no such case or item: "B"',
    ]


def test_a_value_at_its_ceiling_passes_and_one_above_fails() -> None:
    passed = score(candidate=NEW, baseline=OLD, policy=policy(host_regression_count=1, correct_to_wrong_swaps=1))
    assert (passed.passed, passed.failed_checks) == (True, [])
    failed = score(candidate=NEW, baseline=OLD, policy=policy(host_regression_count=0, correct_to_wrong_swaps=0.5))
    assert failed.passed is False
    assert [(c.metric, c.value, c.ceiling) for c in failed.failed_checks] == [
        ("correct_to_wrong_swaps", 1, 0.5),
        ("host_regression_count", 1, 0),
    ]
    assert list(RULES["gate_fails_by_its_checks"](failed)) == []


def test_every_harm_can_fail_the_gate() -> None:
    arguments: dict[str, Any] = {
        "audit": [heard("a/s", V.FN)],
        "tally": tally(49, 1),
        "strict_controls": ["b"],
        "contamination": 1,
    }
    for name in HARMS:
        metrics = score(candidate=NEW, baseline=OLD, **arguments, policy=policy(**{name: 0}))
        assert [check.metric for check in metrics.failed_checks] == [name]


def test_no_tally_fails_a_ceiling_on_the_rate() -> None:
    assert score(candidate=OLD, baseline=OLD, policy=policy(item_regression_rate_upper=0.05)).passed is False
    ceiling = policy(item_regression_rate_upper=0.05)
    assert score(candidate=OLD, baseline=OLD, tally=tally(52, 0), policy=ceiling).passed is True


def test_a_ceiling_whose_evidence_is_missing_is_refused() -> None:
    ceilings = policy(audit_regression_count=0, contamination_count=0, overnaming_strict_count=0)
    said = [
        "policy: cannot be checked without --audit: unknown is not safe",
        "policy: cannot be checked without --contamination: unknown is not safe",
        "policy: cannot be checked without --strict-controls: unknown is not safe",
    ]
    assert messages(policy=ceilings) == said
    assert messages(audit=[], strict_controls=[], policy=ceilings) == said
    sure = {"audit": [heard("a/s", V.TP)], "strict_controls": ["b"], "contamination": 0}
    assert score(candidate=OLD, baseline=OLD, **sure, policy=ceilings).passed is True


def test_a_ceiling_on_nothing_is_refused_in_the_library_too() -> None:
    (message,) = messages(policy=policy(host_regressions=0))
    assert message.startswith("policy: is no metric with a ceiling")


def test_slots_of_one_side_are_counted_and_five_are_named() -> None:
    more = report({"a": {"s": DANA, "t": QUIET, "u": DANA}, "c": {f"s{k}": DANA for k in range(6)}})
    assert messages(candidate=more) == [
        'baseline: lacks 6 slots of candidate: "c/s0", "c/s1", "c/s2", "c/s3", "c/s4" and 1 more',
        'candidate: lacks 2 slots of baseline: "b/s", "b/t"',
    ]


def test_two_truths_are_refused() -> None:
    other = report({"a": {"s": QUIET, "t": UNKNOWN, "u": DANA}, "b": {"s": QUIET, "t": UNKNOWN}})
    assert messages(candidate=other) == [
        'candidate: "a/s" is TN here and TP in the baseline: they judge two truths',
        'candidate: "a/t" is EXCLUDED here and TN in the baseline: they judge two truths',
    ]


def test_one_case_under_two_names_is_refused() -> None:
    twice = report({"a": {"b/s": DANA}, "a/b": {"s": DANA}})
    assert messages(candidate=twice, baseline=twice) == ['candidate: "a/b/s" stands twice']


def test_a_stale_audit_is_refused_and_so_is_a_case_that_nobody_scored() -> None:
    stale = [heard("a/s", V.TP), heard("a/S", V.FN)]
    assert messages(audit=stale) == [
        "audit[0]: is TP here and FN in the candidate's report",
        """audit[1]: no such case in the candidate's report: "a/S\"""",
    ]
    assert score(candidate=NEW, baseline=OLD, audit=[heard(" a/s", V.FN)]).audit_regression_count == 1


def test_an_audited_case_in_two_spellings_is_one_case() -> None:
    (message,) = messages(audit=[heard("a/s", V.FN), heard("a/s ", V.FN)])
    assert message == 'audit[1]: item_id "a/s " is another spelling of "a/s": one id is spelt one way'


def test_the_command_answers_with_its_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, each in (("new.json", NEW), ("old.json", OLD), ("strict.json", policy(host_regression_count=0))):
        Path(name).write_bytes(canonical.encode(each))
    Path("loose.json").write_bytes(canonical.encode(policy(host_regression_count=1)))
    Path("bad.json").write_text('{"schema_version": 1, "ceilings": {"host_regression": 0}}')
    Path("ids.txt").write_text("b\n")
    words = ["score", "gates", "--candidate", "new.json", "--baseline", "old.json", "--strict-controls", "ids.txt"]
    assert main(words) == 0
    assert "passed" not in json.loads(capfd.readouterr().out)
    assert main([*words, "--policy", "loose.json"]) == 0
    assert json.loads(capfd.readouterr().out)["passed"] is True
    assert main([*words, "--policy", "strict.json"]) == 1
    assert json.loads(capfd.readouterr().out)["failed_checks"][0]["metric"] == "host_regression_count"
    assert main([*words, "--policy", "bad.json"]) == 2
    assert capfd.readouterr().err.startswith("bad.json:1:55: $.ceilings.host_regression: is no metric")
