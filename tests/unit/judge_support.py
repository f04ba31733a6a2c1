"""Documents of judges for tests, made up: nobody was asked."""

from __future__ import annotations

import json
from typing import Any

from voxint_contracts.audio_eval.v1 import AudioJudgeAxis, AudioJudgeResponse
from voxint_contracts.autorater.v1 import JudgeAxis, JudgeResponse

DIGEST = "0123456789abcdef" * 4
FAILED: dict[str, Any] = {"status": "failed", "error": {"code": "timeout", "message": "no answer"}, "axis_order": []}


def provenance(**changes: Any) -> dict[str, Any]:
    """Who was asked: nobody."""
    tool = {"name": "test", "version": "1"}
    base = {
        "provider": "test",
        "model_requested": "none",
        "prompt_id": "p1",
        "prompt_sha256": DIGEST,
        "response_schema_sha256": DIGEST,
        "request_sha256": DIGEST,
        "requested_repeats": 25,
        "adapter": tool,
        "sdk": tool,
        "cache_hits": 0,
    }
    return {**base, **changes}


def text_axes(score: float | None = 8, quote: str | None = "it is a form") -> dict[str, Any]:
    """Every axis of a script with one score and one quote."""
    return {
        axis.value: {"cited_moments": [{"quote": quote}], "rationale": "because", "score": score} for axis in JudgeAxis
    }


def audio_axes(score: float | None = 8) -> dict[str, Any]:
    """Every axis of a recording with one score."""
    return {axis.value: {"evidence": [], "rationale": "because", "score": score} for axis in AudioJudgeAxis}


def text_response(*replies: dict[str, Any], **changes: Any) -> JudgeResponse:
    """A document about a script; a reply without an index gets its place as one."""
    return JudgeResponse.model_validate_json(json.dumps(_document(replies, {}, changes)))


def audio_response(*replies: dict[str, Any], **changes: Any) -> AudioJudgeResponse:
    """A document about a recording."""
    own = {"audio_sha256": DIGEST, "audio_seconds": 12.5}
    return AudioJudgeResponse.model_validate_json(json.dumps(_document(replies, own, changes)))


def ok(axes: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A reply that can be scored."""
    return {"status": "ok", "axes": axes, "axis_order": [], **changes}


def _document(replies: tuple[dict[str, Any], ...], own: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    base = {"schema_version": 1, "script_id": "s-1", "script_sha256": DIGEST, "profile_id": "taste-1"}
    numbered = [{"index": place, **reply} for place, reply in enumerate(replies)]
    return {**base, **own, "replies": numbered, "provenance": provenance(), **changes}
