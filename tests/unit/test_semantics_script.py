"""The rules of a script: one that keeps each, and where one breaks it."""

from __future__ import annotations

from typing import Any

import pytest
from script_support import line, scene, script

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
