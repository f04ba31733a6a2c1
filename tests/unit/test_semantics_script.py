"""The rules of a script: one that keeps each, and where one breaks it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from script_support import line, scene, script
from voxint_contracts.audio_eval.v1 import RenderManifest

from voxint.semantics import RULES


def broken(rule: str, model: Any) -> list[tuple[str | int, ...]]:
    return [violation.path for violation in RULES[rule](model)]


CUE = {"entry_id": "e2", "kind": "cue", "cue_type": "sfx", "text": "a bell"}
MOVE = {"entry_id": "e3", "kind": "movement", "character": "pym", "movement": "exit"}


@pytest.mark.parametrize("rule", ["script_ids_are_plain", "script_ids_are_unique", "entries_fit_their_kind"])
def test_a_sound_script_breaks_no_rule(rule: str) -> None:
    assert broken(rule, script()) == []
    assert broken(rule, script(scene(line("e1", "nobody", "Hello?"), CUE, MOVE))) == []


def test_ids_are_plain() -> None:
    found = script(scene(line("E1", "pym", "Hello?"), line("e 2", "pym", "Hello?")), script_id="Desk")
    path = ("scenes", 0, "entries")
    assert broken("script_ids_are_plain", found) == [("script_id",), (*path, 0, "entry_id"), (*path, 1, "entry_id")]


def test_no_two_of_a_kind_have_one_id() -> None:
    plant = {"plant_id": "p", "entry_id": "e1", "label": "bell", "kind": "sound"}
    payoff = {"payoff_id": "f", "plant_id": "p", "entry_id": "e1"}
    reveal = {"reveal_id": "r", "kind": "motive", "entry_id": "e1"}
    cast = [{"character_id": "pym", "name": "A", "role": "lead"}, {"character_id": "pym", "name": "B", "role": "foil"}]
    scenes = [scene(line("e1", "pym", "a")), scene(line("e1", "pym", "b"))]
    found = script(*scenes, cast=cast, plants=[plant, plant], payoffs=[payoff, payoff], reveals=[reveal, reveal])
    assert broken("script_ids_are_unique", found) == [
        ("cast", 1, "character_id"),
        ("scenes", 1, "scene_id"),
        ("scenes", 1, "entries", 0, "entry_id"),
        ("plants", 1, "plant_id"),
        ("payoffs", 1, "payoff_id"),
        ("reveals", 1, "reveal_id"),
    ]


@pytest.mark.parametrize(
    ("entry", "name"),
    [
        (line("e1", "pym", "a"), "speaker"),
        (line("e1", "pym", "a"), "text"),
        (CUE, "cue_type"),
        (CUE, "text"),
        (MOVE, "character"),
        (MOVE, "movement"),
    ],
)
def test_an_entry_has_what_its_kind_needs(entry: dict[str, Any], name: str) -> None:
    without = {key: value for key, value in entry.items() if key != name}
    assert broken("entries_fit_their_kind", script(scene(without))) == [("scenes", 0, "entries", 0, name)]


def render(**changes: Any) -> RenderManifest:
    chunk = {"speaker": "pym", "entry_ids": [], "start_s": 0, "end_s": 1, "text": ""}
    whole = {
        "schema_version": 1,
        "audio_path": "a.wav",
        "audio_sha256": "a" * 64,
        "sample_rate": 16000,
        "script_sha256": "b" * 64,
        "chunks": [{**chunk, "chunk_id": "c1"}, {**chunk, "chunk_id": "c2"}],
        "seams": [{"seam_id": "m1", "at_s": 1, "left_chunk": "c1", "right_chunk": "c2"}],
    }
    return RenderManifest.model_validate_json(json.dumps({**whole, **changes}))


@pytest.mark.parametrize("rule", ["render_is_identified", "render_ids_are_unique", "chunks_have_a_length"])
def test_a_sound_render_breaks_no_rule(rule: str) -> None:
    assert broken(rule, render()) == []
    assert broken(rule, render(script_id="desk", seams=[])) == []


def test_a_render_is_identified() -> None:
    found = render(script_id="A", audio_sha256="A" * 64, script_sha256="x" * 64)
    assert broken("render_is_identified", found) == [("script_id",), ("audio_sha256",), ("script_sha256",)]


def test_stretches_and_seams_of_a_render_are_told_apart() -> None:
    whole = json.loads(render().model_dump_json())
    seam = {"seam_id": "m1", "at_s": 1, "left_chunk": "c1", "right_chunk": "c9"}
    found = render(chunks=[*whole["chunks"], whole["chunks"][0]], seams=[*whole["seams"], seam])
    assert broken("render_ids_are_unique", found) == [
        ("chunks", 2, "chunk_id"),
        ("seams", 1, "seam_id"),
        ("seams", 1, "right_chunk"),
    ]


def test_a_stretch_ends_after_it_begins() -> None:
    chunks = json.loads(render().model_dump_json())["chunks"]
    chunks[0]["end_s"] = 0
    chunks[1]["start_s"] = 1.5
    assert broken("chunks_have_a_length", render(chunks=chunks)) == [("chunks", 0, "end_s"), ("chunks", 1, "end_s")]
