"""Rules that a schema can name but not express: each `x-rules` id of contracts/schema, implemented once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from voxint.errors import quoted
from voxint.text import id_form, truth_fault

if TYPE_CHECKING:
    from voxint_contracts.agreement import v1 as agreement
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


def curated_item_names_its_host(record: agreement.SlotsRecord) -> Iterator[Violation]:
    """A curated item says whose voiceprint to look for."""
    if record.kind == "curated" and record.host_id is None:
        yield Violation(("host_id",), "must name the host of a curated item")


def slot_labels_are_not_blank(record: agreement.SlotsRecord) -> Iterator[Violation]:
    """A slot can be named in a verdict: its label is more than white space."""
    for label in record.slots:
        if not label or label.isspace():
            yield Violation(("slots", label), "must have a label that is not blank")


def slot_vectors_are_comparable(record: agreement.SlotsRecord) -> Iterator[Violation]:
    """The embeddings of a record are of one length, the first slot's, and none is all zero."""
    dims = None
    for label, slot in record.slots.items():
        dims = dims or len(slot.embedding)
        if message := _vector_fault(slot.embedding, dims, "the first slot's length"):
            yield Violation(("slots", label, "embedding"), message)


def voiceprints_fit_dims(enrollment: agreement.Enrollment) -> Iterator[Violation]:
    """Every voiceprint has `dims` numbers, and none is all zero."""
    for host, voiceprint in enrollment.voiceprints.items():
        if message := _vector_fault(voiceprint.embedding, enrollment.dims, "dims"):
            yield Violation(("voiceprints", host, "embedding"), message)


def _vector_fault(embedding: list[float], dims: int, whose: str) -> str:
    if len(embedding) != dims:
        return f"must have {dims} numbers ({whose}), not {len(embedding)}"
    return "" if any(embedding) else "must not be all zero: a zero vector has no direction"


def source_items_have_one_spelling(enrollment: agreement.Enrollment) -> Iterator[Violation]:
    """No two source items of a file are one id in two spellings (`voxint.text.id_form`)."""
    spellings: dict[str, str] = {}
    for host, voiceprint in enrollment.voiceprints.items():
        for number, item_id in enumerate(voiceprint.source_item_ids):
            known = spellings.setdefault(id_form(item_id), item_id)
            if known != item_id:
                message = f"must be spelt like {quoted(known)} elsewhere in the file: they are one id"
                yield Violation(("voiceprints", host, "source_item_ids", number), message)


def low_band_is_at_most_tau(thresholds: agreement.Thresholds) -> Iterator[Violation]:
    """What speaks for an absence lies below what speaks for a presence."""
    if thresholds.low_band > thresholds.tau:
        yield Violation(("low_band",), f"must be at most tau, {thresholds.tau}")


_FOREIGN_VERDICT = {"curated": "NO_CURATED_HOST_DETECTED", "negative_control": "CONFIDENT_HOST_PRESENT"}


def verdict_fits_kind(record: agreement.VerdictRecord) -> Iterator[Violation]:
    """A curated item is never found without a host, a negative control never with one."""
    if record.verdict == _FOREIGN_VERDICT[record.kind]:
        yield Violation(("verdict",), f"must fit the kind: {record.verdict} is no verdict on a {record.kind} item")


def present_host_has_a_slot(record: agreement.VerdictRecord) -> Iterator[Violation]:
    """A host who is present is heard in a slot, which is named."""
    if record.verdict == "CONFIDENT_HOST_PRESENT" and not (record.host_slot or "").strip():
        yield Violation(("host_slot",), "must name the slot of a host who is present")


def only_an_abstention_has_a_reason(record: agreement.VerdictRecord) -> Iterator[Violation]:
    """An abstention says why; a confident verdict has nothing to say."""
    if record.verdict == "ABSTAIN" and record.reason is None:
        yield Violation(("reason",), "must say why the verdict is ABSTAIN")
    if record.verdict != "ABSTAIN" and record.reason is not None:
        yield Violation(("reason",), f"must be null: {record.verdict} is no abstention")


RULES: dict[str, Rule] = {
    "truth_is_name_or_sentinel": truth_is_name_or_sentinel,
    "report_counts_add_up": report_counts_add_up,
    "interval_holds_its_point": interval_holds_its_point,
    "curated_item_names_its_host": curated_item_names_its_host,
    "slot_labels_are_not_blank": slot_labels_are_not_blank,
    "slot_vectors_are_comparable": slot_vectors_are_comparable,
    "voiceprints_fit_dims": voiceprints_fit_dims,
    "source_items_have_one_spelling": source_items_have_one_spelling,
    "low_band_is_at_most_tau": low_band_is_at_most_tau,
    "verdict_fits_kind": verdict_fits_kind,
    "present_host_has_a_slot": present_host_has_a_slot,
    "only_an_abstention_has_a_reason": only_an_abstention_has_a_reason,
}


def rules_of(ids: tuple[str, ...]) -> tuple[Rule, ...]:
    """The rules with these ids, in that order; an unknown id is a KeyError."""
    return tuple(RULES[rule_id] for rule_id in ids)
