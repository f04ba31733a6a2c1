"""Reads the type that a schema node spells: scalars and their bounds, references, arrays and maps."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tools._contracts.faults import Place
from tools._contracts.shapes import (
    INT32_HIGH,
    INT32_LOW,
    UINT32_HIGH,
    List,
    Map,
    Nested,
    Ref,
    Scalar,
    ScalarKind,
    Type,
    sized,
)

Names = Mapping[str, Ref]
"""What each `$ref` that may stand in a file refers to."""

_NOTHING: frozenset[str] = frozenset()
_SCALARS: dict[str, tuple[ScalarKind, frozenset[str]]] = {
    "string": ("string", frozenset({"type", "const", "minLength", "maxLength"})),
    "integer": ("integer", frozenset({"type", "minimum", "maximum"})),
    "number": ("number", frozenset({"type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})),
    "boolean": ("boolean", frozenset({"type", "const"})),
}
_HOLDERS = {
    "array": ("items", "minItems", "maxItems"),
    "object": ("additionalProperties", "minProperties", "maxProperties"),
}


def read_type(node: dict[str, Any], names: Names, place: Place, beside: frozenset[str] = _NOTHING) -> Type | None:
    """The type of a node that may carry the keywords `beside`, or None after refusing it."""
    kind = _kind(node)
    if "$ref" in node:
        place.only(node, beside | {"$ref"})
        return _ref(node["$ref"], names, place)
    if kind in _HOLDERS:
        return _holder(node, names, place, beside)
    if kind not in _SCALARS:
        place.refuse("needs a $ref or one type: string, integer, number, boolean, array or object")
        return None
    scalar, keywords = _SCALARS[kind]
    place.only(node, beside | keywords)
    alone = "const" not in node or bool(beside)
    place.expect(fits=alone, message="a const is never null, and no array or map holds it")
    return _scalar(node, scalar, place)


def unwrap_nullable(node: dict[str, Any], place: Place) -> dict[str, Any] | None:
    """The X of `anyOf: [X, null]`, or None after refusing any other anyOf."""
    options = node["anyOf"]
    pair = isinstance(options, list) and len(options) == 2 and options[1] == {"type": "null"}
    if pair and isinstance(options[0], dict):
        return dict(options[0])
    place.refuse('anyOf is only for [X, {"type": "null"}]')
    return None


def read_nested(node: dict[str, Any], names: Names, place: Place, beside: frozenset[str]) -> Nested | None:
    """An array or a map that holds arrays, maps or nulls: a ListValue or a Struct on the wire."""
    place.expect(fits=node["x-nested"] is True, message="x-nested is true or absent")
    kind = _kind(node)
    if kind not in _HOLDERS:
        place.refuse("x-nested is for an array or a map")
        return None
    bare = {key: value for key, value in node.items() if key not in beside | {"x-nested"}}
    refs: list[Ref] = []
    shape = _outline(bare, names, place, refs)
    deep = shape.count("list of") + shape.count("map of") + shape.count("or null")
    place.expect(fits=deep > 1, message="x-nested, but nothing is nested: leave it out")
    return Nested("array" if kind == "array" else "object", shape, tuple(dict.fromkeys(refs)))


def _outline(node: Any, names: Names, place: Place, refs: list[Ref]) -> str:
    """Nested types as text, `list of (list of (number finite or null), length 3)`; collects their refs."""
    if not isinstance(node, dict):
        place.refuse("needs the schema of what it holds")
        return "?"
    if "anyOf" in node:
        place.only(node, frozenset({"anyOf"}))
        inner = unwrap_nullable(node, place)
        return f"{_outline(inner, names, place.at('anyOf', 0), refs)} or null"
    if _kind(node) in _HOLDERS:
        key, low, high = _HOLDERS[node["type"]]
        place.only(node, frozenset({"type", key, low, high}))
        inside = _outline(node.get(key), names, place.at(key), refs)
        return sized("list" if key == "items" else "map", f"({inside})", *_lengths(node, low, high, place))
    shape = read_type(node, names, place)
    if isinstance(shape, Ref):
        refs.append(shape)
        return shape.name
    return f"{shape.kind} {shape.range}" if isinstance(shape, Scalar) else "?"


def _kind(node: dict[str, Any]) -> str:
    kind = node.get("type")
    return kind if isinstance(kind, str) else ""


def _ref(ref: Any, names: Names, place: Place) -> Ref | None:
    if not isinstance(ref, str) or ref not in names:
        place.refuse(f"$ref {ref!r} names no definition under contracts/schema")
        return None
    return names[ref]


def _holder(node: dict[str, Any], names: Names, place: Place, beside: frozenset[str]) -> List | Map | None:
    key, low, high = _HOLDERS[node["type"]]
    place.only(node, beside | {"type", key, low, high})
    inner, spot = node.get(key), place.at(key)
    bounds = _lengths(node, low, high, place)
    if not isinstance(inner, dict):
        place.refuse(f"needs {key}: the schema of what it holds")
        return None
    if "anyOf" in inner or _kind(inner) in _HOLDERS:
        spot.refuse("arrays, maps and nulls do not nest; name the inner one, or mark the field x-nested")
        return None
    item = read_type(inner, names, spot)
    if not isinstance(item, Scalar | Ref):
        return None
    return List(item, *bounds) if key == "items" else Map(item, *bounds)


def _lengths(node: dict[str, Any], low: str, high: str, place: Place) -> tuple[int | None, int | None]:
    for key in (low, high):
        value = node.get(key, 0)
        if type(value) is not int or value < 0:
            place.refuse(f"{key} is a count")
            return (None, None)
    _ordered(node.get(low), node.get(high), place)
    return (node.get(low), node.get(high))


def _ordered(low: float | None, high: float | None, place: Place) -> None:
    if low is not None and high is not None:
        place.expect(fits=low <= high, message="the lower bound is above the upper one")


def _scalar(node: dict[str, Any], kind: ScalarKind, place: Place) -> Scalar:
    if "const" in node:
        fits = type(node["const"]) is (str if kind == "string" else bool)
        place.expect(fits=fits, message=f"const is no {kind}")
        place.expect(fits=not {"minLength", "maxLength"} & set(node), message="a const needs no bounds")
        return Scalar(kind, const=node["const"])
    if kind == "string":
        return Scalar(kind, *_lengths(node, "minLength", "maxLength", place))
    return Scalar(kind) if kind == "boolean" else _number(node, kind, place)


def _number(node: dict[str, Any], kind: ScalarKind, place: Place) -> Scalar:
    for key in ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"):
        value = node.get(key, 0)
        fits = type(value) is int or (kind == "number" and type(value) is float and math.isfinite(value))
        if not place.expect(fits=fits, message=f"{key} is no finite {kind}"):
            return Scalar(kind)
    lows = [node[key] for key in ("minimum", "exclusiveMinimum") if key in node]
    highs = [node[key] for key in ("maximum", "exclusiveMaximum") if key in node]
    place.expect(fits=len(lows) < 2 and len(highs) < 2, message="one bound on each side")
    low, high = lows[0] if lows else None, highs[0] if highs else None
    _ordered(low, high, place)
    if kind == "integer":
        _int32(low, high, place)
    return Scalar(kind, low, high, "exclusiveMinimum" in node, "exclusiveMaximum" in node)


def _int32(low: int | None, high: int | None, place: Place) -> None:
    if low is None or high is None:
        place.refuse("an integer needs minimum and maximum: a proto integer of 64 bits is a JSON string")
        return
    signed = low >= INT32_LOW and high <= INT32_HIGH
    unsigned = low >= 0 and high <= UINT32_HIGH
    message = "an integer lies within int32, or within uint32 if it is never negative"
    place.expect(fits=signed or unsigned, message=message)
