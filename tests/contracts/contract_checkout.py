"""Small checkouts for the contract tools: a copy of this one, or one with a few made-up schemas."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path
from typing import Any

from contract_support import ROOT

from tools._contracts import pages
from tools._contracts.schemas import DIALECT

COPIED = ("contracts", "generated", "docs/glossary.md", "pyproject.toml", "buf.yaml")
Schema = dict[str, Any]

STRENGTH = "../../common/v1/common.schema.json#/$defs/Mood"

COMMON: Schema = {
    "$schema": DIALECT,
    "title": "Common",
    "description": "Shared.",
    "$defs": {"Mood": {"title": "Mood", "description": "A mood.", "type": "string", "enum": ["calm", "ANGRY", "none"]}},
}

PET: Schema = {
    "$schema": DIALECT,
    "title": "Pet",
    "description": "A pet.",
    "type": "object",
    "x-flow": "input",
    "x-stream": True,
    "x-rules": ["legs_are_even"],
    "required": ["name", "legs", "mood", "mark", "house", "chip", "kind", "alive"],
    "properties": {
        "name": {"description": "What it is called.", "type": "string", "minLength": 1, "maxLength": 9},
        "legs": {"description": "How many it has.", "type": "integer", "minimum": 0, "maximum": 8},
        "mood": {"$ref": STRENGTH},
        "mark": {"description": "Its mark.", "anyOf": [{"type": "string"}, {"type": "null"}]},
        "house": {"description": "Where it lives.", "$ref": "house.schema.json"},
        "chip": {"description": "Its chip.", "type": "integer", "minimum": 0, "maximum": 4294967295},
        "kind": {"description": "Says what it is.", "type": "string", "const": "pet"},
        "before": {"description": "Its mood before.", "anyOf": [{"$ref": STRENGTH}, {"type": "null"}]},
        "tag": {"description": "Its tag.", "anyOf": [{"$ref": "#/$defs/Tag"}, {"type": "null"}]},
        "tame": {"description": "True if known.", "anyOf": [{"type": "boolean"}, {"type": "null"}]},
        "alive": {"description": "Always true.", "type": "boolean", "const": True},
        "tags": {"description": "All tags.", "type": "array", "items": {"$ref": "#/$defs/Tag"}, "default": []},
        "moods": {"description": "All moods.", "type": "array", "items": {"$ref": STRENGTH}, "default": []},
        "sizes": {
            "description": "Size by part.",
            "type": "object",
            "additionalProperties": {"type": "number", "exclusiveMinimum": 0},
            "default": {},
        },
        "history": {
            "description": "Tags by year and label.",
            "x-nested": True,
            "type": "object",
            "additionalProperties": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Tag"}},
            "default": {},
        },
        "grid": {
            "description": "Rows of whole numbers.",
            "x-nested": True,
            "type": "array",
            "items": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 9}},
            "default": [],
        },
    },
    "$defs": {
        "Tag": {
            "title": "Tag",
            "description": "A tag.",
            "type": "object",
            "required": ["text"],
            "properties": {"text": {"description": "What it says.", "type": "string"}},
        }
    },
}

HOUSE: Schema = {
    "$schema": DIALECT,
    "title": "House",
    "description": "A house.",
    "type": "object",
    "x-flow": "output",
    "required": ["width"],
    "properties": {"width": {"description": "How wide it is.", "type": "number", "minimum": 0, "maximum": 100}},
}


def zoo() -> dict[str, Schema]:
    """Schemas that use all that the profile allows; a fresh copy each time."""
    files = {"common/v1/common": COMMON, "zoo/v1/pet": PET, "zoo/v1/house": HOUSE}
    return {f"{name}.schema.json": copy.deepcopy(schema) for name, schema in files.items()}


def texts(schemas: dict[str, Schema]) -> dict[str, str]:
    return {file: json.dumps(schema) for file, schema in schemas.items()}


def zoo_checkout(root: Path, schemas: dict[str, Schema]) -> Path:
    """A checkout that holds these schemas and nothing made from them."""
    for file, text in texts(schemas).items():
        (root / "contracts/schema" / file).parent.mkdir(parents=True, exist_ok=True)
        (root / "contracts/schema" / file).write_text(text)
    (root / "contracts/vocabulary.toml").write_text("[terms]\n[units]\n[fields]\n[values]\n")
    (root / "contracts/README.md").write_text(f"# Zoo\n\n{pages.BEGIN}\n{pages.END}\n\nThe end.\n")
    (root / "docs").mkdir()
    for name in ("pyproject.toml", "buf.yaml"):
        shutil.copy(ROOT / name, root / name)
    return root


def copied_checkout(root: Path) -> Path:
    """A copy of all that the contract tools read and write here."""
    for name in COPIED:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, root / name)
    return root
