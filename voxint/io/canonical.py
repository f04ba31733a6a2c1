"""A model into the only bytes it can have: sorted keys, no spaces, finite numbers, UTF-8, one line.

A required field that is null is written as null; an optional field that is None, or an empty list or map, is left out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from itertools import islice
from math import isfinite
from types import NoneType
from typing import Any

from pydantic import BaseModel

from voxint.errors import quoted

_CHUNK = 1000
_ABSENT: tuple[object, ...] = (None, [], {})


def encode(model: BaseModel) -> bytes:
    """The canonical line of a model, with its line feed.

    Raises:
        ValueError: a number is not finite, or text holds half of a surrogate pair.
    """
    return _utf8(_dumps(model)) + b"\n"


def digest(model: BaseModel) -> str:
    """SHA-256 of the canonical line without its line feed, in hexadecimal.

    Raises:
        ValueError: as `encode`.
    """
    return hashlib.sha256(encode(model)[:-1]).hexdigest()


def digest_of(value: object) -> str:
    """SHA-256 of the canonical text of plain JSON values, in hexadecimal.

    Raises:
        ValueError: as `encode`.
    """
    return hashlib.sha256(_utf8(_dumps(value))).hexdigest()


def encode_list(models: Iterable[BaseModel]) -> bytes:
    """The canonical JSON array of models, without a line feed.

    Raises:
        ValueError: as `encode`.
    """
    return _utf8("[" + ",".join(map(_dumps, models)) + "]")


def encode_map(texts: Mapping[str, str]) -> bytes:
    """The canonical line of a map from texts to texts, with its line feed.

    Raises:
        ValueError: a text holds half of a surrogate pair.
    """
    return _utf8(_ENCODER.encode(dict(sorted(texts.items())))) + b"\n"


def stream(model: BaseModel, parts: Mapping[str, Iterable[object]]) -> Iterator[bytes]:
    """The bytes of `encode`, in pieces, with the top-level arrays named in `parts` filled from their iterables.

    What the model itself holds in those fields does not matter. Elements are models or plain JSON values, and at
    most 1,000 of them are held at a time.

    Raises:
        ValueError: as `encode`, possibly after some pieces; or a part that is no field of the model.
    """
    unknown = sorted(parts.keys() - type(model).model_fields.keys())
    if unknown:
        raise ValueError(f"{type(model).__name__} has no field {', '.join(map(quoted, unknown))}")
    return _pieces({**_fields(model), **parts}, parts)


def _pieces(fields: Mapping[str, object], parts: Mapping[str, Iterable[object]]) -> Iterator[bytes]:
    opening = "{"
    for name in sorted(fields):
        key = f"{opening}{_dumps(name)}:"
        if name in parts:
            yield _utf8(key + "[")
            yield from _elements(parts[name])
            yield b"]"
        else:
            yield _utf8(key + _dumps(fields[name]))
        opening = ","
    yield b"}\n" if fields else b"{}\n"


def _elements(values: Iterable[object]) -> Iterator[bytes]:
    iterator, separator = iter(values), ""
    while chunk := list(islice(iterator, _CHUNK)):
        # The standard encoder is quick in plain values, and best a thousand at a time; a model has a writer of its own.
        is_plain = isinstance(chunk[0], dict)
        yield _utf8(separator + (_ENCODER.encode(chunk)[1:-1] if is_plain else ",".join(map(_dumps, chunk))))
        separator = ","


def _dumps(value: object) -> str:
    """The JSON text of any value: models field by field, all else by the standard encoder."""
    kind = type(value)
    write = _WRITERS.get(kind)
    if write is None:
        write = _WRITERS[kind] = _writer(kind)
    return write(value)


def _writer(kind: type[Any]) -> Callable[[Any], str]:
    """How values of one type are written."""
    if issubclass(kind, BaseModel):
        return _model_writer(kind)
    if issubclass(kind, Enum):
        texts = {member: _dumps(member.value) for member in kind}
        return texts.__getitem__
    return _ENCODER.encode


def _model_writer(model: type[BaseModel]) -> Callable[[BaseModel], str]:
    plan = [(f"{_string(name)}:", name, model.model_fields[name].is_required()) for name in sorted(model.model_fields)]
    writers = _WRITERS

    def write(value: BaseModel) -> str:
        values, parts = value.__dict__, []
        for key, name, is_required in plan:
            field = values[name]
            if is_required or field or field not in _ABSENT:
                known = writers.get(type(field))
                parts.append(key + (known(field) if known else _dumps(field)))
        return "{" + ",".join(parts) + "}"

    return write


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return _fields(value)
    if isinstance(value, Enum):
        return value.value
    raise TypeError(f"{type(value).__name__} has no JSON form")


_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain)
_string = json.encoder.encode_basestring


def _number(value: float) -> str:
    return float.__repr__(value) if isfinite(value) else _ENCODER.encode(value)


_WRITERS: dict[type[Any], Callable[[Any], str]] = {
    str: _string,
    int: int.__repr__,
    float: _number,
    bool: lambda value: "true" if value else "false",
    NoneType: lambda _: "null",
}


def _fields(model: BaseModel) -> dict[str, object]:
    values = model.__dict__
    return {
        name: values[name] for name, is_required in _plan(type(model)) if is_required or values[name] not in _ABSENT
    }


@cache
def _plan(model: type[BaseModel]) -> tuple[tuple[str, bool], ...]:
    return tuple((name, field.is_required()) for name, field in model.model_fields.items())


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        around = text[max(0, error.start - 20) : error.end]
        raise ValueError(f"half of a surrogate pair cannot be written: {quoted(around)}") from error
