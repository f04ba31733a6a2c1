"""A judge that says again what was recorded: for work without a network, for demonstrations and for tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic

from voxint.autorater.judge_replies import failed
from voxint.ports import Judged, JudgeRequest, R


class ReplayJudge(Generic[R]):
    """A `JudgePort` over recorded replies; it answers the request of an index with the reply of that index."""

    def __init__(self, recorded: Sequence[R]) -> None:
        self._by_index: dict[int, R] = {reply.index: reply for reply in recorded}

    async def reply(self, request: JudgeRequest[R]) -> Judged[R]:
        """The recorded reply as it stands; a failed one where none of that index was recorded."""
        found = self._by_index.get(request.index)
        if found is None:
            return Judged(failed(request, "other", f"no reply with the index {request.index} is recorded"))
        return Judged(found)


def replayed(response: Any, judged: Sequence[Judged[Any]]) -> Any:
    """The recorded document with these replies in it; where they come from stays as it was recorded."""
    facts = response.provenance.model_copy(update={"requested_repeats": len(judged), "cache_hits": 0})
    return response.model_copy(update={"replies": [each.reply for each in judged], "provenance": facts})
