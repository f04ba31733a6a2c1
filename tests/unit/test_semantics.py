"""Each rule that a schema names: a document that keeps it and one that breaks it."""

from __future__ import annotations

from typing import Any

import pytest
from voxint_contracts.name_accuracy import v1 as contract

from voxint.harness.name_accuracy import score
from voxint.semantics import RULES, Violation, rules_of


def item(truth: str | None) -> contract.NameAccuracyItem:
    return contract.NameAccuracyItem(item_id="x", slots={"s": contract.NameSlot(assigned_name=None, truth=truth)})


@pytest.fixture
def report() -> contract.NameAccuracyReport:
    items = [item("Dana Fox"), item("__ABSTAIN__").model_copy(update={"item_id": "y"})]
    return score(items, baseline=items)


def broken(rule: str, model: Any) -> list[tuple[str | int, ...]]:
    return [violation.path for violation in RULES[rule](model)]


@pytest.mark.parametrize("truth", ["Dana Fox", "__ABSTAIN__", "__NEITHER_DETERMINABLE__", None])
def test_a_name_a_sentinel_and_nothing_are_truths(truth: str | None) -> None:
    assert broken("truth_is_name_or_sentinel", item(truth)) == []


@pytest.mark.parametrize("truth", ["", " ", "SPEAKER_01", "auto_3", "unknown", "__abstain__", "__X__", " __ABSTAIN__ "])
def test_other_truths_are_faults_at_their_place(truth: str) -> None:
    assert broken("truth_is_name_or_sentinel", item(truth)) == [("slots", "s", "truth")]


def test_a_report_of_ours_keeps_its_rules(report: contract.NameAccuracyReport) -> None:
    assert broken("report_counts_add_up", report) == []
    assert broken("interval_holds_its_point", report) == []


def test_counts_that_do_not_add_up_are_named(report: contract.NameAccuracyReport) -> None:
    counts = report.aggregate.model_copy(update={"fn": 7})
    changed = report.model_copy(update={"aggregate": counts, "n_items": 5})
    assert broken("report_counts_add_up", changed) == [
        ("n_slots_scored",),
        ("n_items",),
        ("aggregate", "confusion", "true_name", "abstained"),
    ]


@pytest.mark.parametrize("interval", [[0.9, 0.1], [0.9, 1.0], [0.0, 0.1]])
def test_an_interval_without_its_point_is_named(interval: list[float], report: contract.NameAccuracyReport) -> None:
    assert report.accuracy == 0.5
    changed = report.model_copy(update={"accuracy_ci95": interval})
    assert broken("interval_holds_its_point", changed) == [("accuracy_ci95",)]


def test_a_bootstrap_interval_is_ordered(report: contract.NameAccuracyReport) -> None:
    assert report.paired is not None
    bootstrap = report.paired.bootstrap.model_copy(update={"lo": 0.5, "hi": 0.25})
    paired = report.paired.model_copy(update={"bootstrap": bootstrap})
    changed = report.model_copy(update={"paired": paired})
    assert broken("interval_holds_its_point", changed) == [("paired", "bootstrap")]


def test_rules_come_by_id_in_order() -> None:
    ids = ("interval_holds_its_point", "report_counts_add_up")
    assert rules_of(ids) == tuple(RULES[rule_id] for rule_id in ids)
    with pytest.raises(KeyError):
        rules_of(("no_such_rule",))
    assert Violation(("a",), "b") == Violation(("a",), "b")
