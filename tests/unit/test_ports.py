"""What passes through a port keeps to itself what need not be shown."""

from __future__ import annotations

import asyncio

from judge_support import FAILED
from voxint_contracts.autorater.v1 import JudgeAnswer, JudgeAxis, JudgeResponse, Reply

from voxint.ports import Judged, JudgePort, JudgeRequest, Recording


def test_the_bytes_of_a_recording_are_in_no_repr() -> None:
    assert repr(Recording("audio/flac", b"secret")) == "Recording(media_type='audio/flac')"


def test_a_class_with_the_method_is_a_judge() -> None:
    class Judge:
        async def reply(self, request: JudgeRequest[Reply]) -> Judged[Reply]:
            return Judged(Reply.model_validate({**FAILED, "index": request.index}, strict=False))

    judge: JudgePort[Reply] = Judge()
    request = JudgeRequest(4, "", "", tuple(JudgeAxis), JudgeAnswer, Reply, JudgeResponse)
    judged = asyncio.run(judge.reply(request))
    assert judged.reply.index == 4
    assert (judged.model_reported, judged.usage, judged.created_at, judged.is_cached) == (None, None, None, False)
