"""Random documents that fit a schema of the profile: a strategy for each kind of node that the profile knows."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

# Characters that some layer treats in its own way: quotes, breaks, marks, the ends of planes, an astral one.
ALPHABET = "aZ0 _-'\"\\/{[:,\n\t\0\x1f\x7f\x85é\u0301İß日\u200b\u2028\ufeff\uffff\ud7ff\ue000😀\U0010ffff"
TEXTS = st.one_of(
    st.text(ALPHABET, max_size=9),
    st.sampled_from(["__ABSTAIN__", "NaN", "null", "true", "1", "Dana Fox", "SPEAKER_00"]),
)


def documents(node: dict[str, Any], *, extra: bool = False) -> st.SearchStrategy[Any]:
    """Values of a schema without references; with `extra`, objects hold fields that it does not name as well."""
    if "anyOf" in node:
        return st.one_of([documents(each, extra=extra) for each in node["anyOf"]])
    if "const" in node or "enum" in node:
        return st.sampled_from([node["const"]] if "const" in node else node["enum"])
    return _KINDS[node["type"]](node, extra)


def _object(node: dict[str, Any], extra: bool) -> st.SearchStrategy[Any]:
    if "properties" not in node:
        values = documents(node["additionalProperties"], extra=extra)
        low, high = node.get("minProperties", 0), node.get("maxProperties")
        return st.dictionaries(TEXTS, values, min_size=low, max_size=low + 3 if high is None else high)
    fields = {name: documents(each, extra=extra) for name, each in node["properties"].items()}
    due = node.get("required", [])
    required = {name: each for name, each in fields.items() if name in due}
    optional = {name: each for name, each in fields.items() if name not in due}
    known = st.fixed_dictionaries(required, optional=optional)
    if not extra:
        return known
    unknown = st.dictionaries(TEXTS.filter(lambda name: name not in fields), _ANYTHING, max_size=2)
    return st.builds(lambda named, others: others | named, known, unknown)


def _array(node: dict[str, Any], extra: bool) -> st.SearchStrategy[Any]:
    low, high = node.get("minItems", 0), node.get("maxItems")
    items = documents(node["items"], extra=extra)
    return st.lists(items, min_size=low, max_size=low + 4 if high is None else high)


def _string(node: dict[str, Any], extra: bool) -> st.SearchStrategy[Any]:
    low, high = node.get("minLength", 0), node.get("maxLength")
    if low > 1:
        return st.text(ALPHABET, min_size=low, max_size=low + 9 if high is None else min(high, low + 9))
    return TEXTS.filter(lambda text: low <= len(text) and (high is None or len(text) <= high))


def _integer(node: dict[str, Any], extra: bool) -> st.SearchStrategy[Any]:
    ends = st.sampled_from([node["minimum"], node["maximum"]])
    return st.one_of(st.integers(node["minimum"], node["maximum"]), ends)


def _number(node: dict[str, Any], extra: bool) -> st.SearchStrategy[Any]:
    low = node.get("minimum", node.get("exclusiveMinimum"))
    high = node.get("maximum", node.get("exclusiveMaximum"))
    floats = st.floats(
        low,
        high,
        exclude_min="exclusiveMinimum" in node,
        exclude_max="exclusiveMaximum" in node,
        allow_nan=False,
        allow_infinity=False,
    )
    whole = [each for each in (0, 1, -1, 2**53 + 1) if _inside(each, node)]
    return st.one_of(floats, st.sampled_from(whole)) if whole else floats


def _inside(value: int, node: dict[str, Any]) -> bool:
    closed = node.get("minimum", value) <= value <= node.get("maximum", value)
    return closed and node.get("exclusiveMinimum", value - 1) < value < node.get("exclusiveMaximum", value + 1)


_SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-9, 9), st.floats(allow_nan=False, allow_infinity=False), TEXTS
)
_ANYTHING = st.one_of(_SCALARS, st.lists(_SCALARS, max_size=2), st.dictionaries(TEXTS, _SCALARS, max_size=2))
_KINDS = {
    "object": _object,
    "array": _array,
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": lambda node, extra: st.booleans(),
    "null": lambda node, extra: st.none(),
}
