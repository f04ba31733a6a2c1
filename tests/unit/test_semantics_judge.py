"""The rules of what judges answer: a document that keeps each, and where one breaks it."""

from __future__ import annotations

from typing import Any

import pytest
from judge_support import DIGEST, FAILED, audio_axes, audio_response, ok, provenance, text_axes, text_response
from voxint_contracts.autorater.v1 import JudgeAxis

from voxint.semantics import RULES
from voxint.semantics_judge import is_id, is_sha256

ORDER = [axis.value for axis in JudgeAxis]


def broken(rule: str, model: Any) -> list[tuple[str | int, ...]]:
    return [violation.path for violation in RULES[rule](model)]


@pytest.mark.parametrize("rule", [name for name in RULES if RULES[name].__module__ == "voxint.semantics_judge"])
def test_a_sound_document_breaks_no_rule(rule: str) -> None:
    sound = text_response(ok(text_axes(), axis_order=ORDER), FAILED)
    if rule != "judged_audio_is_identified":
        assert broken(rule, sound) == []
    if rule != "judged_script_is_identified":
        assert broken(rule, audio_response(ok(audio_axes()), FAILED)) == []


@pytest.mark.parametrize("text", ["a", "0", "form-seven-b", "a.b_c-9", "x" * 64])
def test_an_id(text: str) -> None:
    assert is_id(text)


@pytest.mark.parametrize("text", ["", " ", "A", "-a", ".a", "a b", "x" * 65, "é", "a\n", "٣"])
def test_no_id(text: str) -> None:
    assert not is_id(text)


def test_a_digest_is_64_lower_case_hex_digits() -> None:
    assert is_sha256(DIGEST)
    assert [is_sha256(text) for text in (DIGEST[1:], DIGEST.upper(), "g" * 64, DIGEST + "\n", "٣" * 64)] == [False] * 5


def test_what_was_judged_is_identified() -> None:
    text = text_response(FAILED, script_id="A", profile_id="-", script_sha256="x" * 64)
    assert broken("judged_script_is_identified", text) == [("script_id",), ("profile_id",), ("script_sha256",)]
    audio = audio_response(FAILED, script_id="A", profile_id="-", script_sha256="x" * 64, audio_sha256="y" * 64)
    paths = [("script_id",), ("profile_id",), ("script_sha256",), ("audio_sha256",)]
    assert broken("judged_audio_is_identified", audio) == paths
    assert broken("judged_audio_is_identified", audio_response(FAILED, script_id=None)) == []


def test_every_digest_of_a_provenance_is_one() -> None:
    names = ("prompt_sha256", "response_schema_sha256", "request_sha256")
    response = text_response(FAILED, provenance=provenance(**dict.fromkeys(names, "z" * 64), prompt_id="A b"))
    paths = [("provenance", name) for name in (*names, "prompt_id")]
    assert broken("provenance_is_well_formed", response) == paths


@pytest.mark.parametrize(
    "instant", ["2026-01-31T12:00:00Z", "2026-12-01T23:59:60.123+05:30", "0001-01-01T00:00:00-00:00"]
)
def test_a_time_of_rfc_3339(instant: str) -> None:
    assert broken("provenance_is_well_formed", text_response(FAILED, provenance=provenance(created_at=instant))) == []


@pytest.mark.parametrize(
    "instant",
    [
        "2026-01-31 12:00:00Z",
        "2026-01-31T12:00:00.000",
        "2026-13-31T12:00:00Z",
        "2026-01-32T12:00:00Z",
        "2026-01-31T24:00:00Z",
        "2026-01-31T12:60:00Z",
        "2026-01-31T12:00:00+24:00",
        "Sat, 31 Jan 2026 12:00:00",
    ],
)
def test_no_time_of_rfc_3339(instant: str) -> None:
    response = text_response(FAILED, provenance=provenance(created_at=instant))
    assert broken("provenance_is_well_formed", response) == [("provenance", "created_at")]


def test_no_more_replies_than_were_asked_for_and_no_more_hits_than_replies() -> None:
    response = text_response(FAILED, FAILED, provenance=provenance(requested_repeats=1, cache_hits=3))
    paths = [("provenance", "requested_repeats"), ("provenance", "cache_hits")]
    assert broken("provenance_is_well_formed", response) == paths


def test_a_failure_is_never_a_score() -> None:
    axes = text_axes()
    response = text_response(
        {**FAILED, "axes": axes},
        {"status": "failed", "axis_order": []},
        {"status": "ok", "axis_order": []},
        ok(axes, error=FAILED["error"]),
    )
    paths = [("replies", 0, "axes"), ("replies", 1, "error"), ("replies", 2, "axes"), ("replies", 3, "error")]
    assert broken("replies_fit_their_status", response) == paths


def test_two_replies_with_one_index() -> None:
    response = text_response(FAILED, {**FAILED, "index": 7}, {**FAILED, "index": 0}, {**FAILED, "index": 7})
    assert broken("replies_are_numbered_apart", response) == [("replies", 2, "index"), ("replies", 3, "index")]


def test_an_axis_order_has_each_axis_once_or_is_not_known() -> None:
    orders = [[], ORDER[::-1], ORDER[1:], ORDER[1:] + ORDER[1:2]]
    response = text_response(*(ok(text_axes(), axis_order=order) for order in orders))
    paths = [("replies", 2, "axis_order"), ("replies", 3, "axis_order")]
    assert broken("axis_order_has_each_axis_once", response) == paths
