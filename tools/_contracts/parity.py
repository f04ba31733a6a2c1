"""Schema and proto are equal: each message, field and enum value has its twin, and nothing else is there.

Reads the compiled descriptors, not the text that `proto` renders, so that neither can hide the other's fault.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tools._contracts.shapes import INT32_HIGH, Contracts, Enum, List, Map, Message, Nested, Ref, Scalar, Type

_SCALARS = {"string": "string", "number": "double", "boolean": "bool"}


def parity_faults(contracts: Contracts, image: dict[str, Any]) -> Iterator[str]:
    """What is in the schemas and not in the protos, the other way round, and what differs."""
    expected = dict(_expected(contracts))
    found = dict(_found(image))
    for name in sorted(expected.keys() | found.keys()):
        if name not in found:
            yield f"{name} is missing in the protos"
        elif name not in expected:
            yield f"{name} is in the protos and in no schema"
        elif found[name] != expected[name]:
            yield f"{name} is `{found[name]}` in the protos, `{expected[name]}` by its schema"


def _expected(contracts: Contracts) -> Iterator[tuple[str, str]]:
    for document in contracts.documents:
        for type_ in document.types:
            name = _name(Ref(document.version, type_.name))
            if isinstance(type_, Enum):
                yield f"{name}.Value", "enum"
                yield from ((f"{name}.Value.{value}", "value") for value in type_.values)
            else:
                yield name, "message"
                for each in type_.fields:
                    yield f"{name}.{each.name}", _signature(each.type, contracts)


def _name(ref: Ref) -> str:
    return f"voxint.{ref.version.replace('/', '.')}.{ref.name}"


def _signature(shape: Type, contracts: Contracts) -> str:
    match shape:
        case Nested():
            return "google.protobuf.ListValue" if shape.outer == "array" else "google.protobuf.Struct"
        case List():
            return f"repeated {_base(shape.item, contracts)}"
        case Map():
            return f"map<string, {_base(shape.value, contracts)}>"
        case Ref() if isinstance(contracts.index[shape], Message):
            return _base(shape, contracts)
        case _:
            return f"optional {_base(shape, contracts)}"


def _base(shape: Scalar | Ref, contracts: Contracts) -> str:
    if isinstance(shape, Ref):
        return _name(shape) + (".Value" if isinstance(contracts.index[shape], Enum) else "")
    if shape.kind == "integer":
        return "uint32" if shape.high is not None and shape.high > INT32_HIGH else "int32"
    return _SCALARS[shape.kind]


def _found(image: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for file in image["file"]:
        package = file.get("package", "")
        if package.startswith("voxint."):
            for message in file.get("messageType", []):
                yield from _found_message(f"{package}.{message['name']}", message)
            yield from ((f"{package}.{enum['name']}", "enum of its own") for enum in file.get("enumType", []))


def _found_message(name: str, message: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for enum in message.get("enumType", []):
        yield f"{name}.{enum['name']}", "enum"
        values = [each["name"] for each in enum["value"] if each.get("number", 0) != 0]
        yield from ((f"{name}.{enum['name']}.{value}", "value") for value in values)
    if not message.get("enumType"):
        yield name, "message"
    entries = {each["name"]: each for each in message.get("nestedType", [])}
    for each in message.get("field", []):
        yield f"{name}.{each['name']}", _found_field(each, entries)


def _found_field(each: dict[str, Any], entries: dict[str, Any]) -> str:
    base = _found_base(each)
    entry = entries.get(base.rpartition(".")[2], {})
    if entry.get("options", {}).get("mapEntry"):
        key, value = (_found_base(part) for part in entry["field"])
        base = f"map<{key}, {value}>"
    elif each["label"] == "LABEL_REPEATED":
        base = f"repeated {base}"
    elif each.get("proto3Optional"):
        base = f"optional {base}"
    return base if each["jsonName"] == each["name"] else f"{base} with the JSON name {each['jsonName']}"


def _found_base(each: dict[str, Any]) -> str:
    name: str = each.get("typeName", "")
    return name.removeprefix(".") or str(each["type"]).removeprefix("TYPE_").lower()
