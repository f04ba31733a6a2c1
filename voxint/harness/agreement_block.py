"""Verdicts on a block of records at once; a verdict does not depend on the block that it is made in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from voxint_contracts.agreement import v1 as contract

from voxint.harness import agreement_gates as gates
from voxint.harness.agreement_gallery import Gallery
from voxint.harness.vectors import TaggedMatrix, near_cosines, row_cosines

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Whole = NDArray[np.intp]

Reason = contract.AgreementReason

VALUES_AT_ONCE = 1 << 18
"""Numbers in one array, 2 MiB of them: what is gathered for exact cosines, or one part of a screening."""


def verdicts(records: Sequence[contract.SlotsRecord], gallery: Gallery) -> list[contract.VerdictRecord]:
    """One verdict per record, in order; the records were admitted to this gallery."""
    faults = [_fault(record, gallery) for record in records]
    sound = [record for record, fault in zip(records, faults, strict=True) if fault is None]
    curated = iter(_curated([each for each in sound if each.kind is contract.ItemKind.CURATED], gallery))
    negative = iter(_negative([each for each in sound if each.kind is not contract.ItemKind.CURATED], gallery))
    return [
        gates.abstention(record, gallery, fault)
        if fault is not None
        else next(curated if record.kind is contract.ItemKind.CURATED else negative)
        for record, fault in zip(records, faults, strict=True)
    ]


def _fault(record: contract.SlotsRecord, gallery: Gallery) -> contract.AgreementReason | None:
    """Why the vectors of a record must not be looked at, or that it has none; None if there is something to compare."""
    if record.kind is contract.ItemKind.NEGATIVE_CONTROL:
        return _no_voiceprint(record, gallery) if record.slots else Reason.NO_SLOT_EMBEDDINGS
    fault = gallery.fault(_host(record, gallery), record.item_id)
    return fault if fault is not None or record.slots else Reason.NO_SLOT_EMBEDDINGS


def _host(record: contract.SlotsRecord, gallery: Gallery) -> int:
    number = gallery.number(record.host_id)
    assert number is not None
    return number


def _no_voiceprint(record: contract.SlotsRecord, gallery: Gallery) -> contract.AgreementReason | None:
    leaking = gallery.leaking(record.item_id)
    if len(gallery.usable) > sum(gallery.faults[host] is None for host in leaking):
        return None
    leaked = bool(leaking) or Reason.SESSION_LEAKAGE_RISK in gallery.faults
    return Reason.SESSION_LEAKAGE_RISK if leaked else Reason.WEAK_ENROLLMENT


def _curated(records: Sequence[contract.SlotsRecord], gallery: Gallery) -> list[contract.VerdictRecord]:
    counts = [len(record.slots) for record in records]
    hosts = [_host(record, gallery) for record in records]
    cosines = row_cosines(_stacked(records, gallery), gallery.matrix.take(np.repeat(hosts, counts))).tolist()
    parts = _parts(cosines, counts)
    return [gates.curated(record, gallery, part) for record, part in zip(records, parts, strict=True)]


def _negative(records: Sequence[contract.SlotsRecord], gallery: Gallery) -> list[contract.VerdictRecord]:
    if not records:
        return []
    counts = np.array([len(record.slots) for record in records], dtype=np.intp)
    vectors = _stacked(records, gallery)
    items, voiceprints = _candidates(records, vectors, counts, gallery)
    cosines: list[dict[int, Sequence[float]]] = [{} for _ in records]
    exact = _exact(vectors, counts, items, voiceprints, gallery)
    parts = _parts(exact, counts[items].tolist())
    for item, voiceprint, part in zip(items.tolist(), voiceprints.tolist(), parts, strict=True):
        cosines[item][gallery.usable[voiceprint]] = part
    return [gates.negative_control(record, gallery, each) for record, each in zip(records, cosines, strict=True)]


def _candidates(
    records: Sequence[contract.SlotsRecord], vectors: TaggedMatrix, counts: Whole, gallery: Gallery
) -> tuple[Whole, Whole]:
    """Pairs of record and usable voiceprint that a verdict may hang on: near the largest cosine, or near tau.

    The screening is off by at most its margin, so what it leaves out is surely below the largest cosine and below
    tau, on any machine. What it lets through is computed anew.
    """
    tops, margin = _near_tops(vectors, counts, gallery.usable_matrix)
    for item, record in enumerate(records):
        for host in gallery.leaking(record.item_id):
            if gallery.faults[host] is None:
                tops[item, gallery.usable.index(host)] = -np.inf
    floors = np.minimum(tops.max(axis=1) - 2 * margin, gallery.thresholds.tau - margin)
    items, voiceprints = np.nonzero(tops >= floors[:, None])
    return items, voiceprints


def _near_tops(vectors: TaggedMatrix, counts: Whole, voiceprints: TaggedMatrix) -> tuple[NDArray[np.float64], float]:
    """About the largest cosine of each record's slots with each voiceprint, and how far off that may be."""
    starts = np.cumsum(counts) - counts
    step = max(1, VALUES_AT_ONCE // len(vectors))
    tops, margin = np.empty((len(counts), len(voiceprints))), 0.0
    for first in range(0, len(voiceprints), step):
        near, margin = near_cosines(vectors, voiceprints.part(first, first + step))
        tops[:, first : first + step] = np.maximum.reduceat(near, starts, axis=0)
    return tops, margin


def _exact(vectors: TaggedMatrix, counts: Whole, items: Whole, voiceprints: Whole, gallery: Gallery) -> list[float]:
    """The cosines of all slots of each pair's record with its voiceprint, pair after pair."""
    lengths = counts[items]
    ends = np.cumsum(lengths)
    firsts = np.repeat((np.cumsum(counts) - counts)[items] - (ends - lengths), lengths)
    slots = firsts + np.arange(len(firsts))
    columns = np.repeat(voiceprints, lengths)
    step = max(1, VALUES_AT_ONCE // gallery.dims)
    found: list[float] = []
    for first in range(0, len(slots), step):
        part = slice(first, first + step)
        found += row_cosines(vectors.take(slots[part]), gallery.usable_matrix.take(columns[part])).tolist()
    return found


def _stacked(records: Sequence[contract.SlotsRecord], gallery: Gallery) -> TaggedMatrix:
    embeddings = [slot.embedding for record in records for slot in record.slots.values()]
    return TaggedMatrix.of(gallery.embedding_space, embeddings, gallery.dims)


def _parts(values: Sequence[float], counts: Iterable[int]) -> Iterator[Sequence[float]]:
    start = 0
    for count in counts:
        yield values[start : start + count]
        start += count
