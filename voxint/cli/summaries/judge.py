"""Replies of judges as a table: an axis a line, a repeat a column, and why the failed ones failed."""

from __future__ import annotations

from typing import Any

from voxint_contracts.audio_eval.v1 import AudioJudgeResponse
from voxint_contracts.autorater.v1 import JudgeResponse

from voxint.cli.summaries import Grid, Summary


def summary(response: JudgeResponse | AudioJudgeResponse) -> Summary:
    """The scores that each repeat gave, the failures, and who was asked."""
    replies: list[Any] = list(response.replies)
    good = [reply for reply in replies if reply.status == "ok"]
    blocks: list[Grid | str] = []
    if good:
        rows = tuple((axis, *(_score(getattr(reply.axes, axis)) for reply in good)) for axis, _ in good[0].axes)
        blocks.append(Grid("", ("axis", *(f"reply {reply.index}" for reply in good)), rows))
    failures = tuple(
        (str(reply.index), reply.error.code.value, reply.error.message) for reply in replies if reply.status != "ok"
    )
    if failures:
        blocks.append(Grid("Failed replies: no scores", ("reply", "code", "why"), failures, n_text=3))
    blocks.append(_asked(response))
    return Summary(f"{_subject(response)}: {len(good)} of {len(replies)} replies can be scored", tuple(blocks))


def _subject(response: JudgeResponse | AudioJudgeResponse) -> str:
    if isinstance(response, JudgeResponse):
        return f"Judged script {response.script_id}"
    return f"Judged recording of {response.script_id or 'a script'}, {response.audio_seconds:.1f} s"


def _asked(response: JudgeResponse | AudioJudgeResponse) -> str:
    facts = response.provenance
    reported = f" ({facts.model_reported})" if facts.model_reported else ""
    cached = f", {facts.cache_hits} of them from the cache" if facts.cache_hits else ""
    return (
        f"Asked: {facts.model_requested}{reported}, {facts.requested_repeats} times{cached}. No score is a total yet."
    )


def _score(axis: Any) -> str:
    return "-" if axis.score is None else f"{axis.score:.1f}"
