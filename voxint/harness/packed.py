"""Per-item state as bytes: sorted runs that are merged once at the end.

A million records as Python objects cost a gigabyte; as packed bytes they cost what their text costs.
"""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, chain

RUN_LENGTH = 1 << 16


def pack_labels(labels: Iterable[str]) -> bytes:
    """The labels as netstrings: equal bytes exactly when the labels and their order are equal."""
    return b"".join(b"%d:%b" % (len(raw), raw) for raw in (label.encode() for label in labels))


def unpack_labels(packed: bytes) -> tuple[str, ...]:
    """The labels that `pack_labels` packed."""
    labels, start = [], 0
    while start < len(packed):
        colon = packed.index(b":", start)
        end = colon + 1 + int(packed[start:colon])
        labels.append(packed[colon + 1 : end].decode())
        start = end
    return tuple(labels)


class Strings:
    """An immutable list of byte strings in one block: 4 bytes of overhead each."""

    __slots__ = ("_block", "_ends")

    def __init__(self, items: Iterable[bytes]) -> None:
        kept = list(items)
        self._block = b"".join(kept)
        wide = len(self._block) > 0xFFFFFFFF
        self._ends = array("Q" if wide else "I", chain((0,), accumulate(map(len, kept))))

    @classmethod
    def of(cls, block: bytes, ends: array[int]) -> Strings:
        """The strings of a block that end at these places, the first of which is 0."""
        made = cls(())
        made._block, made._ends = block, ends
        return made

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, index: int) -> bytes:
        return self._block[self._ends[index] : self._ends[index + 1]]

    def __iter__(self) -> Iterator[bytes]:
        block, start = self._block, 0
        for end in self._ends[1:]:
            yield block[start:end]
            start = end


class StringsBuilder:
    """Collects byte strings into `Strings` without holding an object for each."""

    __slots__ = ("_block", "_ends")

    def __init__(self) -> None:
        self._block = bytearray()
        self._ends = array("Q", (0,))

    def add(self, item: bytes) -> None:
        """Takes one more."""
        self._block += item
        self._ends.append(len(self._block))

    def build(self) -> Strings:
        """All that were added, in order."""
        return Strings.of(bytes(self._block), self._ends)


Entry = tuple[bytes, int, bytes, bytes]
"""One record as it is kept: key, index, packed sorted labels, payload in their order."""


class Run:
    """Up to RUN_LENGTH records, sorted by key and then by the order of reading."""

    __slots__ = ("_groups", "_indexes", "_keys", "_label_sets", "_payloads", "first_index")

    def __init__(self, records: list[tuple[bytes, int, int, bytes]], label_sets: Iterable[bytes]) -> None:
        records.sort()
        self.first_index = min(record[1] for record in records)
        self._keys = Strings(record[0] for record in records)
        self._indexes = array("I", (record[1] - self.first_index for record in records))
        self._groups = array("I", (record[2] for record in records))
        self._payloads = Strings(record[3] for record in records)
        self._label_sets = Strings(label_sets)

    def __len__(self) -> int:
        return len(self._keys)

    def entries(self, shift: int = 0) -> Iterator[Entry]:
        """Every record in order; `shift` is added to its index."""
        shift += self.first_index
        label_sets = self._label_sets
        last_group, labels = -1, b""
        for key, index, group, payload in zip(self._keys, self._indexes, self._groups, self._payloads, strict=True):
            if group != last_group:
                last_group, labels = group, label_sets[group]
            yield key, index + shift, labels, payload


@dataclass(frozen=True, slots=True)
class Runs:
    """Sorted runs, each with the shift of its record numbers; adding two keeps both."""

    parts: tuple[tuple[Run, int], ...] = ()

    def __add__(self, other: Runs) -> Runs:
        """Both sets of runs, the second one's records numbered after the first one's."""
        shift = sum(len(run) for run, _ in self.parts)
        return Runs(self.parts + tuple((run, own + shift) for run, own in other.parts))

    def merged(self) -> Iterator[Entry]:
        """All records by key in code point order (UTF-8 bytes sort as their characters do), then by index."""
        if len(self.parts) == 1:
            run, shift = self.parts[0]
            return run.entries(shift)
        return heapq.merge(*(run.entries(shift) for run, shift in self.parts))


class RunBuilder:
    """Collects records and packs them run by run."""

    def __init__(self) -> None:
        self._records: list[tuple[bytes, int, int, bytes]] = []
        self._label_sets: dict[tuple[str, ...], int] = {}
        self._parts: list[tuple[Run, int]] = []

    def add(self, key: str, index: int, labels: tuple[str, ...], payload: bytes) -> None:
        """Keeps one record: `labels` sorted, `payload` in their order."""
        group = self._label_sets.setdefault(labels, len(self._label_sets))
        self._records.append((key.encode(), index, group, payload))
        if len(self._records) >= RUN_LENGTH:
            self._pack()

    def _pack(self) -> None:
        self._parts.append((Run(self._records, map(pack_labels, self._label_sets)), 0))
        self._records, self._label_sets = [], {}

    def build(self) -> Runs:
        """All runs, the last one packed."""
        if self._records:
            self._pack()
        return Runs(tuple(self._parts))
