"""One command from its accepted plan to its bytes: open, score, say what was wrong by file and line, write."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import fields, is_dataclass
from importlib import import_module
from inspect import signature
from typing import Any

from voxint.cli import complain
from voxint.cli.deliver import deliver, say
from voxint.cli.inputs import check_readable, open_input
from voxint.cli.located import located
from voxint.cli.plan import Plan
from voxint.cli.products import Product, Report, Stream
from voxint.cli.progress import Progress
from voxint.cli.spec import TEXT, Spec
from voxint.errors import ContractError, InputError, RecordError, UsageError, visible_name
from voxint.io import read, write


def run(plan: Plan) -> int:
    """Carries out an accepted plan and returns its exit code; InputError and EdgeError say what went wrong."""
    values, spec = dict(plan.values), plan.spec
    out, form = values.pop("out", None), values.pop("format", None)
    others = {p.name: values.pop(p.name) for p in spec.more_results if p.name in values}
    if form == "html":
        from voxint.edges.plots import check_installed

        check_installed()
    outputs = [*([out] if out is not None else []), *others.values()]
    _check_places(plan, outputs)
    function = _function(spec.function)
    # Records die by reference counts; looking for cycles among millions of them is a tenth of the time.
    gc.set_threshold(50_000, 20, 100)
    if spec.returns == TEXT:
        return say([function(**values).encode()])
    with Progress() as progress:
        opened = {p.name: open_input(p, values[p.name], progress) for p in spec.parameters if p.name in values}
        inputs = {name: each.value for name, each in opened.items()}
        if "done" in signature(function).parameters:
            inputs["done"] = progress.steps(" ".join(spec.words))
        _check_untouched([file for each in opened.values() for file in each.files], outputs)
        with _faults_located(inputs, values):
            product, more = _products(spec, function(**inputs))
            _warn(product.warnings(), progress)
            with ExitStack() as stack:
                for name, place in others.items():
                    stack.enter_context(write.staged(place, more[name].json()))
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
    given = [(p, plan.values[p.name]) for p in plan.spec.parameters if p.is_input and p.name in plan.values]
    inputs = [(p, source) for p, value in given for source in ((value,) if isinstance(value, str) else value)]
    sources = [source for _, source in inputs]
    if sources.count("-") > 1:
        raise UsageError("stdin (-) can be read once only: give the other input as a file")
    for parameter, source in inputs:
        check_readable(parameter, source)
    _check_untouched(sources, outputs)
    for number, out in enumerate(outputs):
        if any(write.same_file(out, other) for other in outputs[:number]):
            raise UsageError(f"{out} cannot take two outputs")
        write.check_writable(out)


def _check_untouched(sources: Iterable[str], outputs: list[str]) -> None:
    """Refuses an output that is a file which the command reads."""
    for source in sources:
        for out in outputs:
            if source != "-" and write.same_file(source, out):
                raise UsageError(f"{out} is an input of this command and cannot be its output")


def _warn(warnings: Iterable[str], progress: Progress) -> None:
    for number, warning in enumerate(warnings):
        if not number:
            progress.stop()
        complain(f"warning: {visible_name(warning)}")


def _products(spec: Spec, result: Any) -> tuple[Product, dict[str, Product]]:
    """The main product, and further streams by the name of their flag."""
    if hasattr(result, "parts"):
        return Report(result.head, {name: part.values() for name, part in result.parts.items()}, result.notes), {}
    if not spec.is_stream:
        return Report(result, {}), {}
    if not is_dataclass(result):
        return Stream(result, spec.returns), {}
    first = fields(result)[0].name
    more: dict[str, Product] = {p.name: Stream(getattr(result, p.name), p.contract) for p in spec.more_results}
    return Stream(getattr(result, first), spec.returns), more
