"""A file into models: every fault of it at once, each with file, line, column and JSON path.

Decided here, where no contract says it: a JSON Lines file without records yields nothing, an empty document
is a fault; a number that overflows (1e400) is refused where a field reads it, and harmless where none does;
text in another encoding is one fault for the whole file.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Generic, TypeVar

from pydantic import BaseModel

from voxint.errors import SHOWN_FAULTS, ContractError, Fault, Path, RecordFault, VersionError
from voxint.io.check import Check, Rule, Violation
from voxint.io.encoding import encoding_fault
from voxint.io.locate import scan
from voxint.io.source import OnBytes, Source

__all__ = ["OnBytes", "Rows", "Rule", "Violation", "document", "document_places", "rows"]

M = TypeVar("M", bound=BaseModel)

_BLANK = b" \t\r\n"
_MOST_GAPS = 1 << 16


def rows(source: str, model: type[M], *, rules: Sequence[Rule[M]] = (), on_bytes: OnBytes | None = None) -> Rows[M]:
    """The records of a JSON Lines file (`-` is standard input), one model each; nothing is opened yet.

    To measure reading and validating alone, drop the models: `for _ in rows(source, model): pass`.
    """
    return Rows(source, model, rules=rules, on_bytes=on_bytes)


def document(source: str, model: type[M], *, rules: Sequence[Rule[M]] = ()) -> M:
    """The one model that a JSON file (`-` is standard input) holds.

    Raises:
        ContractError: it is not UTF-8 or strict JSON, or does not fit the model or a rule; holds all faults.
        VersionError: it was written for another version of the contract.
        InputError: it cannot be read.
    """
    origin = Source(source)
    data = origin.read()
    if not data.strip(_BLANK):
        raise ContractError(origin.fault("is empty: a JSON document is due"))
    foreign = encoding_fault(data, origin.file)
    if foreign is not None:
        raise ContractError(foreign)
    check = Check(model, rules)
    models = check.models([data])
    if models is not None:
        return models[0]
    error = VersionError if check.is_other_version(data) else ContractError
    raise error(*check.faults(data, origin.file))


def document_places(source: str, faults: Sequence[RecordFault]) -> tuple[Fault, ...]:
    """The faults with the file, line and column of their paths in a JSON document, which is read again."""
    origin = Source(source)
    text = origin.read().decode(errors="replace")
    return tuple(_placed(fault, origin.file, None if fault.path is None else 1, text) for fault in faults)


class Rows(Generic[M]):
    """The records of one source, each time it is iterated: a stream that holds few models at a time.

    Iterating raises `ContractError` at the end with all faults of the file, if it has any; after the first
    no more models come. `n_records` counts the models of the latest pass; `file` is the name for messages.
    """

    def __init__(
        self, source: str, model: type[M], *, rules: Sequence[Rule[M]] = (), on_bytes: OnBytes | None = None
    ) -> None:
        self._source = Source(source)
        self._check = Check(model, rules)
        self._on_bytes = on_bytes
        self._gaps = _Gaps()
        self.file = self._source.file
        self.n_records = 0

    def __iter__(self) -> Iterator[M]:
        """The models in order.

        Raises:
            ContractError: at the end, if the file has faults.
            InputError: it cannot be opened, or is a stream that was read before.
        """
        return chain.from_iterable(self._batches())

    def locate(self, index: int, path: Path | None = None) -> Fault:
        """File, line and column of record `index` (from 0), or of the value at `path` in it; no message.

        The file is read again. Of a stream, only the line is known.
        """
        return self.places([RecordFault("", index, "", path)])[0]

    def places(self, faults: Iterable[RecordFault]) -> tuple[Fault, ...]:
        """The faults with file, line and column instead of record numbers; one more pass over the file."""
        asked = list(faults)
        wanted = {fault.index for fault in asked if fault.index is not None}
        lines = self._lines_of(wanted)
        return tuple(_placed(fault, self.file, *lines.get(fault.index, (None, None))) for fault in asked)

    def _batches(self) -> Iterator[list[M]]:
        self.n_records, self._gaps, log = 0, _Gaps(), _Log(self._check, self.file)
        first_line = 1
        for batch in self._source.batches(self._on_bytes):
            records, models = batch, self._check.models(batch)
            if models is None:
                records = [line for line in batch if line.strip(_BLANK)]
                if len(records) < len(batch):
                    self._gaps.note(batch, self.n_records, first_line)
                    models = self._check.models(records)
            if models is None:
                log.sift(batch, first_line)
            elif not log.n_faults:
                self.n_records += len(models)
                yield models
            first_line += len(batch)
        if self._source.damage:
            log.add([Fault(self._source.damage, self.file, first_line)], 1)
        log.close()

    def _lines_of(self, wanted: set[int]) -> dict[int | None, tuple[int | None, str | None]]:
        """Line number and text of the wanted records."""
        if self._source.one_pass:
            return {index: (self._gaps.line(index), None) for index in wanted if index < self.n_records}
        found: dict[int | None, tuple[int | None, str | None]] = {}
        index = 0
        for number, line in enumerate(chain.from_iterable(self._source.batches()), 1):
            if len(found) == len(wanted):
                break
            if line.strip(_BLANK):
                if index in wanted:
                    found[index] = number, line.decode(errors="replace")
                index += 1
        return found


def _placed(fault: RecordFault, file: str, line: int | None, text: str | None) -> Fault:
    if text is None or fault.path is None:
        return Fault(fault.message, file, line, None, fault.path)
    _, spot = scan(text, [fault.path]).find(fault.path)
    before = text[: spot.start] if spot else ""
    number = None if line is None else line + before.count("\n")
    return Fault(fault.message, file, number, len(before) - before.rfind("\n"), fault.path)


class _Log(Generic[M]):
    """The faults of one pass: the first ones in full, then their number."""

    def __init__(self, check: Check[M], file: str) -> None:
        self._check = check
        self._file = file
        self._kept: list[Fault] = []
        self._is_foreign = False
        self.n_faults = 0

    def add(self, faults: Sequence[Fault], n_faults: int) -> None:
        """Keep what there is room for, count all."""
        self._kept += faults[: max(0, SHOWN_FAULTS - len(self._kept))]
        self.n_faults += n_faults

    def sift(self, lines: Iterable[bytes], first_line: int) -> None:
        """Take the faults of a batch in which at least one line is wrong."""
        for number, line in enumerate(lines, first_line):
            if not line.strip(_BLANK) or self._check.models([line]) is not None:
                continue
            foreign = encoding_fault(line, self._file, number)
            if foreign is not None:
                self.add([] if self._is_foreign else [foreign], 0 if self._is_foreign else 1)
                self._is_foreign = True
            elif len(self._kept) < SHOWN_FAULTS:
                self.add(*self._check.faults(line.rstrip(b"\r\n"), self._file, number))
            else:
                self.n_faults += self._check.n_faults(line)

    def close(self) -> None:
        """Raise what was found, if anything was."""
        if self.n_faults:
            raise ContractError(self._kept, self.n_faults)


class _Gaps:
    """Which line a record of a stream stands on, where blank lines push it down: two integers a gap."""

    def __init__(self) -> None:
        self._indices = array("q", [0])
        self._shifts = array("q", [1])

    def note(self, batch: Sequence[bytes], index: int, first_line: int) -> None:
        """Take in a batch with blank lines, whose first record is number `index`."""
        for number, line in enumerate(batch, first_line):
            if line.strip(_BLANK):
                if number - index != self._shifts[-1] and len(self._indices) < _MOST_GAPS:
                    self._indices.append(index)
                    self._shifts.append(number - index)
                index += 1

    def line(self, index: int) -> int | None:
        """The line of a record; None where there were too many gaps before it to remember."""
        at = bisect_right(self._indices, index) - 1
        if len(self._indices) >= _MOST_GAPS and at == len(self._indices) - 1:
            return None
        return index + self._shifts[at]
