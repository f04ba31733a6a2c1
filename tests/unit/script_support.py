"""A small script for tests."""

from __future__ import annotations

import json
from typing import Any

from voxint_contracts.autorater.v1 import Script


def line(entry_id: str, speaker: str, text: str, **more: Any) -> dict[str, Any]:
    """A line of dialogue."""
    return {"entry_id": entry_id, "kind": "dialogue", "speaker": speaker, "text": text, **more}


def scene(*entries: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A scene of these entries."""
    return {"scene_id": "s1", "entries": list(entries), **more}


def script(*scenes: dict[str, Any], **more: Any) -> Script:
    """A script of these scenes, with a cast of two."""
    cast = [
        {"character_id": "pym", "name": "Mrs Pym", "role": "lead", "want": "to be relieved of a post"},
        {"character_id": "dunmore", "name": "Mr Dunmore", "role": "lead"},
    ]
    whole = {
        "schema_version": 1,
        "script_id": "desk",
        "title": "The Desk",
        "cast": cast,
        "scenes": list(scenes),
        **more,
    }
    return Script.model_validate_json(json.dumps(whole))
