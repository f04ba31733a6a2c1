"""One command from its accepted plan to its bytes: open, score, say what was wrong by file and line, write."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from voxint.cli.deliver import deliver, say
from voxint.cli.located import located
from voxint.cli.plan import Plan
from voxint.cli.products import Product, Report, Stream
from voxint.cli.progress import Progress
from voxint.cli.spec import DOCUMENT, DOCUMENTS, LINES, TEXT, Parameter, Spec
from voxint.errors import ContractError, Fault, InputError, RecordError, UsageError
from voxint.io import read, write
from voxint.io.lines import lines
from voxint.semantics import rules_of


def run(plan: Plan) -> int:
    """Carries out an accepted plan and returns its exit code; InputError and EdgeError say what went wrong."""
    values, spec = dict(plan.values), plan.spec
    out, form = values.pop("out", None), values.pop("format", None)
    others = {p.name: values.pop(p.name) for p in spec.more_results if p.name in values}
    if form == "html":
        from voxint.edges.page import check_installed

        check_installed()
    _check_places(plan, [*([out] if out is not None else []), *others.values()])
    function = _function(spec.function)
    # Records die by reference counts; looking for cycles among millions of them is a tenth of the time.
    gc.set_threshold(50_000, 20, 100)
    if spec.returns == TEXT:
        return say([function(**values).encode()])
    with Progress() as progress:
        inputs = {p.name: _open(p, values[p.name], progress) for p in spec.parameters if p.name in values}
        with _faults_located(inputs, values):
            product, more = _products(spec, function(**inputs))
            for name, place in others.items():
                write.write_atomic(place, more[name].json())
            return deliver(product, out, form, progress.stop, spec.forms[0])


@contextmanager
def _faults_located(inputs: Mapping[str, Any], values: Mapping[str, Any]) -> Iterator[None]:
    """Errors of the scorer as errors of the user's files."""
    try:
        yield
    except RecordError as error:
        raise located(error, inputs, values) from None
    except ContractError as error:
        raise _with_others(error, inputs) from None


def _with_others(error: ContractError, inputs: Mapping[str, Any]) -> ContractError:
    """The faults of one file, and those of the files that would have been read after it."""
    logs = [error]
    for rows in inputs.values():
        if isinstance(rows, read.Rows) and all(rows.file != fault.file for fault in error.faults):
            try:
                for _ in rows:
                    pass
            except ContractError as more:
                logs.append(more)
            except InputError:
                # A stream that was read already: what it held has been judged.
                continue
    return ContractError([fault for log in logs for fault in log.faults], sum(log.n_faults for log in logs))


def _function(place: str) -> Callable[..., Any]:
    """The function at `module:name`, or its sibling `outcome` that produces long lists one element at a time."""
    module, _, name = place.partition(":")
    loaded = import_module(module)
    found: Callable[..., Any] = getattr(loaded, "outcome" if name == "score" and hasattr(loaded, "outcome") else name)
    return found


def _check_places(plan: Plan, outputs: list[str]) -> None:
    """Refuses what cannot work before any work: an input that cannot be read, an output that would eat a file."""
    given = [plan.values[p.name] for p in plan.spec.parameters if p.is_input and p.name in plan.values]
    sources = [source for each in given for source in ((each,) if isinstance(each, str) else each)]
    if sources.count("-") > 1:
        raise UsageError("stdin (-) can be read once only: give the other input as a file")
    for source in sources:
        _check_readable(source)
    for number, out in enumerate(outputs):
        if any(source != "-" and write.same_file(source, out) for source in sources):
            raise UsageError(f"{out} is an input of this command and cannot be its output")
        if any(write.same_file(out, other) for other in outputs[:number]):
            raise UsageError(f"{out} cannot take two outputs")
        write.check_writable(out)


def _check_readable(source: str) -> None:
    """Opens a file and closes it again; what cannot be read twice is left for the one reading."""
    if source == "-":
        return
    try:
        if not Path(source).is_fifo():
            Path(source).open("rb").close()
    except OSError as error:
        raise InputError(Fault(f"cannot be read: {error.strerror}", source)) from error


def _open(parameter: Parameter, value: Any, progress: Progress) -> Any:
    if not parameter.is_input:
        return value
    if parameter.kind == LINES:
        return lines(value)
    from voxint_contracts.catalog import DOCUMENTS

    document = next(document for document in DOCUMENTS if document.name == parameter.contract)
    model = getattr(import_module(document.module), document.model)
    rules = rules_of(document.rules)
    if parameter.kind == DOCUMENT:
        return read.document(value, model, rules=rules)
    if parameter.kind == DOCUMENTS:
        return _documents(value, model, rules)
    return read.rows(value, model, rules=rules, on_bytes=progress.of(value))


def _documents(sources: tuple[str, ...], model: Any, rules: tuple[Any, ...]) -> tuple[Any, ...]:
    """The models of several files; the faults of all of them at once."""
    models, logs = [], []
    for source in sources:
        try:
            models.append(read.document(source, model, rules=rules))
        except ContractError as error:
            logs.append(error)
    if logs:
        raise ContractError([fault for log in logs for fault in log.faults], sum(log.n_faults for log in logs))
    return tuple(models)


def _products(spec: Spec, result: Any) -> tuple[Product, dict[str, Product]]:
    """The main product, and further streams by the name of their flag."""
    if hasattr(result, "parts"):
        return Report(result.head, {name: part.values() for name, part in result.parts.items()}), {}
    if not spec.is_stream:
        return Report(result, {}), {}
    if not is_dataclass(result):
        return Stream(result, spec.returns), {}
    first = fields(result)[0].name
    more: dict[str, Product] = {p.name: Stream(getattr(result, p.name), p.contract) for p in spec.more_results}
    return Stream(getattr(result, first), spec.returns), more
