"""One command from its accepted plan to its bytes: open, score, say what was wrong by file and line, write."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from voxint.cli.plan import Plan
from voxint.cli.progress import Progress
from voxint.cli.spec import DOCUMENT, STREAM, TEXT, Parameter
from voxint.errors import Fault, InputError, RecordError, RecordFault, UsageError
from voxint.io import canonical, read, write
from voxint.semantics import rules_of

Inputs = Mapping[str, "read.Rows[Any]"]


def run(plan: Plan) -> int:
    """Carries out an accepted plan and returns its exit code; InputError and EdgeError say what went wrong."""
    values = dict(plan.values)
    out, form = values.pop("out", None), values.pop("format", None)
    _check_places(plan, out)
    function = _function(plan.spec.function)
    if plan.spec.returns == TEXT:
        return _say(function(**values).encode())
    with Progress() as progress:
        inputs = {p.name: _open(p, values[p.name], progress) for p in plan.spec.parameters if p.name in values}
        try:
            head, parts = _outcome(function, inputs)
        except RecordError as error:
            raise _located(error, inputs, values) from None
        except ValueError as error:
            raise InputError(str(error)) from error
    return _deliver(head, parts, out, form)


def _function(place: str) -> Callable[..., Any]:
    """The function at `module:name`, or its sibling `outcome` that produces long lists one element at a time."""
    module, _, name = place.partition(":")
    loaded = import_module(module)
    found: Callable[..., Any] = getattr(loaded, "outcome" if name == "score" and hasattr(loaded, "outcome") else name)
    return found


def _check_places(plan: Plan, out: str | None) -> None:
    """Refuses what cannot work before any work: an input that cannot be read, an output that would eat an input."""
    sources = [plan.values[p.name] for p in plan.spec.parameters if p.is_input and p.name in plan.values]
    if sources.count("-") > 1:
        raise UsageError("stdin (-) can be read once only: give the other input as a file")
    for source in sources:
        _check_readable(source)
        if out is not None and source != "-" and write.same_file(source, out):
            raise UsageError(f"--out: {out} is an input of this command")
    if out is not None:
        write.check_writable(out)


def _check_readable(source: str) -> None:
    """Opens a file and closes it again; what cannot be read twice is left for the one reading."""
    if source == "-" or Path(source).is_fifo():
        return
    try:
        Path(source).open("rb").close()
    except OSError as error:
        raise InputError(Fault(f"cannot be read: {error.strerror}", source)) from error


def _open(parameter: Parameter, value: Any, progress: Progress) -> Any:
    if not parameter.is_input:
        return value
    from voxint_contracts.catalog import DOCUMENTS

    document = next(document for document in DOCUMENTS if document.name == parameter.contract)
    model = getattr(import_module(document.module), document.model)
    rules = rules_of(document.rules)
    if parameter.kind == DOCUMENT:
        return read.document(value, model, rules=rules)
    assert parameter.kind == STREAM
    return read.rows(value, model, rules=rules, on_bytes=progress.of(value))


def _outcome(function: Callable[..., Any], inputs: Inputs) -> tuple[Any, Mapping[str, Any]]:
    result = function(**inputs)
    if hasattr(result, "parts"):
        return result.head, {name: part.values() for name, part in result.parts.items()}
    return result, {}


def _located(error: RecordError, inputs: Inputs, values: Mapping[str, Any]) -> InputError:
    """The same faults by file and line instead of parameter and record number."""
    lines = _lines(error, inputs)
    placed: dict[str, Iterator[Fault]] = {}
    for name, rows in inputs.items():
        own = [record for record in error.records if record.parameter == name and record.index is not None]
        placed[name] = iter(rows.places(own) if own else ())
    faults = []
    for record in error.records:
        if record.index is None:
            fault = Fault(record.message, str(values.get(record.parameter, record.parameter)), path=record.path)
        else:
            fault = next(placed[record.parameter])
        faults.append(replace(fault, message=record.message + _see(record, lines, values)))
    return InputError(faults, error.n_faults)


def _lines(error: RecordError, inputs: Inputs) -> dict[tuple[str, int], int | None]:
    """The line of each record that a fault refers to."""
    others = sorted({record.other for record in error.records if record.other is not None})
    lines: dict[tuple[str, int], int | None] = {}
    for name in sorted({name for name, _ in others}):
        asked = [index for other, index in others if other == name]
        found = inputs[name].places([RecordFault(name, index, "") for index in asked])
        lines |= {(name, index): fault.line for index, fault in zip(asked, found, strict=True)}
    return lines


def _see(record: RecordFault, lines: Mapping[tuple[str, int], int | None], values: Mapping[str, Any]) -> str:
    if record.other is None:
        return ""
    line = lines[record.other]
    return f" (see line {line})" if record.other[0] == record.parameter else f" (see {values[record.other[0]]}:{line})"


def _deliver(head: Any, parts: Mapping[str, Iterator[Any]], out: str | None, form: str | None) -> int:
    """Writes the report where the user looks for it; see the table in docs/walk.md."""
    terminal = sys.stdout.isatty()
    if out is not None:
        write.write_atomic(out, _chunks(head, parts, form or "json", terminal=False))
        return _say(_drawn(head, "table", terminal=True) + f"\n{out} written\n".encode()) if terminal else 0
    if form is None and terminal:
        hint = "\n--out FILE writes the whole report; --format json prints it\n"
        return _say(_drawn(head, "table", terminal=True) + hint.encode())
    return _print(_chunks(head, parts, form or "json", terminal=terminal))


def _chunks(head: Any, parts: Mapping[str, Iterator[Any]], form: str, *, terminal: bool) -> Iterator[bytes]:
    if form == "json":
        return canonical.stream(head, parts)
    return iter([_drawn(head, form, terminal=terminal)])


def _drawn(head: Any, form: str, *, terminal: bool) -> bytes:
    from voxint.cli import render
    from voxint.cli.summaries import summary_of

    summary = summary_of(head)
    text = render.markdown(summary) if form == "md" else render.table(summary, terminal=terminal)
    return text.encode()


def _say(text: bytes) -> int:
    return _print([text])


def _print(chunks: Iterable[bytes]) -> int:
    """0 when stdout took it all, 2 in silence when its reader went away."""
    return 0 if write.write_stdout(chunks) else 2
