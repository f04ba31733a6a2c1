"""What the library asks of the world, as protocols: who implements them stands in `voxint.edges`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from voxint_contracts.audio_eval.v1 import AudioJudgeAxis, AudioReply
from voxint_contracts.autorater.v1 import JudgeAxis, Reply, TokenUsage
from voxint_contracts.base import Contract

R = TypeVar("R", Reply, AudioReply)


@dataclass(frozen=True, slots=True)
class Recording:
    """Sound as a service takes it: encoded bytes and their media type, `audio/flac` or `audio/mpeg`."""

    media_type: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class JudgeRequest(Generic[R]):
    """One repeat: what the judge is told, and in which order of the axes.

    `answer`, `reply` and `response` are the contracts of what the model writes, of what this becomes, and of the
    document of all replies.
    """

    index: int
    instructions: str
    material: str
    axis_order: tuple[JudgeAxis, ...] | tuple[AudioJudgeAxis, ...]
    answer: type[Contract]
    reply: type[R]
    response: type[Contract]
    recording: Recording | None = None


@dataclass(frozen=True, slots=True)
class Judged(Generic[R]):
    """A reply and how it came about; what a service did not say is None. `created_at` is RFC 3339, in UTC."""

    reply: R
    model_reported: str | None = None
    usage: TokenUsage | None = None
    created_at: str | None = None
    is_cached: bool = False


@dataclass(frozen=True, slots=True)
class Assignment(Generic[R]):
    """What is judged, in all repeats alike: its identity, the requests, and the document that the replies become."""

    requests: tuple[JudgeRequest[R], ...]
    prompt_id: str
    prompt_sha256: str
    identity: Mapping[str, Any]


class JudgePort(Protocol[R]):
    """Somebody who judges."""

    async def reply(self, request: JudgeRequest[R]) -> Judged[R]:
        """The reply to one request; whatever goes wrong is a failed reply with a code, never an exception."""
