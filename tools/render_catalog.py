"""Renders voxint/cli/catalog.py: what each command takes, read from its function's signature and docstring."""

from __future__ import annotations

import importlib
import inspect
import sys
import types
from collections.abc import Callable
from collections.abc import Iterable as AbcIterable
from dataclasses import is_dataclass
from pathlib import Path
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import annotated_types
from docstring_parser import parse
from docstring_parser.common import DocstringStyle
from voxint_contracts.base import Contract
from voxint_contracts.catalog import document_of

from voxint.cli import spec as s
from voxint.cli.commands import COMMANDS

CATALOG = Path(__file__).resolve().parent.parent / "voxint" / "cli" / "catalog.py"
HEADER = '''"""What every command takes. @generated from the functions' signatures by tools/render_catalog.py."""

from voxint.cli.spec import Parameter, Spec

SPECS: dict[tuple[str, ...], Spec] = {
'''


def function_of(place: str) -> Callable[..., Any]:
    """The function that `module:name` names."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)  # type: ignore[no-any-return]


def spec_of(words: tuple[str, ...], place: str) -> s.Spec:
    """The spec of one command, from the signature and the Google-style docstring of its function."""
    function = function_of(place)
    doc = parse(function.__doc__ or "", DocstringStyle.GOOGLE)
    helps = {param.arg_name: " ".join((param.description or "").split()) for param in doc.params}
    hints = get_type_hints(function, include_extras=True)
    example = next((meta.description or "" for meta in doc.examples), "")
    return s.Spec(
        words=words,
        function=place,
        summary=doc.short_description or "",
        details=_unwrapped(doc.long_description or ""),
        parameters=tuple(
            _parameter(p, hints[p.name], helps[p.name]) for p in inspect.signature(function).parameters.values()
        ),
        example=example,
        **_results(hints["return"]),
    )


def _unwrapped(text: str) -> str:
    return "\n".join(" ".join(block.split()) for block in text.split("\n\n"))


def _results(hint: Any) -> dict[str, Any]:
    """The contract of what a function returns; a dataclass of streams has a flag for each field but the first."""
    if hint is str:
        return {"returns": s.TEXT}
    if not is_dataclass(hint):
        kind, contract = _kind(hint)
        return {"returns": contract, "is_stream": kind == s.STREAM}
    doc = parse(hint.__doc__ or "", DocstringStyle.GOOGLE)
    helps = {param.arg_name: " ".join((param.description or "").split()) for param in doc.params}
    (_, first), *others = get_type_hints(hint).items()
    more = tuple(s.Parameter(name, s.RESULT, helps[name], contract=_kind(other)[1]) for name, other in others)
    return {"returns": _kind(first)[1], "is_stream": True, "more_results": more}


def _parameter(parameter: inspect.Parameter, hint: Any, text: str) -> s.Parameter:
    base, bounds = _unfold(hint)
    kind, contract = _kind(base)
    default = parameter.default
    required = default is parameter.empty
    return s.Parameter(
        name=parameter.name,
        kind=kind,
        help=text,
        positional=parameter.kind is parameter.POSITIONAL_OR_KEYWORD,
        required=required,
        default=None if required or default is None else str(default),
        contract=contract,
        **_limits(bounds),
    )


def _unfold(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """The type without None and Annotated, and the annotations."""
    if get_origin(hint) in (Union, types.UnionType):
        (hint,) = [part for part in get_args(hint) if part is not type(None)]
    if get_origin(hint) is Annotated:
        base, *bounds = get_args(hint)
        return base, tuple(bounds)
    return hint, ()


def _kind(base: Any) -> tuple[str, str]:
    if base == AbcIterable[str]:
        return s.LINES, ""
    if get_origin(base) is AbcIterable:
        return s.STREAM, document_of(get_args(base)[0]).name
    if isinstance(base, type) and issubclass(base, Contract):
        return s.DOCUMENT, document_of(base).name
    return {float: s.NUMBER, int: s.WHOLE, str: s.TEXT}[base], ""


def _limits(bounds: tuple[Any, ...]) -> dict[str, Any]:
    limits: dict[str, Any] = {}
    for bound in bounds:
        match bound:
            case annotated_types.Ge(ge=low):
                limits |= {"low": low}
            case annotated_types.Gt(gt=low):
                limits |= {"low": low, "low_open": True}
            case annotated_types.Le(le=high):
                limits |= {"high": high}
            case _:
                raise TypeError(f"a command's number cannot carry {bound!r}")
    return limits


def render() -> str:
    """The text of catalog.py."""
    specs = {
        (group, command): spec_of((group, command), place)
        for group, commands in COMMANDS.items()
        for command, place in commands.items()
    }
    return HEADER + "".join(f"    {words!r}: {_source(spec)},\n" for words, spec in specs.items()) + "}\n"


def _source(spec: s.Spec) -> str:
    rows = ",\n            ".join(repr(parameter) for parameter in spec.parameters)
    fields = ",\n        ".join(
        f"{name}={getattr(spec, name)!r}"
        for name in ("words", "function", "summary", "details", "returns", "is_stream", "more_results", "example")
    )
    parameters = f"(\n            {rows},\n        )" if rows else "()"
    return f"Spec(\n        {fields},\n        parameters={parameters},\n    )"


def main() -> int:
    """Writes the catalog, or with --check says whether the committed one is stale."""
    fresh = render()
    if "--check" in sys.argv[1:]:
        if not CATALOG.exists() or CATALOG.read_text(encoding="utf-8") != fresh:
            print(f"{CATALOG.name}: stale, run make generate")
            return 1
        return 0
    CATALOG.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
