"""What the contract tests share: vectors as values, and each document in JSON Schema, pydantic and proto."""

from __future__ import annotations

import importlib
import json
import posixpath
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from jsonschema import Draft202012Validator
from pydantic import BaseModel, ValidationError
from referencing import Registry
from referencing.jsonschema import DRAFT202012
from voxint_contracts.catalog import DOCUMENTS, Document

from tools._contracts import outputs, proto
from tools._contracts.shapes import Field, List, Map, Message, Nested, Ref
from tools._contracts.vectors import Vector, vectors

ROOT = Path(__file__).resolve().parents[2]
CONTRACTS = outputs.read_contracts(ROOT)
BY_NAME = {document.name: document for document in DOCUMENTS}
VECTORS = tuple(vectors(ROOT))
BASE = "file:///schema/"


def vector_id(vector: Vector) -> str:
    return f"{vector.document.rpartition('/')[0]}/{vector.path.parent.name}/{vector.path.name}"


def records(vector: Vector) -> list[bytes]:
    """The JSON texts of a vector: its lines, or the whole of it."""
    data = vector.path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    return [line for line in data.split(b"\n") if line.strip()] if vector.stream else [data]


@cache
def schemas() -> dict[str, Any]:
    folder = ROOT / "contracts" / "schema"
    return {path.relative_to(folder).as_posix(): json.loads(path.read_bytes()) for path in folder.rglob("*.json")}


@cache
def validator(name: str) -> Draft202012Validator:
    pairs = [(BASE + file, DRAFT202012.create_resource(schema)) for file, schema in schemas().items()]
    registry: Registry[Any] = Registry().with_resources(pairs)
    return Draft202012Validator({"$ref": f"{BASE}{name}.schema.json"}, registry=registry)


def inlined(node: Any, file: str) -> Any:
    """A schema without references; says what the validator sees, and is quicker to ask."""
    if isinstance(node, list):
        return [inlined(each, file) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        owner, _, fragment = node["$ref"].partition("#")
        place = posixpath.normpath(posixpath.join(posixpath.dirname(file), owner)) if owner else file
        target = schemas()[place]
        for step in fragment.split("/")[1:]:
            target = target[step]
        return inlined(target, place)
    return {key: inlined(each, file) for key, each in node.items() if key not in ("$defs", "$schema")}


@cache
def inlined_schema(name: str) -> Any:
    file = f"{name}.schema.json"
    return inlined(schemas()[file], file)


def model_of(document: Document) -> type[BaseModel]:
    model: type[BaseModel] = getattr(importlib.import_module(document.module), document.model)
    return model


def model_errors(document: Document, text: str | bytes) -> list[Any]:
    """Why the model refuses a text; nothing if it takes it."""
    try:
        model_of(document).model_validate_json(text)
    except ValidationError as error:
        return list(error.errors(include_url=False))
    return []


def canonical(document: Document, text: str | bytes) -> str:
    """The one text that a model of this text has."""
    model = model_of(document).model_validate_json(text)
    return json.dumps(model.model_dump(mode="json"), sort_keys=True, ensure_ascii=False, allow_nan=False)


def run_buf(root: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [str(Path(sys.executable).with_name("buf")), *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, check=False)


@cache
def pool() -> descriptor_pool.DescriptorPool:
    done = run_buf(ROOT, "build", "--as-file-descriptor-set", "-o", "-")
    assert done.returncode == 0, done.stderr
    found = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(done.stdout).file:
        found.Add(file)
    return found


def message_class(document: Document) -> Any:
    package = proto.package(document.name.rpartition("/")[0])
    return message_factory.GetMessageClass(pool().FindMessageTypeByName(f"{package}.{document.model}"))


def through_proto(document: Document, text: str | bytes) -> str:
    """The text after JSON -> proto message -> bytes -> proto message -> JSON, nulls put back."""
    kind = message_class(document)
    sent = json_format.Parse(text, kind(), ignore_unknown_fields=True)
    received = kind.FromString(sent.SerializeToString())
    value = json_format.MessageToDict(
        received, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return json.dumps(_with_nulls(Ref(document.name.rpartition("/")[0], document.model), value))


def _with_nulls(ref: Ref, value: Any) -> Any:
    """What proto JSON drops: a null that must stand there. A ListValue or Struct keeps its nulls itself."""
    target = CONTRACTS.index[ref]
    if not isinstance(target, Message):
        return value
    known = {each.name: each for each in target.fields}
    filled = {name: _field_with_nulls(known[name], inside) for name, inside in value.items()}
    return dict.fromkeys([name for name, each in known.items() if each.required and each.nullable]) | filled


def _field_with_nulls(each: Field, value: Any) -> Any:
    match each.type:
        case Ref() as ref:
            return _with_nulls(ref, value)
        case List(item=Ref() as ref):
            return [_with_nulls(ref, inside) for inside in value]
        case Map(value=Ref() as ref):
            return {key: _with_nulls(ref, inside) for key, inside in value.items()}
        case Nested(shape=shape, refs=refs) if "integer" in shape or refs:
            return _whole(value)
        case _:
            return value


def _whole(value: Any) -> Any:
    """A Struct holds every number as a double; 3.0 is the integer 3 again, which a float field takes as well."""
    if isinstance(value, dict):
        return {key: _whole(inside) for key, inside in value.items()}
    if isinstance(value, list):
        return [_whole(inside) for inside in value]
    is_whole = isinstance(value, float) and value.is_integer() and str(value) != "-0.0"
    return int(value) if is_whole and abs(value) < 2**53 else value
