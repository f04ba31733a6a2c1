"""What JSON Schema, pydantic and proto cannot all say is refused, with the place and the reason."""

from __future__ import annotations

import json
from typing import Any

import pytest
from contract_checkout import texts, zoo

from tools._contracts.faults import ContractFaultsError
from tools._contracts.schemas import load

PET = "zoo/v1/pet.schema.json"
COMMON = "common/v1/common.schema.json"
NULL = {"type": "null"}
TEXT = {"type": "string"}
BOUNDS = {"minimum": 0, "maximum": 9}


def _faults(files: dict[str, str]) -> list[str]:
    with pytest.raises(ContractFaultsError) as caught:
        load(files)
    return caught.value.faults


def _refused(path: tuple[str, ...], value: Any, file: str = PET) -> list[str]:
    """The faults after one value of the zoo's schemas is set (or taken away, if it is `...`)."""
    schemas = zoo()
    node = schemas[file]
    for step in path[:-1]:
        node = node[step]
    if value is ...:
        del node[path[-1]]
    else:
        node[path[-1]] = value
    return _faults(texts(schemas))


def test_all_that_the_profile_allows_is_read() -> None:
    contracts = load(texts(zoo()))
    assert [document.name for document in contracts.documents] == ["common/v1/common", "zoo/v1/house", "zoo/v1/pet"]
    pet = contracts.documents[2]
    assert (pet.stream, pet.flow, pet.rules, pet.kind) == (True, "input", ("legs_are_even",), "pet")


PROPERTY = [
    ("integer without bounds", {"type": "integer"}, "needs minimum and maximum"),
    ("integer of 64 bits", {"type": "integer", "minimum": -1, "maximum": 2**32 - 1}, "lies within int32"),
    ("integer above uint32", {"type": "integer", "minimum": 0, "maximum": 2**32}, "lies within int32"),
    ("integer with a const", {"type": "integer", "const": 1, **BOUNDS}, "keyword 'const'"),
    ("integer with a broken bound", {"type": "integer", "minimum": 0.5, "maximum": 9}, "no finite integer"),
    ("integer with an open bound", {"type": "integer", "exclusiveMinimum": 0, "maximum": 9}, "exclusiveMinimum"),
    ("bounds the wrong way round", {"type": "number", "minimum": 2, "maximum": 1}, "above the upper one"),
    ("two lower bounds", {"type": "number", "minimum": 0, "exclusiveMinimum": 0}, "one bound on each side"),
    ("bound that is true", {"type": "number", "minimum": True}, "no finite number"),
    ("length that is no count", {"type": "string", "minLength": -1}, "minLength is a count"),
    ("lengths the wrong way round", {"type": "string", "minLength": 2, "maxLength": 1}, "above the upper one"),
    ("pattern", {"type": "string", "pattern": "^a$"}, "keyword 'pattern'"),
    ("format", {"type": "string", "format": "date"}, "keyword 'format'"),
    ("inline enum", {"type": "string", "enum": ["a"]}, "keyword 'enum'"),
    ("multipleOf", {"type": "number", "multipleOf": 2}, "keyword 'multipleOf'"),
    ("const of another type", {"type": "string", "const": 1}, "const is no string"),
    ("const with bounds", {"type": "string", "const": "a", "minLength": 1}, "a const needs no bounds"),
    ("const boolean that is a number", {"type": "boolean", "const": 1}, "const is no boolean"),
    ("nullable const", {"anyOf": [{"type": "boolean", "const": True}, NULL]}, "a const is never null"),
    ("array of consts", {"type": "array", "items": {"type": "string", "const": "a"}}, "no array or map holds it"),
    ("no type", {}, "needs a $ref or one type"),
    ("null alone", NULL, "needs a $ref or one type"),
    ("list of types", {"type": ["string", "null"]}, "needs a $ref or one type"),
    ("oneOf", {"oneOf": [TEXT, NULL]}, "needs a $ref or one type"),
    ("anyOf of two", {"anyOf": [TEXT, {"type": "boolean"}]}, "anyOf is only for"),
    ("anyOf of three", {"anyOf": [TEXT, {"type": "boolean"}, NULL]}, "anyOf is only for"),
    ("null first", {"anyOf": [NULL, TEXT]}, "anyOf is only for"),
    ("anyOf beside a type", {"type": "string", "anyOf": [TEXT, NULL]}, "keyword 'type'"),
    ("if and then", {"type": "string", "if": {}, "then": {}}, "keyword 'if'"),
    ("array without items", {"type": "array"}, "needs items"),
    ("tuple", {"type": "array", "prefixItems": [TEXT], "items": TEXT}, "keyword 'prefixItems'"),
    ("unique items", {"type": "array", "items": TEXT, "uniqueItems": True}, "keyword 'uniqueItems'"),
    ("array of nulls", {"type": "array", "items": {"anyOf": [TEXT, NULL]}}, "do not nest"),
    ("array of arrays", {"type": "array", "items": {"type": "array", "items": TEXT}}, "mark the field x-nested"),
    ("map of arrays", {"type": "object", "additionalProperties": {"type": "array", "items": TEXT}}, "do not nest"),
    ("open object", {"type": "object"}, "needs additionalProperties"),
    ("map of anything", {"type": "object", "additionalProperties": True}, "needs additionalProperties"),
    ("inline object", {"type": "object", "properties": {"a": TEXT}}, "keyword 'properties'"),
    ("map with key rules", {"type": "object", "additionalProperties": TEXT, "propertyNames": TEXT}, "propertyNames"),
    ("nullable array", {"anyOf": [{"type": "array", "items": TEXT}, NULL]}, "is never null"),
    ("x-nested that is false", {"x-nested": False, "type": "array", "items": TEXT}, "x-nested is true or absent"),
    ("x-nested for nothing", {"x-nested": True, "type": "array", "items": TEXT}, "nothing is nested"),
    ("x-nested scalar", {"x-nested": True, "type": "string"}, "x-nested is for an array or a map"),
    ("x-nested without items", {"x-nested": True, "type": "array", "items": {"type": "array"}}, "needs the schema"),
    ("unknown $ref", {"$ref": "#/$defs/Dog"}, "names no definition"),
    ("remote $ref", {"$ref": "https://example.org/dog.json"}, "names no definition"),
    ("keyword beside $ref", {"$ref": "#/$defs/Tag", "minLength": 1}, "keyword 'minLength'"),
    ("$ref that is no text", {"$ref": 1}, "names no definition"),
    ("default of a scalar", {"type": "string", "default": "x"}, "only an array or a map has a default"),
    ("default of a required array", {"type": "array", "items": TEXT, "default": []}, "has no default"),
]


@pytest.mark.parametrize(("node", "reason"), [each[1:] for each in PROPERTY], ids=[each[0] for each in PROPERTY])
def test_property_outside_the_profile(node: dict[str, Any], reason: str) -> None:
    found = _refused(("properties", "name"), {"description": "d", **node})
    assert any(reason in each and each.startswith(f"{PET}: $.properties.name") for each in found), found


OPTIONAL = [
    ("scalar", TEXT, "is nullable"),
    ("message", {"$ref": "#/$defs/Tag"}, "is nullable"),
    ("array without default", {"type": "array", "items": TEXT}, "has the default []"),
    ("array with another default", {"type": "array", "items": TEXT, "default": ["x"]}, "has the default []"),
    ("array that is never empty", {"type": "array", "items": TEXT, "default": [], "minItems": 1}, "no lower bound"),
    ("map without default", {"type": "object", "additionalProperties": TEXT}, "has the default {}"),
]


@pytest.mark.parametrize(("node", "reason"), [each[1:] for each in OPTIONAL], ids=[each[0] for each in OPTIONAL])
def test_optional_property_outside_the_profile(node: dict[str, Any], reason: str) -> None:
    found = _refused(("properties", "extra"), {"description": "d", **node})
    assert any(reason in each for each in found), found


@pytest.mark.parametrize(
    "name", ["Name", "class", "fullName", "_name", "a__b", "name_", "1st", "json", "model_dump", "copy"]
)
def test_property_names_that_no_language_can_use(name: str) -> None:
    node = {"description": "d", "anyOf": [TEXT, NULL]}
    assert any("snake_case" in each or "taken in Python" in each for each in _refused(("properties", name), node))


SCHEMA: list[tuple[tuple[str, ...], Any, str]] = [
    (("$schema",), "http://json-schema.org/draft-07/schema#", "$schema must be"),
    (("title",), ..., "needs a title in PascalCase"),
    (("title",), "pet", "needs a title in PascalCase"),
    (("description",), ..., "needs a description of one line"),
    (("description",), "two\nlines", "needs a description of one line"),
    (("type",), "array", "must be an object with properties"),
    (("properties",), {}, "needs properties"),
    (("properties", "name"), "text", "a property is an object"),
    (("properties", "name", "description"), " ", "needs a description of one line"),
    (("required",), ["nobody"], "required lists properties"),
    (("additionalProperties",), False, "keyword 'additionalProperties'"),
    (("allOf",), [], "keyword 'allOf'"),
    (("$id",), "pet", "keyword '$id'"),
    (("x-flow",), ..., "x-flow says who writes it"),
    (("x-flow",), "sideways", "x-flow says who writes it"),
    (("x-stream",), False, "x-stream is true or absent"),
    (("x-rules",), "legs", "x-rules is a list"),
    (("x-rules",), ["legs", "legs"], "x-rules is a list of different"),
    (("x-rules",), ["Legs-Are"], "x-rules is a list"),
    (("$defs", "Tag", "title"), "Label", "the title of a definition is its key"),
    (("$defs", "Tag"), "text", "a definition is an object"),
    (("$defs", "Tag", "x-rules"), [], "keyword 'x-rules'"),
    (("$defs", "Tag", "properties", "pet"), {"$ref": "pet.schema.json"}, "contains itself"),
    (("$defs", "House"), {"title": "House", "description": "d", "type": "string", "enum": ["a"]}, "defined in"),
]


@pytest.mark.parametrize(("path", "value", "reason"), SCHEMA, ids=[f"{'.'.join(p)}-{r}" for p, _, r in SCHEMA])
def test_schema_outside_the_profile(path: tuple[str, ...], value: Any, reason: str) -> None:
    found = _refused(path, value)
    assert any(reason in each for each in found), found


ENUM: list[tuple[str, Any, str]] = [
    ("enum", [], "are identifiers"),
    ("enum", ["calm", 1], "are identifiers"),
    ("enum", ["two words"], "are identifiers"),
    ("enum", ["calm", "CALM"], "differ by case alone"),
    ("enum", ["calm", "calm"], "differ by case alone"),
    ("enum", ["option"], "proto has its own use"),
    ("enum", ["reserved"], "proto has its own use"),
    ("enum", ["Value"], "proto has its own use"),
    ("enum", ["MOOD_UNSPECIFIED"], "proto has its own use"),
    ("type", "integer", "an enum has the type string"),
    ("default", "calm", "keyword 'default'"),
]


@pytest.mark.parametrize(("key", "value", "reason"), ENUM, ids=[f"{e[0]}={e[1]}" for e in ENUM])
def test_enum_outside_the_profile(key: str, value: Any, reason: str) -> None:
    found = _refused(("$defs", "Mood", key), value, COMMON)
    assert any(reason in each and "$defs.Mood" in each for each in found), found


@pytest.mark.parametrize(
    "name",
    [
        "pet.schema.json",
        "zoo/pet.schema.json",
        "zoo/v0/pet.schema.json",
        "Zoo/v1/pet.schema.json",
        "zoo/v1/pet.json",
        "zoo/v1/my-pet.schema.json",
    ],
)
def test_file_names_say_family_version_and_document(name: str) -> None:
    assert any("is named <family>/v<N>/<document>" in each for each in _faults({name: json.dumps(zoo()[COMMON])}))


@pytest.mark.parametrize(
    ("text", "reason"), [("{", "is not JSON"), ("[]", "a schema is an object"), ('{"a": 1, "a": 2}', "stands twice")]
)
def test_text_that_is_no_schema(text: str, reason: str) -> None:
    assert any(reason in each for each in _faults({PET: text}))


def test_every_fault_is_told_at_once() -> None:
    schemas = zoo()
    del schemas[PET]["x-flow"]
    schemas[PET]["properties"]["legs"] = {"description": "d", "type": "integer"}
    schemas[COMMON]["$defs"]["Mood"]["enum"] = ["option"]
    assert len(_faults(texts(schemas))) == 3
