"""A contract's JSON Schema as one document without references to other files: what a service is told to answer by."""

from __future__ import annotations

import json
import posixpath
from typing import Any

from voxint_contracts.catalog import schema_text

_DEFS = "#/$defs/"


def self_contained(name: str) -> dict[str, Any]:
    """The schema of a document (`autorater/v1/judge_answer`), with every definition that it needs under `$defs`.

    Keys keep their order, which is the order in which a model writes them; notes of this house (`x-...`) and `$schema`
    are left out.

    References to a file as a whole are not followed: no contract that a service is told has one.

    Raises:
        LookupError: no contract document has that name.
        ValueError: two definitions of one name are needed.
    """
    found: dict[str, tuple[str, Any]] = {}
    root = _inlined(json.loads(schema_text(name)), name, found)
    root.pop("$defs", None)
    root.pop("$schema", None)
    return {**root, "$defs": {key: node for key, (_, node) in found.items()}} if found else root


def _inlined(node: Any, file: str, found: dict[str, tuple[str, Any]]) -> Any:
    """The node with its references turned into ones within the document; what they name goes to `found`."""
    if isinstance(node, list):
        return [_inlined(each, file, found) for each in node]
    if not isinstance(node, dict):
        return node
    kept = {key: value for key, value in node.items() if not key.startswith("x-") and key != "$defs"}
    return {
        key: _reference(value, file, found) if key == "$ref" else _inlined(value, file, found)
        for key, value in kept.items()
    }


def _reference(ref: str, file: str, found: dict[str, tuple[str, Any]]) -> str:
    path, _, name = ref.partition(_DEFS)
    target = (
        posixpath.normpath(posixpath.join(posixpath.dirname(file), path.removesuffix(".schema.json"))) if path else file
    )
    known = found.get(name)
    if known is not None and known[0] != target:
        raise ValueError(f"{name} is defined in {known[0]} and in {target}")
    if known is None:
        found[name] = (target, None)
        found[name] = (target, _inlined(json.loads(schema_text(target))["$defs"][name], target, found))
    return _DEFS + name
