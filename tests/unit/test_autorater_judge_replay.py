"""A replay says again what was recorded, and nothing else."""

from __future__ import annotations

import asyncio

from judge_support import FAILED, ok, provenance, text_axes, text_response
from voxint_contracts.autorater.v1 import JudgeAnswer, JudgeAxis, JudgeResponse, Reply

from voxint.autorater.judge_replay import ReplayJudge, replayed
from voxint.ports import Judged, JudgeRequest

RECORDED = text_response(
    ok(text_axes(7)), FAILED, ok(text_axes(9), index=7), provenance=provenance(cache_hits=2, requested_repeats=8)
)


def said(index: int) -> Judged[Reply]:
    request = JudgeRequest(index, "", "", tuple(JudgeAxis), JudgeAnswer, Reply, JudgeResponse)
    return asyncio.run(ReplayJudge(RECORDED.replies).reply(request))


def test_a_recorded_reply_is_given_again_as_it_stands() -> None:
    assert said(0).reply is RECORDED.replies[0]
    assert said(1).reply is RECORDED.replies[1]
    assert said(7).reply is RECORDED.replies[2]


def test_a_reply_that_was_not_recorded_is_a_failed_one() -> None:
    reply = said(3).reply
    assert reply.axes is None
    assert reply.error is not None
    assert (reply.index, reply.error.code) == (3, "other")
    assert reply.error.message == "no reply with the index 3 is recorded"


def test_the_document_keeps_where_it_came_from() -> None:
    document = replayed(RECORDED, [said(0), said(1), said(7)])
    assert document.replies == RECORDED.replies
    facts = document.provenance
    assert (facts.requested_repeats, facts.cache_hits) == (3, 0)
    assert facts.model_requested == RECORDED.provenance.model_requested
    assert facts.prompt_sha256 == RECORDED.provenance.prompt_sha256
