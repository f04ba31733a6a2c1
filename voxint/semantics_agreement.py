"""The rules of what agreement reads: slots, enrollment and thresholds. Part of `voxint.semantics.RULES`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from voxint.errors import Violation, respelt
from voxint.text import identity_form

if TYPE_CHECKING:
    from voxint_contracts.agreement import v1 as contract


def hosts_have_one_spelling(enrollment: contract.Enrollment) -> Iterator[Violation]:
    """A host id is not blank, and no two of an enrollment are one id in two spellings (`voxint.text.identity_form`)."""
    spellings: dict[str, str] = {}
    for host in enrollment.voiceprints:
        form = identity_form(host)
        known = spellings.setdefault(form, host)
        if not form:
            yield Violation(("voiceprints", host), "must have a host id that is not blank")
        elif known != host:
            yield Violation(("voiceprints", host), respelt(host, known))


def curated_item_names_its_host(record: contract.SlotsRecord) -> Iterator[Violation]:
    """A curated item says whose voiceprint to look for."""
    if record.kind == "curated" and record.host_id is None:
        yield Violation(("host_id",), "must name the host of a curated item")


def slot_labels_are_not_blank(record: contract.SlotsRecord) -> Iterator[Violation]:
    """A slot can be named in a verdict: its label is more than white space."""
    for label in record.slots:
        if not label or label.isspace():
            yield Violation(("slots", label), "must have a label that is not blank")


def slot_vectors_are_comparable(record: contract.SlotsRecord) -> Iterator[Violation]:
    """The embeddings of a record are of one length, the first slot's, and none is all zero."""
    dims = None
    for label, slot in record.slots.items():
        dims = dims or len(slot.embedding)
        if message := vector_fault(slot.embedding, dims, "the first slot's length"):
            yield Violation(("slots", label, "embedding"), message)


def voiceprints_fit_dims(enrollment: contract.Enrollment) -> Iterator[Violation]:
    """Every voiceprint has `dims` numbers, and none is all zero."""
    for host, voiceprint in enrollment.voiceprints.items():
        if message := vector_fault(voiceprint.embedding, enrollment.dims, "dims"):
            yield Violation(("voiceprints", host, "embedding"), message)


def vector_fault(embedding: Sequence[float], dims: int, whose: str) -> str:
    """What is wrong with a vector that must have `dims` numbers and a direction; empty for a good one."""
    if len(embedding) != dims:
        return f"must have {dims} numbers ({whose}), not {len(embedding)}"
    return "" if any(embedding) else "must not be all zero: a zero vector has no direction"


def source_items_have_one_spelling(enrollment: contract.Enrollment) -> Iterator[Violation]:
    """No two source items of a file are one id in two spellings (`voxint.text.identity_form`)."""
    spellings: dict[str, str] = {}
    for host, voiceprint in enrollment.voiceprints.items():
        for number, item_id in enumerate(voiceprint.source_item_ids):
            known = spellings.setdefault(identity_form(item_id), item_id)
            if known != item_id:
                yield Violation(("voiceprints", host, "source_item_ids", number), respelt(item_id, known))


def low_band_is_at_most_tau(thresholds: contract.Thresholds) -> Iterator[Violation]:
    """What speaks for an absence lies below what speaks for a presence."""
    if thresholds.low_band > thresholds.tau:
        yield Violation(("low_band",), f"must be at most tau, {thresholds.tau}")
