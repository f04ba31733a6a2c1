"""What pydantic found wrong, in the words of this project: `must be a number, not "x"`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from pydantic_core import ErrorDetails

from voxint.errors import quoted

_SHOWN = 60
_VERSION_KINDS = frozenset({"greater_than_equal", "less_than_equal", "literal_error", "enum"})

_TYPES = {
    "model_type": "an object",
    "model_attributes_type": "an object",
    "dict_type": "an object",
    "list_type": "an array",
    "tuple_type": "an array",
    "string_type": "a string",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "none_required": "null",
}
_BOUNDS = {
    "greater_than_equal": ("at least", "ge"),
    "less_than_equal": ("at most", "le"),
    "greater_than": ("greater than", "gt"),
    "less_than": ("less than", "lt"),
    "multiple_of": ("a multiple of", "multiple_of"),
}
_Context = Mapping[str, Any]


def shown(raw: str) -> str:
    """A JSON value as a message shows it, from its text: short, on one line, containers by kind only."""
    if raw.startswith('"'):
        return quoted(json.loads(raw))
    if raw[:1] in {"{", "["}:
        return "an object" if raw[0] == "{" else "an array"
    return raw if len(raw) <= _SHOWN else raw[: _SHOWN - 1] + "…"


def is_wrong_version(error: ErrorDetails) -> bool:
    """Whether a record says it was written for another version than the one that is read."""
    return error["loc"] == ("schema_version",) and error["type"] in _VERSION_KINDS


def message(error: ErrorDetails, got: str) -> str:
    """What is wrong, and with which value; `got` is the value as `shown`."""
    kind, context = error["type"], error.get("ctx", {})
    if is_wrong_version(error):
        only = _number(next(context[key] for key in ("le", "ge", "expected") if key in context))
        return f"must be {only}, the version this reader implements, not {got}"
    if kind in _TYPES:
        return f"must be {_TYPES[kind]}, not {got}"
    if kind in _BOUNDS:
        words, key = _BOUNDS[kind]
        return f"must be {words} {_number(context[key])}, not {got}"
    special = _SPECIAL.get(kind)
    return special(context, got) if special else _other(error, got)


def _number(bound: object) -> str:
    is_whole = isinstance(bound, float) and bound.is_integer() and abs(bound) < 2**53
    return str(int(bound)) if is_whole and isinstance(bound, float) else str(bound)


def _missing(context: _Context, got: str) -> str:
    return "is required"


def _too_short(context: _Context, got: str) -> str:
    least, n = context["min_length"], context.get("actual_length")
    return "must not be empty" if not n else f"must hold at least {least}, not {n}"


def _too_long(context: _Context, got: str) -> str:
    most, n = context["max_length"], context.get("actual_length")
    return f"must hold at most {most}, not {'more' if n is None else n}"


def _string_too_short(context: _Context, got: str) -> str:
    least = context["min_length"]
    return "must not be empty" if least == 1 else f"must have at least {least} characters, not {got}"


def _string_too_long(context: _Context, got: str) -> str:
    return f"must have at most {context['max_length']} characters, not {got}"


def _pattern(context: _Context, got: str) -> str:
    return f"must match {context['pattern']}, not {got}"


def _choice(context: _Context, got: str) -> str:
    choices = str(context["expected"]).replace("'", "").replace(" or ", ", ")
    choices = {"True": "true", "False": "false"}.get(choices, choices)
    return f"must be {'one of ' if ', ' in choices else ''}{choices}, not {got}"


def _other(error: ErrorDetails, got: str) -> str:
    text = error["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")
    for opening in ("Input should ", "Value should "):
        if text.startswith(opening):
            return f"must {text.removeprefix(opening)}, not {got}"
    return text


_SPECIAL: dict[str, Callable[[_Context, str], str]] = {
    "missing": _missing,
    "too_short": _too_short,
    "too_long": _too_long,
    "string_too_short": _string_too_short,
    "string_too_long": _string_too_long,
    "string_pattern_mismatch": _pattern,
    "literal_error": _choice,
    "enum": _choice,
}
