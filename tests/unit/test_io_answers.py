"""What a model wrote becomes an answer or a reason; the shapes are those that other projects stumbled over."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge_support import audio_axes, text_axes
from voxint_contracts.audio_eval.v1 import AudioJudgeAnswer
from voxint_contracts.autorater.v1 import JudgeAnswer

from voxint.io.answers import LONGEST_MESSAGE, Unfit, answer, cut, unfenced

GOOD = json.dumps({"axes": audio_axes(7)})


def changed(axis: str, score: Any) -> str:
    """An answer whose one score is spelled as given, JSON or not."""
    return json.dumps({"axes": {**audio_axes(7), axis: {"evidence": [], "rationale": "", "score": "@"}}}).replace(
        '"@"', score
    )


def code(text: str) -> str:
    found = answer(text, AudioJudgeAnswer)
    return found.code if isinstance(found, Unfit) else "ok"


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"\n\t {GOOD} \n",
        json.dumps(json.loads(GOOD), indent=2),
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```\n",
        f"~~~\n{GOOD}\n~~~",
        f"Sure - scores below.\n\n```\n{GOOD}\n```\nLet me know.",
        f"```json\n{GOOD}",
        changed("pacing", "null"),
        changed("pacing", "10"),
        changed("pacing", "0.0"),
    ],
)
def test_an_answer(text: str) -> None:
    assert isinstance(answer(text, AudioJudgeAnswer), AudioJudgeAnswer)


@pytest.mark.parametrize("score", ['"7"', '"7/10"', "true", "11", "10.000001", "-3", "-0.1", "9.2e124", "NaN", "[7]"])
def test_a_number_off_the_scale_or_no_number_is_no_score(score: str) -> None:
    assert code(changed("pacing", score)) == "schema"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "invalid_json"),
        (" \n", "invalid_json"),
        ("``` \n```", "invalid_json"),
        ("I cannot evaluate this audio.", "invalid_json"),
        (GOOD + "\n" + GOOD, "invalid_json"),
        (f"Sure: {GOOD}", "invalid_json"),
        (f"```\n{GOOD}\n```\n```\n{GOOD}\n```", "invalid_json"),
        (f"```\n{GOOD}\n```\nor rather {GOOD}", "invalid_json"),
        ("{'axes': 1}", "invalid_json"),
        (GOOD[:-1], "truncated"),
        (GOOD[:70], "truncated"),
        ("{", "truncated"),
        (f"```json\n{GOOD[:-30]}", "truncated"),
        ("[]", "schema"),
        ("7", "schema"),
        ("null", "schema"),
        ("{}", "schema"),
        (json.dumps({"axes": {}}), "schema"),
        (json.dumps(audio_axes()), "schema"),
        (changed("pacing", "7").replace('"pacing"', '"pacing2"'), "schema"),
        (GOOD.replace('"pacing": {', '"pacing": {"score": 2, '), "schema"),
        ('{"axes": "\\ud800"}', "invalid_json"),
        ("[" * 100_000, "invalid_json"),
    ],
)
def test_no_answer(text: str, expected: str) -> None:
    assert code(text) == expected


def test_a_text_of_a_million_characters_is_not_read() -> None:
    assert code(GOOD + " " * (1 << 20)) == "invalid_json"


def test_the_message_names_the_place() -> None:
    found = answer(changed("pacing", "11"), AudioJudgeAnswer)
    assert found == Unfit("schema", "$.axes.pacing.score: must be at most 10, not 11")
    axes = {axis: {**value, "score": 11} for axis, value in text_axes().items()}
    several = answer(json.dumps({"axes": axes}), JudgeAnswer)
    assert isinstance(several, Unfit)
    assert several.message.count("must be at most 10") == 3
    assert several.message.endswith("; 8 more")


def test_half_a_surrogate_in_the_text_is_no_bug() -> None:
    assert code('{"axes": "\ud800') == "truncated"


def test_a_message_is_one_line_of_at_most_400_characters() -> None:
    assert cut("a\nb\u2028c") == "a b c"
    assert len(cut("x" * 401)) == LONGEST_MESSAGE
    assert cut("x" * 401).endswith("…")
    assert cut("x" * 400) == "x" * 400


@given(st.text(max_size=200))
def test_no_text_is_a_bug(text: str) -> None:
    found = answer(text, JudgeAnswer)
    assert isinstance(found, Unfit)
    assert 0 < len(found.message) <= LONGEST_MESSAGE


@given(st.integers(0, len(GOOD) - 1))
def test_the_beginning_of_an_answer_is_no_answer(end: int) -> None:
    assert code(GOOD[:end]) == ("truncated" if end else "invalid_json")


def test_a_text_without_a_fence_stays() -> None:
    assert unfenced("a ``` b") == "a ``` b"
