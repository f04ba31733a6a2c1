"""Reads one property of a schema: its name, its type, and whether it may be null or absent."""

from __future__ import annotations

import keyword
import re
from typing import Any

from pydantic import BaseModel

from tools._contracts.faults import Place
from tools._contracts.kinds import Names, read_nested, read_type, unwrap_nullable
from tools._contracts.shapes import Field, List, Nested, Ref, Scalar, Type

_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_BESIDE = frozenset({"description", "default"})


def described(node: dict[str, Any], place: Place) -> str:
    """The description of a node: one line that is not blank."""
    text = node.get("description")
    if not isinstance(text, str) or not text.strip() or len(text.splitlines()) != 1:
        place.refuse("needs a description of one line")
        return ""
    return text


def read_field(name: str, node: Any, names: Names, place: Place, *, required: bool) -> Field | None:
    """The field that a property spells, or None after refusing it."""
    if not isinstance(node, dict):
        place.refuse("a property is an object")
        return None
    place.expect(fits=bool(_NAME.fullmatch(name)), message="a property is named in snake_case")
    taken = keyword.iskeyword(name) or hasattr(BaseModel, name)
    place.expect(fits=not taken, message=f"the name {name!r} is taken in Python; choose another")
    description = "" if set(node) == {"$ref"} else described(node, place)
    nullable = "anyOf" in node
    shape = _shape(node, names, place, nullable=nullable)
    if shape is None:
        return None
    _absence(node, shape, place, required=required, nullable=nullable)
    return Field(name, description, shape, required, nullable)


def _shape(node: dict[str, Any], names: Names, place: Place, *, nullable: bool) -> Type | None:
    if "x-nested" in node:
        return read_nested(node, names, place, _BESIDE)
    if not nullable:
        return read_type(node, names, place, _BESIDE)
    place.only(node, frozenset({"description", "anyOf"}))
    inner = unwrap_nullable(node, place)
    return None if inner is None else read_type(inner, names, place.at("anyOf", 0))


def _absence(node: dict[str, Any], shape: Type, place: Place, *, required: bool, nullable: bool) -> None:
    """Absent means null for a scalar or a message, and empty for an array or a map."""
    if isinstance(shape, Scalar | Ref):
        place.expect(fits="default" not in node, message="only an array or a map has a default")
        fits = required or nullable
        place.expect(fits=fits, message="an optional scalar or message is nullable: anyOf [X, null]")
        return
    is_array = isinstance(shape, List) or (isinstance(shape, Nested) and shape.outer == "array")
    empty: list[Any] | dict[str, Any] = [] if is_array else {}
    place.expect(fits=not nullable, message="an array or a map is never null; an optional one is empty")
    if required:
        place.expect(fits="default" not in node, message="a required property has no default")
        return
    fits = node.get("default") == empty and not (node.get("minItems") or node.get("minProperties"))
    place.expect(fits=fits, message=f"an optional array or map has the default {empty} and no lower bound")
