"""What may change within a version: new optional fields, looser bounds, new output-only enum values."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import cast

from tools._contracts.shapes import (
    INT32_HIGH,
    UINT32_HIGH,
    Contracts,
    Document,
    Enum,
    Field,
    List,
    Map,
    Message,
    Ref,
    Scalar,
    Type,
)


def additive_faults(old: Contracts, new: Contracts) -> Iterator[str]:
    """Every change from the released contracts that somebody who holds them could not bear."""
    present = {document.name: document for document in new.documents}
    incoming = {ref for each in new.documents if each.flow != "output" for ref in new.reachable(each)}
    for document in old.documents:
        if document.name not in present:
            yield f"{document.name}: is released and gone"
            continue
        yield from _document_faults(document, present[document.name])
    for ref, type_ in old.index.items():
        where, now = f"{ref.version}: {ref.name}", new.index.get(ref)
        if isinstance(type_, Message) and isinstance(now, Message):
            yield from _message_faults(where, type_, now)
        elif isinstance(type_, Enum) and isinstance(now, Enum):
            yield from _enum_faults(where, type_, now, incoming=ref in incoming)
        else:
            yield f"{where} is gone, or of another kind"


def _document_faults(old: Document, new: Document) -> Iterator[str]:
    root = (old.root and old.root.name, new.root and new.root.name)
    if root[0] != root[1] or old.stream != new.stream or old.flow != new.flow:
        yield f"{old.name}: its class, x-stream or x-flow changed"
    fresh = [rule for rule in new.rules if rule not in old.rules]
    yield from (f"{old.name}: the rule {rule} is new and refuses what was accepted" for rule in fresh)


def _message_faults(where: str, old: Message, new: Message) -> Iterator[str]:
    before, now = ({each.name: each for each in message.fields} for message in (old, new))
    for name in before.keys() | now.keys():
        spot = f"{where}.{name}"
        if name not in now:
            yield f"{spot} is gone"
        elif name in before:
            yield from _field_faults(spot, before[name], now[name])
        elif now[name].required:
            yield f"{spot} is new and required; only optional fields may be added"


def _field_faults(where: str, old: Field, new: Field) -> Iterator[str]:
    if (old.required, old.nullable) != (new.required, new.nullable):
        yield f"{where} is required or nullable where it was not, or the other way round"
    if _unbound(old.type) != _unbound(new.type):
        yield f"{where} has another type"
    elif not _holds(new.type, old.type):
        yield f"{where} has tighter bounds"


def _unbound(shape: Type) -> Type:
    """The type without the bounds that may be loosened; an integer keeps its width on the wire."""
    match shape:
        case Scalar():
            wide = shape.kind == "integer" and shape.high is not None and shape.high > INT32_HIGH
            return Scalar(shape.kind, high=UINT32_HIGH if wide else None, const=shape.const)
        case List():
            return List(cast("Scalar | Ref", _unbound(shape.item)))
        case Map():
            return Map(cast("Scalar | Ref", _unbound(shape.value)))
        case _:
            return shape


def _holds(outer: Type, inner: Type) -> bool:
    """Whether every value within the inner bounds is within the outer ones, for types alike but for bounds."""
    match outer, inner:
        case Scalar(), Scalar():
            return _interval_holds(outer, inner)
        case List(item=wide), List(item=narrow):
            return _interval_holds(outer, inner) and _holds(wide, narrow)
        case Map(value=wide), Map(value=narrow):
            return _interval_holds(outer, inner) and _holds(wide, narrow)
        case _:
            return True


def _interval_holds(outer: Scalar | List | Map, inner: Scalar | List | Map) -> bool:
    low, high = _ends(outer)
    inner_low, inner_high = _ends(inner)
    return low <= inner_low and high >= inner_high


def _ends(shape: Scalar | List | Map) -> tuple[tuple[float, bool], tuple[float, bool]]:
    """Both ends in an order in which an open end lies inside the closed one."""
    low = -math.inf if shape.low is None else shape.low
    high = math.inf if shape.high is None else shape.high
    opened = (shape.low_open, shape.high_open) if isinstance(shape, Scalar) else (False, False)
    return (low, opened[0]), (high, not opened[1])


def _enum_faults(where: str, old: Enum, new: Enum, *, incoming: bool) -> Iterator[str]:
    yield from (f"{where}.{value} is gone" for value in old.values if value not in new.values)
    fresh = [value for value in new.values if value not in old.values]
    if incoming:
        yield from (f"{where}.{value} is new, and a document that voxint reads has it" for value in fresh)
