"""How many keys a parsed record accounts for: the cheap half of the proof that none is repeated or ignored.

A record's models hold A distinct keys; its text holds K >= A. Every key of the text has its own colon, so where
the text has just A colons, K = A: no key occurs twice, none was ignored, each value passed a validator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

from pydantic import BaseModel

KeyCounter = Callable[[Sequence[Any]], int]
_Schema = Mapping[str, Any]
_Refs = Mapping[str, _Schema]

_SCALARS = frozenset({"str", "int", "float", "bool", "none", "literal", "enum"})
_fields_set = attrgetter("__pydantic_fields_set__")


def key_counter(model: type[BaseModel]) -> KeyCounter | None:
    """A function from models to the number of distinct JSON keys that they were read from, at any depth.

    None where that cannot be known (free-form values, unions, aliases, Python validators, filled defaults).
    """
    return _compiled(model.__pydantic_core_schema__, {})


def all_keys_known(text: bytes, n_keys: int) -> bool:
    """True only if JSON `text` holds exactly `n_keys` keys, given that it holds at least so many.

    False proves nothing: a colon inside a string, an ignored key and a repeated one look alike.
    """
    if len(text) - len(text.replace(b":", b"")) == n_keys:
        return True
    # In long lists of numbers colons are rare: cutting at them is cheaper than searching all of the text.
    before = text.split(b":")[:-1]
    return sum(part.rstrip(b" \t\r\n").endswith(b'"') for part in before) == n_keys


def _nothing(values: Sequence[Any]) -> int:
    return 0


def _compiled(schema: _Schema, refs: _Refs) -> KeyCounter | None:
    kind = schema["type"]
    if kind in _SCALARS:
        return _nothing
    compile_kind = _KINDS.get(kind)
    return compile_kind(schema, refs) if compile_kind else None


def _model(schema: _Schema, refs: _Refs) -> KeyCounter | None:
    inner = schema["schema"]
    if inner["type"] != "model-fields" or not _is_plain(schema, inner):
        return None
    parts: list[tuple[Callable[[Any], Any], KeyCounter]] = []
    for name, field in inner["fields"].items():
        counter = None if "validation_alias" in field else _compiled(field["schema"], refs)
        if counter is None:
            return None
        if counter is not _nothing:
            parts.append((attrgetter(name), counter))

    def count(models: Sequence[Any]) -> int:
        n = sum(map(len, map(_fields_set, models)))
        for get, counter in parts:
            n += counter(list(map(get, models)))
        return n

    return count


def _is_plain(schema: _Schema, inner: _Schema) -> bool:
    special = ("root_model", "custom_init", "post_init")
    extra = inner.get("extra_behavior") or schema.get("config", {}).get("extra_fields_behavior")
    return extra != "allow" and not any(schema.get(key) for key in special)


def _default(schema: _Schema, refs: _Refs) -> KeyCounter | None:
    counter = _compiled(schema["schema"], refs)
    is_empty = not schema.get("default") and schema.get("default_factory") in (None, list, dict)
    return counter if counter is _nothing or is_empty else None


def _nullable(schema: _Schema, refs: _Refs) -> KeyCounter | None:
    counter = _compiled(schema["schema"], refs)
    if counter is None or counter is _nothing:
        return counter
    return lambda values: counter([value for value in values if value is not None])


def _dict(schema: _Schema, refs: _Refs) -> KeyCounter | None:
    counter = _compiled(schema.get("values_schema", {"type": "any"}), refs)
    if counter is None or schema.get("keys_schema", {}).get("type") != "str":
        return None

    def count(dicts: Sequence[dict[str, Any]]) -> int:
        n = sum(map(len, dicts))
        return n if counter is _nothing else n + counter(list(chain.from_iterable(map(dict.values, dicts))))

    return count


def _list(schema: _Schema, refs: _Refs) -> KeyCounter | None:
    counter = _compiled(schema.get("items_schema", {"type": "any"}), refs)
    if counter is None or counter is _nothing:
        return counter
    return lambda lists: counter(list(chain.from_iterable(lists)))


def _chain(schema: _Schema, refs: _Refs) -> KeyCounter | None:
    is_scalar = all(_compiled(step, refs) is _nothing for step in schema["steps"])
    return _nothing if is_scalar else None


def _definitions(schema: _Schema, refs: _Refs) -> KeyCounter | None:
    return _compiled(schema["schema"], {**refs, **{entry["ref"]: entry for entry in schema["definitions"]}})


def _definition_ref(schema: _Schema, refs: _Refs) -> KeyCounter | None:
    name = schema["schema_ref"]
    if name not in refs:
        return None
    return _compiled(refs[name], {ref: entry for ref, entry in refs.items() if ref != name})


_KINDS: dict[str, Callable[[_Schema, _Refs], KeyCounter | None]] = {
    "model": _model,
    "default": _default,
    "nullable": _nullable,
    "dict": _dict,
    "list": _list,
    "chain": _chain,
    "definitions": _definitions,
    "definition-ref": _definition_ref,
}
