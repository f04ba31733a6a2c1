"""What a command takes and returns, read from its function's signature and Google-style docstring."""

from __future__ import annotations

import importlib
import inspect
import types
from collections.abc import Callable
from collections.abc import Iterable as AbcIterable
from collections.abc import Sequence as AbcSequence
from dataclasses import is_dataclass
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import annotated_types
from docstring_parser import parse
from docstring_parser.common import DocstringStyle
from voxint_contracts.attribution.v1 import AlignInput
from voxint_contracts.audio_eval.v1 import RenderManifest
from voxint_contracts.base import Contract
from voxint_contracts.catalog import document_of

from voxint.audio_eval.render import Render
from voxint.cli import spec as s
from voxint.corpus import Meetings, Recordings
from voxint.harness.attribution_meetings import AlignFiles
from voxint.io.documents import Documents

_WITH_FILES: dict[Any, tuple[str, type[Contract]]] = {
    AlignFiles: (s.ALIGNMENT, AlignInput),
    Render: (s.RENDER, RenderManifest),
}
"""Documents that are opened together with the files they name."""


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
        default=None if required or default is None or default is False else str(default),
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


_OF_DOCUMENTS: dict[Any, str] = {AbcIterable: s.STREAM, AbcSequence: s.SEVERAL, Documents: s.EACH}


def _kind(base: Any) -> tuple[str, str]:
    for each, kind in ((AbcIterable[str], s.LINES), (Recordings, s.RTTMS), (Meetings, s.MEETINGS)):
        if base == each:
            return kind, ""
    if base in _WITH_FILES:
        kind, model = _WITH_FILES[base]
        return kind, document_of(model).name
    if (kind := _OF_DOCUMENTS.get(get_origin(base), "")) != "":
        return kind, document_of(get_args(base)[0]).name
    if isinstance(base, type) and issubclass(base, Contract):
        return s.DOCUMENT, document_of(base).name
    return {float: s.NUMBER, int: s.WHOLE, str: s.TEXT, bool: s.SWITCH}[base], ""


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
