"""Verdicts of name slots, counted: the part of name accuracy that adds up over files, chunks and workers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from voxint_contracts.name_accuracy import v1 as contract

from voxint.errors import RecordError, RecordFault
from voxint.harness.names import AliasIndex, is_match, person_name_match
from voxint.harness.packed import RunBuilder, Runs
from voxint.stats.durations import sum_microseconds
from voxint.stats.selective import ConfidenceGroups, group_confidences
from voxint.text import ABSTAIN, NEITHER, is_abstention, truth_fault

if TYPE_CHECKING:
    from numpy.typing import NDArray

Verdict = contract.SlotVerdict

VERDICTS = tuple(Verdict)
CODES = {verdict: code for code, verdict in enumerate(VERDICTS)}
CORRECT = frozenset({CODES[Verdict.TP], CODES[Verdict.TN]})
EXCLUDED = CODES[Verdict.EXCLUDED]
_WRONG = CODES[Verdict.FP_WRONG]

DIGEST_SIZE = 8
_CACHED_PAIRS = 1 << 16
_SLOTS_AT_ONCE = 1 << 16
_ITEMS_AT_ONCE = 1 << 8


def slot_verdict(
    assigned_name: str | None,
    truth: str | None,
    *,
    aliases: contract.AliasTable | AliasIndex | None = None,
    assigned_id: str | None = None,
    truth_id: str | None = None,
) -> contract.SlotVerdict:
    """The verdict on one slot: what was shown against who it is.

    A truth of null or `__NEITHER_DETERMINABLE__` is EXCLUDED; `__ABSTAIN__` gives TN or FP_OVERNAME; a name gives
    FN, TP or FP_WRONG. A truth that is blank, a placeholder or a misspelt sentinel raises ValueError.
    """
    if truth is None or truth == NEITHER:
        return Verdict.EXCLUDED
    if fault := truth_fault(truth):
        raise ValueError(fault)
    abstained = assigned_name is None or is_abstention(assigned_name)
    if truth == ABSTAIN:
        return Verdict.TN if abstained else Verdict.FP_OVERNAME
    if abstained or assigned_name is None:
        return Verdict.FN
    strength = person_name_match(assigned_name, truth, aliases=aliases, id_a=assigned_id, id_b=truth_id)
    return Verdict.TP if is_match(strength) else Verdict.FP_WRONG


class Judge:
    """Slots to verdict codes, remembering the pairs of names seen lately.

    An entry is one byte, the code, followed for a paired run by 8 bytes that stand for the truth: two runs agree on a
    slot's truth exactly when those are equal (a false agreement has odds of 2^-64 a slot).
    """

    def __init__(self, aliases: AliasIndex | None, *, paired: bool) -> None:
        self._aliases = aliases
        self.paired = paired
        self._entries: dict[tuple[str | None, str | None], bytes] = {}

    def entries(self, slots: Iterable[contract.NameSlot]) -> list[bytes]:
        """One entry per slot, in order; ValueError for a truth that cannot be one."""
        known = self._entries.get
        found = [known((slot.assigned_name, slot.truth)) or self._new(slot) for slot in slots]
        return [
            self._by_id(slot, entry) if entry[0] == _WRONG else entry for slot, entry in zip(slots, found, strict=True)
        ]

    def _new(self, slot: contract.NameSlot) -> bytes:
        if len(self._entries) >= _CACHED_PAIRS:
            self._entries.clear()
        code = CODES[slot_verdict(slot.assigned_name, slot.truth, aliases=self._aliases)]
        entry = bytes((code,)) + (truth_digest(slot.truth) if self.paired else b"")
        self._entries[slot.assigned_name, slot.truth] = entry
        return entry

    @staticmethod
    def _by_id(slot: contract.NameSlot, entry: bytes) -> bytes:
        """Equal identity ids outrank names that differ, and are not remembered with them."""
        if slot.assigned_id and slot.assigned_id == slot.truth_id:
            return bytes((CODES[Verdict.TP],)) + entry[1:]
        return entry


def truth_digest(truth: str | None) -> bytes:
    """8 bytes that stand for a truth; null and `__NEITHER_DETERMINABLE__` are the same truth."""
    return hashlib.blake2b((truth or NEITHER).encode(), digest_size=DIGEST_SIZE).digest()


@dataclass(frozen=True, slots=True)
class NameTally:
    """Counts, exact weights in microseconds, confidences and packed verdicts. Tallies add in any order."""

    n_items: int
    counts: tuple[int, ...]
    microseconds: tuple[int, ...]
    confidences: ConfidenceGroups
    runs: Runs

    def __add__(self, other: NameTally) -> NameTally:
        """The tally of both inputs, the other's records numbered after this one's."""
        return NameTally(
            self.n_items + other.n_items,
            tuple(a + b for a, b in zip(self.counts, other.counts, strict=True)),
            tuple(a + b for a, b in zip(self.microseconds, other.microseconds, strict=True)),
            self.confidences + other.confidences,
            self.runs + other.runs,
        )


class _Columns:
    """Slots of the last items as columns, folded into the sums block by block."""

    def __init__(self) -> None:
        self.codes = bytearray()
        self.durations: list[float | None] = []
        self.confidences: list[float | None] = []
        self._counts = [0] * len(VERDICTS)
        self._microseconds = [0] * len(VERDICTS)
        self._groups: list[ConfidenceGroups] = []

    def fold(self) -> None:
        """Adds the collected slots to the sums and forgets them."""
        codes = np.frombuffer(bytes(self.codes), dtype=np.uint8)
        durations = _floats(self.durations)
        durations[np.isnan(durations)] = 1.0
        for code, count in enumerate(np.bincount(codes, minlength=len(VERDICTS)).tolist()):
            self._counts[code] += count
        for code, weight in enumerate(sum_microseconds(durations, codes, len(VERDICTS))):
            self._microseconds[code] += weight
        scored = codes != EXCLUDED
        correct = np.isin(codes, tuple(CORRECT))
        confidences = _floats(self.confidences)
        ranked = scored & ~np.isnan(confidences)
        self._group(group_confidences(confidences[ranked], correct[ranked]))
        self.codes, self.durations, self.confidences = bytearray(), [], []

    def _group(self, groups: ConfidenceGroups) -> None:
        """Keeps groups of falling size, so that each confidence is merged a logarithmic number of times."""
        while self._groups and 2 * groups.n.size >= self._groups[-1].n.size:
            groups = self._groups.pop() + groups
        self._groups.append(groups)

    def tally(self, n_items: int, runs: Runs) -> NameTally:
        """Everything counted so far."""
        self.fold()
        groups = self._groups.pop()
        while self._groups:
            groups = self._groups.pop() + groups
        return NameTally(n_items, tuple(self._counts), tuple(self._microseconds), groups, runs)


def _floats(values: list[float | None]) -> NDArray[np.float64]:
    """The values as doubles, None as NaN (a contract's numbers are finite, so NaN is free to mean absence)."""
    return np.array(values, dtype=np.float64)


def tally(items: Iterable[contract.NameAccuracyItem], judge: Judge, parameter: str = "items") -> NameTally:
    """The counts of a stream of items, read once and forgotten; `parameter` names the stream in errors.

    Raises RecordError for a truth that cannot be one. Memory grows by the bytes of ids and verdicts only.
    """
    columns, runs, n_items = _Columns(), RunBuilder(), 0
    orders: dict[tuple[str, ...], tuple[str, ...]] = {}
    stream = iter(items)
    while block := list(islice(stream, _ITEMS_AT_ONCE)):
        slots, orders_of_block, ends = _flattened(block, orders)
        try:
            entries = judge.entries(slots)
        except ValueError as error:
            raise RecordError(list(_truth_faults(block, parameter, n_items))) from error
        columns.codes += (codes := bytes([entry[0] for entry in entries]))
        columns.durations += [slot.duration for slot in slots]
        columns.confidences += [slot.confidence for slot in slots]
        digests = b"".join([entry[1:] for entry in entries]) if judge.paired else b""
        start = 0
        for index, (item, ranked, end) in enumerate(zip(block, orders_of_block, ends, strict=True), n_items):
            payload = codes[start:end]
            if digests:
                payload += digests[DIGEST_SIZE * start : DIGEST_SIZE * end]
            runs.add(item.item_id, index, ranked, payload)
            start = end
        n_items += len(block)
        if len(columns.codes) >= _SLOTS_AT_ONCE:
            columns.fold()
    return columns.tally(n_items, runs.build())


def _flattened(
    block: list[contract.NameAccuracyItem], orders: dict[tuple[str, ...], tuple[str, ...]]
) -> tuple[list[contract.NameSlot], list[tuple[str, ...]], list[int]]:
    """The slots of some items, each item's in the order of its labels; these labels, and where each item ends."""
    slots: list[contract.NameSlot] = []
    labels_of_block, ends = [], []
    for item in block:
        labels = tuple(item.slots)
        ranked = orders.get(labels)
        if ranked is None:
            ranked = _remember(orders, labels)
        slots += item.slots.values() if ranked == labels else [item.slots[label] for label in ranked]
        labels_of_block.append(ranked)
        ends.append(len(slots))
    return slots, labels_of_block, ends


def _remember(orders: dict[tuple[str, ...], tuple[str, ...]], labels: tuple[str, ...]) -> tuple[str, ...]:
    if len(orders) >= _CACHED_PAIRS:
        orders.clear()
    return orders.setdefault(labels, tuple(sorted(labels)))


def _truth_faults(block: list[contract.NameAccuracyItem], parameter: str, first: int) -> Iterator[RecordFault]:
    """The faults of the first item with a truth that cannot be one."""
    for index, item in enumerate(block, first):
        truths = ((label, item.slots[label].truth) for label in sorted(item.slots))
        faults = [
            RecordFault(parameter, index, fault, ("slots", label, "truth"))
            for label, truth in truths
            if truth is not None and (fault := truth_fault(truth))
        ]
        if faults:
            yield from faults
            return
