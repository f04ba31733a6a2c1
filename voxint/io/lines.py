"""A plain text file with one entry a line, such as a list of ids."""

from __future__ import annotations

from itertools import chain

from voxint.errors import ContractError, Fault
from voxint.io.encoding import encoding_fault
from voxint.io.source import Source


def lines(source: str) -> list[str]:
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
    return [line for line in kept if line]
