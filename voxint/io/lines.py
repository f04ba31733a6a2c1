"""A plain text file with one entry a line, such as a list of ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from voxint.errors import ContractError, Fault, RecordFault
from voxint.io.encoding import encoding_fault
from voxint.io.source import Source


@dataclass(frozen=True, slots=True)
class Lines:
    """The entries of a text file, and where each stands."""

    file: str
    texts: tuple[str, ...]
    numbers: tuple[int, ...]
    """The line of each entry, from 1."""

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def places(self, records: Iterable[RecordFault]) -> Iterator[Fault]:
        """The faults by file and line, in order; each has the number of an entry."""
        for record in records:
            assert record.index is not None
            yield Fault(record.message, self.file, self.numbers[record.index])


def lines(source: str) -> Lines:
    """The lines of a text file (`-` is standard input), trimmed, blank ones left out.

    Raises:
        ContractError: a line is not UTF-8; the first such line is named.
        InputError: the file cannot be read.
    """
    origin = Source(source)
    kept: list[str] = []
    for raw in chain.from_iterable(origin.batches()):
        if fault := encoding_fault(raw, origin.file, len(kept) + 1):
            raise ContractError(fault)
        kept.append(raw.decode().strip())
    if origin.damage:
        raise ContractError(Fault(origin.damage, origin.file, len(kept) + 1))
    numbers = tuple(number for number, text in enumerate(kept, start=1) if text)
    return Lines(origin.file, tuple(kept[number - 1] for number in numbers), numbers)
