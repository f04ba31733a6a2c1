"""Faults by file and line instead of parameter and record number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from voxint.errors import Fault, InputError, RecordError, RecordFault
from voxint.io.read import document_places


def located(error: RecordError, inputs: Mapping[str, Any], given: Mapping[str, Any]) -> InputError:
    """The error that says where each faulty record stands: `inputs` are what was opened, `given` the files' names.

    Of a parameter with several documents, a record's number is that of its document.
    """
    names = {name: value for name, value in given.items() if isinstance(value, str)}
    several = {name: value for name, value in given.items() if isinstance(value, tuple)}
    names |= {_numbered(name, place): file for name, files in several.items() for place, file in enumerate(files)}
    error = RecordError([_of_a_document(record, several) for record in error.records], error.n_faults)
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


def _numbered(name: str, place: int) -> str:
    return f"{name}[{place}]"


def _of_a_document(record: RecordFault, several: Mapping[str, tuple[str, ...]]) -> RecordFault:
    """The record as a fault of its document as a whole, if its parameter has several."""
    if record.parameter not in several or record.index is None:
        return record
    return replace(record, parameter=_numbered(record.parameter, record.index), index=None)


def _whole(record: RecordFault, names: Mapping[str, str]) -> Fault:
    """A fault of a file as a whole or, with a path, of a place in a JSON document."""
    file = names.get(record.parameter, record.parameter)
    if record.path and Path(file).is_file():
        return document_places(file, [record])[0]
    return Fault(record.message, file, path=record.path)


def _lines(error: RecordError, inputs: Mapping[str, Any]) -> dict[tuple[str, int], int | None]:
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
