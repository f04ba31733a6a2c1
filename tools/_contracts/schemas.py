"""Reads schema files into shapes, and refuses what JSON Schema, pydantic and proto cannot all say."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tools._contracts.faults import ContractFaultsError, Place
from tools._contracts.properties import described, read_field
from tools._contracts.shapes import Contracts, Document, Enum, Message, Ref, refs_of

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SUFFIX = ".schema.json"
FLOWS = ("input", "output", "both")

_FILE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*/v[1-9][0-9]*/[a-z][a-z0-9]*(_[a-z0-9]+)*\.schema\.json")
_TYPE_NAME = re.compile(r"[A-Z][A-Za-z0-9]*")
_RULE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_VALUE = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
# `option = 1` and `reserved = 1` inside an enum are statements; `Value` is the enum's own name on the wire.
_VALUES_PROTO_CANNOT_NAME = frozenset({"option", "reserved", "Value"})

_LIBRARY = frozenset({"$schema", "title", "description", "$defs"})
_ROOT = _LIBRARY | {"type", "required", "properties", "x-stream", "x-flow", "x-rules"}
_MESSAGE = frozenset({"title", "description", "type", "required", "properties"})
_ENUM = frozenset({"title", "description", "type", "enum"})

Names = Mapping[str, Ref]


def schema_texts(folder: Path) -> dict[str, str]:
    """The text of every file under a schema folder, by path below it."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in files}


def load(texts: Mapping[str, str]) -> Contracts:
    """The contracts that schema texts spell; ContractFaultsError lists all that is outside the profile."""
    faults: list[str] = []
    nodes = {file: node for file in sorted(texts) if (node := _parse(texts[file], Place(file, faults)))}
    names = _names(nodes, faults)
    documents = tuple(_document(file, node, names, faults) for file, node in nodes.items())
    index = {Ref(each.version, type_.name): type_ for each in documents for type_ in each.types}
    for file, document in zip(nodes, documents, strict=True):
        _refuse_recursion(document, index, Place(file, faults))
    if faults:
        raise ContractFaultsError(faults)
    return Contracts(documents, index)


def _parse(text: str, place: Place) -> dict[str, Any] | None:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        for key in sorted({key for key in keys if keys.count(key) > 1}):
            place.refuse(f"key {key!r} stands twice in one object")
        return dict(pairs)

    if not _FILE.fullmatch(place.file):
        place.refuse("a schema file is named <family>/v<N>/<document>.schema.json, in snake_case")
        return None
    try:
        node = json.loads(text, object_pairs_hook=unique)
    except ValueError as error:
        place.refuse(f"is not JSON: {error}")
        return None
    if not isinstance(node, dict):
        place.refuse("a schema is an object")
        return None
    return node


def _names(nodes: Mapping[str, dict[str, Any]], faults: list[str]) -> dict[str, Ref]:
    """What each `file#/$defs/Name` and each `file` (its root) refers to; names are unique in a version."""
    names: dict[str, Ref] = {}
    owners: dict[Ref, str] = {}
    for file, node in nodes.items():
        version = posixpath.dirname(file)
        targets = {f"{file}#/$defs/{name}": name for name in _object(node.get("$defs"))}
        if "type" in node:
            targets[file] = str(node.get("title"))
        for target, name in targets.items():
            ref = Ref(version, name)
            if ref in owners:
                where = f"is defined in {owners[ref]} too; define it once and $ref it"
                Place(file, faults).refuse(f"{name} {where}")
            owners[ref] = target
            names[target] = ref
    return names


def _object(node: Any) -> dict[str, Any]:
    return node if isinstance(node, dict) else {}


def _document(file: str, node: dict[str, Any], names: Names, faults: list[str]) -> Document:
    place = Place(file, faults)
    here = {key.removeprefix(file): ref for key, ref in names.items() if key.startswith(file + "#")}
    folder = posixpath.dirname(file)
    known = here | {posixpath.relpath(f"/{key}", f"/{folder}"): ref for key, ref in names.items()}
    place.expect(fits=node.get("$schema") == DIALECT, message=f"$schema must be {DIALECT}")
    definitions = tuple(_definitions(node, known, place))
    name = file.removesuffix(SUFFIX)
    if "type" not in node:
        place.only(node, _LIBRARY)
        description = described(node, place)
        _title(node, place)
        return Document(name, description, None, definitions)
    place.only(node, _ROOT)
    root = _message(node, known, place)
    place.expect(fits=node.get("x-stream", True) is True, message="x-stream is true or absent")
    flow = node.get("x-flow")
    place.expect(fits=flow in FLOWS, message="x-flow says who writes it: input, output or both")
    return Document(
        name,
        root.description,
        root,
        definitions,
        stream="x-stream" in node,
        flow=flow if flow in FLOWS else "both",
        rules=_rules(node, place),
    )


def _rules(node: dict[str, Any], place: Place) -> tuple[str, ...]:
    rules = node.get("x-rules", [])
    fits = isinstance(rules, list) and all(isinstance(rule, str) and _RULE.fullmatch(rule) for rule in rules)
    if not fits or len(set(rules)) != len(rules):
        place.refuse("x-rules is a list of different snake_case ids")
        return ()
    return tuple(rules)


def _definitions(node: dict[str, Any], names: Names, place: Place) -> Iterator[Message | Enum]:
    for key, each in _object(node.get("$defs")).items():
        spot = place.at("$defs", key)
        if not isinstance(each, dict):
            spot.refuse("a definition is an object")
            continue
        spot.expect(fits=each.get("title") == key, message="the title of a definition is its key")
        if "enum" in each:
            yield _enum(each, spot)
        else:
            spot.only(each, _MESSAGE)
            yield _message(each, names, spot)


def _title(node: dict[str, Any], place: Place) -> str:
    title = node.get("title")
    if not isinstance(title, str) or not _TYPE_NAME.fullmatch(title):
        place.refuse("needs a title in PascalCase: the name of its class")
        return ""
    return title


def _enum(node: dict[str, Any], place: Place) -> Enum:
    place.only(node, _ENUM)
    place.expect(fits=node.get("type") == "string", message="an enum has the type string")
    values = node["enum"]
    fits = isinstance(values, list) and all(isinstance(v, str) and _VALUE.fullmatch(v) for v in values)
    if not fits or not values:
        place.refuse("the values of an enum are identifiers")
        values = []
    folded = {value.upper() for value in values}
    fits = len(folded) == len(values)
    place.expect(fits=fits, message="two values differ by case alone, or not at all")
    for value in values:
        if value in _VALUES_PROTO_CANNOT_NAME or value.upper().endswith("_UNSPECIFIED"):
            place.refuse(f"proto has its own use for the value {value!r}")
    return Enum(_title(node, place), described(node, place), tuple(values))


def _message(node: dict[str, Any], names: Names, place: Place) -> Message:
    if node.get("type") != "object":
        place.refuse("must be an object with properties, or a string with an enum")
    properties = _object(node.get("properties"))
    place.expect(fits=bool(properties), message="needs properties")
    required = node.get("required", [])
    if not isinstance(required, list) or not all(str(name) in properties for name in required):
        place.refuse("required lists properties of this object and nothing else")
        required = []
    fields = [
        read_field(name, each, names, place.at("properties", name), required=name in required)
        for name, each in properties.items()
    ]
    return Message(_title(node, place), described(node, place), tuple(each for each in fields if each))


def _refuse_recursion(document: Document, index: Mapping[Ref, Message | Enum], place: Place) -> None:
    def walk(ref: Ref, above: tuple[Ref, ...]) -> bool:
        target = index.get(ref)
        if not isinstance(target, Message):
            return False
        below = [each for item in target.fields for each in refs_of(item.type)]
        return ref in above or any(walk(each, (*above, ref)) for each in below)

    for each in document.types:
        if walk(Ref(document.version, each.name), ()):
            place.refuse(f"{each.name} contains itself; contracts do not recurse")
