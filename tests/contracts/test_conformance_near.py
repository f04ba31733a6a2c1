"""Documents one or two changes away from a good one: JSON Schema and the model give the same verdict.

The one exception: JSON Schema takes 6.0 for an integer, the strict model does not.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from contract_support import BY_NAME, VECTORS, inlined_schema, model_errors, records, validator
from jsonschema import Draft202012Validator
from voxint_contracts.catalog import Document

REPLACEMENTS: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 1.0, 0.0, -0.0, 0.5, -0.5, 1.5, 1e308, 5e-324),
    *(2**31 - 1, 2**31, -(2**31) + 1, -(2**31), 2**32 - 1, 2**32),
    *("", "x", "1", "true", "TP", "NaN", "null", [], {}, [None], [0.5, 0.5], {"x": 1}, {"x": None}),
)
MOST_CHANGES = 1500
EXTRA = "no_schema_names_this"
Path = tuple[Any, ...]


def _paths(node: Any, here: Path = ()) -> Iterator[Path]:
    yield here
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for step, child in children:
        yield from _paths(child, (*here, step))


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def _replaced(value: Any, path: Path, new: Any) -> Any:
    if not path:
        return new
    changed = copy.deepcopy(value)
    _at(changed, path[:-1])[path[-1]] = copy.deepcopy(new)
    return changed


def _changes(value: Any, path: Path) -> Iterator[Any]:
    """Every document that one change at this place makes: another value there, one left out, doubled, renamed."""
    yield from (_replaced(value, path, new) for new in REPLACEMENTS)
    node = _at(value, path)
    if isinstance(node, dict):
        yield _replaced(value, path, node | {EXTRA: [1, {"x": None}]})
        for key in node:
            rest = {name: each for name, each in node.items() if name != key}
            yield _replaced(value, path, rest)
            yield _replaced(value, path, rest | {key.upper() + "_": node[key]})
    if isinstance(node, list):
        yield from (_replaced(value, path, changed) for changed in (node[1:], node * 2, node[::-1]))


def _any_change(value: Any, draw: random.Random) -> Any:
    return draw.choice(list(_changes(value, draw.choice(list(_paths(value))))))


@cache
def _is_valid(name: str) -> Callable[[Any], bool]:
    return Draft202012Validator(inlined_schema(name)).is_valid


def _disagreement(document: Document, value: Any) -> str:
    """What the schema and the model say of a value, if it is not the same."""
    fits = _is_valid(document.name)(value)
    errors = model_errors(document, json.dumps(value))
    if fits == (not errors):
        return ""
    excused = fits and all(_is_whole_float(error) for error in errors)
    return "" if excused else f"schema says {fits}, model says {errors} of {json.dumps(value)}"


def _is_whole_float(error: Any) -> bool:
    return error["type"] == "int_type" and type(error["input"]) is float and error["input"].is_integer()


def _good(name: str) -> list[Any]:
    accepted = [each for each in VECTORS if each.document == name and not each.layer]
    return [json.loads(text) for each in accepted for text in records(each)]


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_one_change_is_judged_alike(name: str) -> None:
    largest = max(_good(name), key=lambda value: len(json.dumps(value)))
    changed = [each for path in _paths(largest) for each in _changes(largest, path)]
    changed = random.Random(20240606).sample(changed, min(len(changed), MOST_CHANGES))
    assert {_is_valid(name)(each) for each in changed} == {True, False}
    assert [found for each in changed if (found := _disagreement(BY_NAME[name], each))] == []


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_two_changes_are_judged_alike(name: str) -> None:
    draw = random.Random(20240607)
    twice = [_any_change(_any_change(value, draw), draw) for value in _good(name) * 20]
    assert [found for each in twice if (found := _disagreement(BY_NAME[name], each))] == []


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_the_quick_schema_is_the_schema(name: str) -> None:
    draw = random.Random(20240608)
    changed = [_any_change(value, draw) for value in _good(name) * 2]
    assert [_is_valid(name)(each) for each in changed] == [validator(name).is_valid(each) for each in changed]


def test_a_whole_float_is_the_one_exception() -> None:
    document = BY_NAME["name_accuracy/v1/aliases"]
    value = {"schema_version": 1.0, "aliases": {}}
    assert validator(document.name).is_valid(value)
    assert [error["type"] for error in model_errors(document, json.dumps(value))] == ["int_type"]
