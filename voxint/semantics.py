"""Rules that a schema can name but not express: each `x-rules` id of contracts/schema, implemented once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from voxint.text import truth_fault

if TYPE_CHECKING:
    from voxint_contracts.name_accuracy import v1 as name_accuracy


@dataclass(frozen=True, slots=True)
class Violation:
    """A document that fits its schema and breaks one of its rules: where, and what is wrong."""

    path: tuple[str | int, ...]
    message: str


Rule = Callable[[Any], Iterator[Violation]]

_truth_fault = lru_cache(maxsize=1 << 16)(truth_fault)


def truth_is_name_or_sentinel(item: name_accuracy.NameAccuracyItem) -> Iterator[Violation]:
    """A truth is a person's name or one of the two sentinels, exactly spelt; never blank, never a placeholder."""
    for label, slot in item.slots.items():
        if slot.truth is not None and (fault := _truth_fault(slot.truth)):
            yield Violation(("slots", label, "truth"), fault)


def report_counts_add_up(report: name_accuracy.NameAccuracyReport) -> Iterator[Violation]:
    """The counts of a report agree with one another: scored slots, the confusion matrix, the items listed."""
    counts, confusion = report.aggregate, report.aggregate.confusion
    scored = counts.tp + counts.fp_wrong + counts.fp_overname + counts.fn + counts.tn
    if scored != report.n_slots_scored:
        yield Violation(("n_slots_scored",), f"must be {scored}, the sum of the counts in aggregate")
    if len(report.per_item) != report.n_items:
        yield Violation(("n_items",), f"must be {len(report.per_item)}, the number of items listed in per_item")
    named, unnamed = confusion.true_name, confusion.true_abstain
    pairs = {
        ("true_name", "named_correct"): (named.named_correct, counts.tp),
        ("true_name", "named_wrong"): (named.named_wrong, counts.fp_wrong),
        ("true_name", "abstained"): (named.abstained, counts.fn),
        ("true_abstain", "named"): (unnamed.named, counts.fp_overname),
        ("true_abstain", "abstained"): (unnamed.abstained, counts.tn),
    }
    for path, (found, expected) in pairs.items():
        if found != expected:
            yield Violation(("aggregate", "confusion", *path), f"must be {expected}, the count in aggregate")


def interval_holds_its_point(report: name_accuracy.NameAccuracyReport) -> Iterator[Violation]:
    """An interval is ordered; the Wilson interval holds the accuracy it belongs to unless nothing was scored."""
    lo, hi = report.accuracy_ci95
    if not lo <= hi or (report.n_slots_scored and not lo <= report.accuracy <= hi):
        yield Violation(("accuracy_ci95",), "must be [lo, hi] around accuracy")
    if report.paired is not None and report.paired.bootstrap.lo > report.paired.bootstrap.hi:
        yield Violation(("paired", "bootstrap"), "must have lo at most hi")


RULES: dict[str, Rule] = {
    "truth_is_name_or_sentinel": truth_is_name_or_sentinel,
    "report_counts_add_up": report_counts_add_up,
    "interval_holds_its_point": interval_holds_its_point,
}


def rules_of(ids: tuple[str, ...]) -> tuple[Rule, ...]:
    """The rules with these ids, in that order; an unknown id is a KeyError."""
    return tuple(RULES[rule_id] for rule_id in ids)
