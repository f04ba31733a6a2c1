"""Replies and sums over them."""

from __future__ import annotations

import pytest
from judge_support import text_axes
from pydantic import ValidationError
from voxint_contracts.audio_eval.v1 import AudioJudgeAnswer, AudioJudgeAxis, AudioJudgeResponse, AudioReply
from voxint_contracts.autorater.v1 import JudgeAnswer, JudgeAxis, JudgeResponse, Reply, TokenUsage

from voxint.autorater.judge_replies import failed, newest, reported, scored, total_usage
from voxint.ports import Judged, JudgeRequest
from voxint.semantics import RULES

TEXT = JudgeRequest(3, "", "", tuple(JudgeAxis), JudgeAnswer, Reply, JudgeResponse)
AUDIO = JudgeRequest(4, "", "", tuple(AudioJudgeAxis), AudioJudgeAnswer, AudioReply, AudioJudgeResponse)


def test_an_answer_becomes_a_reply() -> None:
    answer = JudgeAnswer.model_validate({"axes": text_axes(), "comment": "so"})
    reply = scored(TEXT, answer, 1)
    assert (reply.index, reply.status, reply.comment, reply.reasks) == (3, "ok", "so", 1)
    assert reply.axes == answer.axes
    assert reply.axis_order == list(JudgeAxis)
    assert reply.error is None


def test_a_failure_has_a_code_and_no_scores() -> None:
    reply = failed(AUDIO, "http", "status 503", http_status=503, reasks=1)
    assert isinstance(reply, AudioReply)
    assert reply.axes is None
    assert reply.error is not None
    assert (reply.error.code, reply.error.message, reply.error.http_status) == ("http", "status 503", 503)
    assert (reply.index, reply.reasks, reply.axis_order) == (4, 1, list(AudioJudgeAxis))
    assert list(RULES["replies_fit_their_status"](type("Document", (), {"replies": [reply]}))) == []


@pytest.mark.parametrize("status", [None, 0, 99, 600, 999])
def test_a_status_that_http_does_not_have_is_left_out(status: int | None) -> None:
    reply = failed(TEXT, "http", "?", http_status=status)
    assert reply.error is not None
    assert reply.error.http_status is None


def test_a_code_that_is_none() -> None:
    with pytest.raises(ValueError, match="overloaded"):
        failed(TEXT, "overloaded", "?")
    with pytest.raises(ValidationError):
        failed(TEXT, "other", "x" * 401)


def judged(**facts: object) -> Judged[Reply]:
    return Judged(failed(TEXT, "other", "?"), **facts)  # type: ignore[arg-type]


def test_sums_over_replies() -> None:
    one = TokenUsage(input_tokens=5, output_tokens=3, audio_tokens=1)
    known = judged(usage=one, created_at="2026-01-02T00:00:00Z", model_reported="m-1")
    later = judged(usage=one, created_at="2026-01-10T00:00:00Z", model_reported="m-1")
    blank = judged()
    assert total_usage([known, blank, later]) == TokenUsage(input_tokens=10, output_tokens=6, audio_tokens=2)
    assert newest([later, known, blank]) == "2026-01-10T00:00:00Z"
    assert reported([known, blank, later]) == "m-1"
    assert reported([judged(model_reported="b"), judged(model_reported="a")]) == "a, b"
    assert (total_usage([blank]), newest([blank]), reported([blank])) == (None, None, None)
