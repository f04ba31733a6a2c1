"""Replies, scored and failed: a failure has its code and no scores, so that nothing can be read as a zero."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from voxint_contracts.autorater.v1 import ReplyError, ReplyErrorCode, ReplyStatus, TokenUsage

from voxint.ports import Judged, JudgeRequest, R


def scored(request: JudgeRequest[R], answer: Any, reasks: int) -> R:
    """The reply that an answer of the request's contract makes; `reasks` is 0 or 1."""
    reply = cast("Any", request.reply)(
        index=request.index,
        status=ReplyStatus.OK,
        axes=answer.axes,
        comment=answer.comment,
        axis_order=list(request.axis_order),
        reasks=reasks,
    )
    return cast("R", reply)


def failed(request: JudgeRequest[R], code: str, message: str, *, http_status: int | None = None, reasks: int = 0) -> R:
    """The reply that says why there is no score: a code of `ReplyErrorCode`, a message of at most 400 characters."""
    known = http_status if http_status is not None and 100 <= http_status <= 599 else None
    reply = cast("Any", request.reply)(
        index=request.index,
        status=ReplyStatus.FAILED,
        error=ReplyError(code=ReplyErrorCode(code), message=message, http_status=known),
        axis_order=list(request.axis_order),
        reasks=reasks,
    )
    return cast("R", reply)


def total_usage(judged: Sequence[Judged[R]]) -> TokenUsage | None:
    """The tokens of all replies together; None where no reply counted any."""
    counted = [each.usage for each in judged if each.usage is not None]
    if not counted:
        return None
    return TokenUsage(
        input_tokens=sum(usage.input_tokens for usage in counted),
        output_tokens=sum(usage.output_tokens for usage in counted),
        audio_tokens=sum(usage.audio_tokens for usage in counted),
    )


def newest(judged: Sequence[Judged[R]]) -> str | None:
    """The time of the latest reply; times are RFC 3339 in UTC, so that they sort as text."""
    return max((each.created_at for each in judged if each.created_at is not None), default=None)


def reported(judged: Sequence[Judged[R]]) -> str | None:
    """The model that the replies name; names that differ, in order of the alphabet, with commas between them."""
    names = sorted({each.model_reported for each in judged if each.model_reported})
    return ", ".join(names)[:200] or None
