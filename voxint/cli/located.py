"""Faults by file and line instead of parameter and record number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from voxint.errors import Fault, InputError, RecordError, RecordFault
from voxint.io.lines import Lines
from voxint.io.read import Rows, document_places


def located(error: RecordError, inputs: Mapping[str, Rows[Any] | Lines], names: Mapping[str, str]) -> InputError:
    """The error that says where each faulty record stands: `inputs` are the open streams, `names` their files."""
    lines = _lines(error, inputs)
    placed: dict[str, Iterator[Fault]] = {}
    for name, rows in inputs.items():
        own = [record for record in error.records if record.parameter == name and record.index is not None]
        placed[name] = iter(rows.places(own) if own else ())
    faults = [
        _whole(record, names) if record.index is None else next(placed[record.parameter]) for record in error.records
    ]
    shown = [
        replace(fault, message=fault.message + _see(record, lines, names))
        for fault, record in zip(faults, error.records, strict=True)
    ]
    return InputError(shown, error.n_faults)


def _whole(record: RecordFault, names: Mapping[str, str]) -> Fault:
    """A fault of a file as a whole or, with a path, of a place in a JSON document."""
    file = names.get(record.parameter, record.parameter)
    if record.path and Path(file).is_file():
        return document_places(file, [record])[0]
    return Fault(record.message, file, path=record.path)


def _lines(error: RecordError, inputs: Mapping[str, Rows[Any] | Lines]) -> dict[tuple[str, int], int | None]:
    """The line of each record that a fault refers to."""
    others = sorted({record.other for record in error.records if record.other is not None})
    lines: dict[tuple[str, int], int | None] = {}
    for name in sorted({name for name, _ in others}):
        asked = [index for other, index in others if other == name]
        found = inputs[name].places([RecordFault(name, index, "") for index in asked])
        lines |= {(name, index): fault.line for index, fault in zip(asked, found, strict=True)}
    return lines


def _see(record: RecordFault, lines: Mapping[tuple[str, int], int | None], names: Mapping[str, str]) -> str:
    if record.other is None:
        return ""
    line = lines[record.other]
    return f" (see line {line})" if record.other[0] == record.parameter else f" (see {names[record.other[0]]}:{line})"
