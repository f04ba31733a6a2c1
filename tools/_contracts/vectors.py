"""Test vectors: documents that every implementation must accept or refuse, told apart by their file names.

accept/<document>.<what it shows>.json(l)
reject/<document>.schema-<reason>.json(l)      refused by the JSON Schema, and so by all else
reject/<document>.model-<reason>.json(l)       fits the JSON Schema as a value; a strict reader refuses it
reject/<document>.reader-<reason>.json(l)      bytes that no schema gets to see: encoding, syntax, duplicate keys
reject/<document>.rule-<id>.<reason>.json(l)   fits, and breaks the rule of that id
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from tools._contracts.shapes import Contracts

FOLDER = "contracts/vectors"

_NAME = re.compile(
    r"(?P<document>[a-z0-9_]+)\.(?:(?P<layer>schema|model|reader)-|rule-(?P<rule>[a-z0-9_]+)\.)?"
    r"(?P<reason>[A-Za-z0-9-]+)\.(?P<form>jsonl?)"
)


@dataclass(frozen=True)
class Vector:
    """One vector. `layer` is empty for a document to accept, else schema, model, reader or rule."""

    path: Path
    document: str
    layer: str
    rule: str
    stream: bool


def vectors(root: Path, faults: list[str] | None = None) -> Iterator[Vector]:
    """Every vector of a checkout, in order of its path; names that say nothing go to `faults`."""
    complaints = [] if faults is None else faults
    for path in sorted(each for each in (root / FOLDER).glob("*/v*/*/*") if each.is_file()):
        verdict = path.parent.name
        match = _NAME.fullmatch(path.name)
        layer = "" if match is None else match["layer"] or ("rule" if match["rule"] else "")
        if match is None or verdict not in ("accept", "reject") or (verdict == "reject") != bool(layer):
            complaints.append(f"{path.relative_to(root).as_posix()}: is not named as tools/_contracts/vectors.py says")
            continue
        version = path.parent.parent.relative_to(root / FOLDER).as_posix()
        document = f"{version}/{match['document']}"
        yield Vector(path, document, layer, match["rule"] or "", match["form"] == "jsonl")


def vector_faults(root: Path, contracts: Contracts) -> Iterator[str]:
    """Names that say nothing, documents without vectors, and rules that no reject vector breaks."""
    faults: list[str] = []
    found = list(vectors(root, faults))
    yield from faults
    documents = {each.name: each for each in contracts.documents if each.root}
    for vector in found:
        document = documents.get(vector.document)
        where = f"{FOLDER}: {vector.document}: {vector.path.name}"
        if document is None:
            yield f"{where} belongs to no document"
        elif document.stream != vector.stream:
            yield f"{where} ends in .jsonl for a stream of documents, and in .json for one"
        elif vector.rule and vector.rule not in document.rules:
            yield f"{where} breaks a rule that the schema does not name"
    for name, document in documents.items():
        layers = [vector.layer for vector in found if vector.document == name]
        if "" not in layers or "schema" not in layers:
            yield f"{FOLDER}: {name} needs a document to accept and one that its schema refuses"
        broken = {vector.rule for vector in found if vector.document == name}
        unbroken = [rule for rule in document.rules if rule not in broken]
        yield from (f"{FOLDER}: {name} needs a vector that breaks the rule {rule}" for rule in unbroken)


def rule_faults(contracts: Contracts, rules: Collection[str]) -> Iterator[str]:
    """Ids that a schema names and nothing implements, and rules that no schema names."""
    named = {rule: document.name for document in contracts.documents for rule in document.rules}
    for rule in sorted(named.keys() - set(rules)):
        yield f"{named[rule]}: voxint.semantics.RULES has no rule {rule}"
    yield from (
        f"voxint.semantics.RULES: no schema names the rule {rule}" for rule in sorted(set(rules) - named.keys())
    )
