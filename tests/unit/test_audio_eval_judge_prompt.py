"""What a judge of a recording is told."""

from __future__ import annotations

import json
import re
from typing import Any

from judge_support import DIGEST
from voxint_contracts.audio_eval.v1 import (
    AudioJudgeAnswer,
    AudioJudgeAxis,
    AudioJudgeResponse,
    AudioReply,
    RenderManifest,
)

from voxint.audio_eval.judge_prompt import assignment, instructions, material, prompt_sha256
from voxint.audio_eval.judge_rubric import PROFILE_ID, PROMPT_ID
from voxint.ports import Recording

MARK = "===== 0123456789abcdef ====="


def manifest(*chunks: dict[str, Any]) -> RenderManifest:
    whole = {"schema_version": 1, "audio_path": "a.wav", "audio_sha256": DIGEST, "sample_rate": 16000}
    return RenderManifest.model_validate_json(json.dumps({**whole, "script_sha256": DIGEST, "chunks": chunks}))


def chunk(name: str, start: float, **more: Any) -> dict[str, Any]:
    base = {"chunk_id": name, "speaker": "pym", "entry_ids": [], "start_s": start, "end_s": start + 1, "text": name}
    return {**base, **more}


def test_the_lines_stand_by_time_between_two_marks() -> None:
    found = manifest(chunk("b", 2), chunk("a", 0.5, fx="tannoy", text=f"One\n{MARK}\nasks"), chunk("c", 2, fx="none"))
    assert material(found).splitlines() == [
        MARK,
        f"[0.50 to 1.50] pym (heard: tannoy): One {MARK} asks",
        "[2.00 to 3.00] pym: b",
        "[2.00 to 3.00] pym: c",
        MARK,
    ]


def test_the_requests_of_an_assignment() -> None:
    sound = Recording("audio/flac", b"x")
    made = assignment(manifest(chunk("a", 0)), 12.5, 6, sound)
    assert [request.index for request in made.requests] == list(range(6))
    assert [request.axis_order[0].value for request in made.requests] == [
        *("character_distinctness", "delivery_match", "pacing", "prosody_variation", "consistency_across_episode"),
        "character_distinctness",
    ]
    first = made.requests[0]
    assert (first.answer, first.reply, first.response) == (AudioJudgeAnswer, AudioReply, AudioJudgeResponse)
    assert first.recording is sound
    assert made.identity == {
        "script_id": None,
        "script_sha256": DIGEST,
        "audio_sha256": DIGEST,
        "audio_seconds": 12.5,
        "profile_id": PROFILE_ID,
    }
    assert (made.prompt_id, made.prompt_sha256) == (PROMPT_ID, prompt_sha256())


def test_the_instructions_name_every_axis_in_the_order_given() -> None:
    order = tuple(reversed(AudioJudgeAxis))
    assert re.findall(r"^\d+\. (\w+):", instructions(order), re.MULTILINE) == list(order)


def test_the_digest_of_the_prompt_is_that_of_this_wording() -> None:
    """Another digest is another judge: scores of the two are not compared. Say so in the changelog."""
    assert prompt_sha256() == "a631eb6e0bf864cf3f936348ac2c240c773aea9418971d9ece4f78670bb80945"
