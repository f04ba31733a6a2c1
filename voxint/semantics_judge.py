"""The rules of what judges answer, about a script and about its recording. Part of `voxint.semantics.RULES`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from voxint.errors import Violation, quoted

if TYPE_CHECKING:
    from voxint_contracts.audio_eval.v1 import AudioJudgeResponse, AudioReply
    from voxint_contracts.autorater.v1 import JudgeResponse, Reply

    Response = JudgeResponse | AudioJudgeResponse

_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}", re.ASCII)
_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)
_INSTANT = re.compile(
    r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?"
    r"(Z|[+-]([01]\d|2[0-3]):[0-5]\d)",
    re.ASCII,
)

NOT_AN_ID = "must be lower-case letters, digits, dots, underscores and hyphens, and begin with a letter or a digit"
NOT_A_DIGEST = "must be 64 lower-case hex digits"


def is_id(text: str) -> bool:
    """Whether a text is an id: 1 to 64 of `a-z 0-9 . _ -`, the first a letter or a digit."""
    return _ID.fullmatch(text) is not None


def is_sha256(text: str) -> bool:
    """Whether a text is a SHA-256 as this house writes it: 64 hex digits in lower case."""
    return _SHA256.fullmatch(text) is not None


def judged_script_is_identified(response: JudgeResponse) -> Iterator[Violation]:
    """Ids and digests of what was judged have the form of one, so that they can be compared."""
    for name in ("script_id", "profile_id"):
        if not is_id(getattr(response, name)):
            yield Violation((name,), NOT_AN_ID)
    if not is_sha256(response.script_sha256):
        yield Violation(("script_sha256",), NOT_A_DIGEST)


def judged_audio_is_identified(response: AudioJudgeResponse) -> Iterator[Violation]:
    """Ids and digests of what was judged have the form of one, so that they can be compared."""
    for name, value in (("script_id", response.script_id), ("profile_id", response.profile_id)):
        if value is not None and not is_id(value):
            yield Violation((name,), NOT_AN_ID)
    for name in ("script_sha256", "audio_sha256"):
        if not is_sha256(getattr(response, name)):
            yield Violation((name,), NOT_A_DIGEST)


def provenance_is_well_formed(response: Response) -> Iterator[Violation]:
    """Digests are digests, the time is one of RFC 3339, and no more replies came than were asked for."""
    provenance = response.provenance
    for name in ("prompt_sha256", "response_schema_sha256", "request_sha256"):
        if not is_sha256(getattr(provenance, name)):
            yield Violation(("provenance", name), NOT_A_DIGEST)
    if not is_id(provenance.prompt_id):
        yield Violation(("provenance", "prompt_id"), NOT_AN_ID)
    if provenance.created_at is not None and not _INSTANT.fullmatch(provenance.created_at):
        yield Violation(("provenance", "created_at"), "must be a time in RFC 3339, as 2026-01-31T12:00:00Z")
    if len(response.replies) > provenance.requested_repeats:
        message = f"must be at least {len(response.replies)}, the number of replies"
        yield Violation(("provenance", "requested_repeats"), message)
    if provenance.cache_hits > len(response.replies):
        yield Violation(("provenance", "cache_hits"), f"must be at most {len(response.replies)}, the number of replies")


def _replies(response: Response) -> Sequence[Reply | AudioReply]:
    return response.replies


def replies_fit_their_status(response: Response) -> Iterator[Violation]:
    """A reply that is ok has axes and no error; a failed one has an error and no axes: a failure is never a score."""
    for place, reply in enumerate(_replies(response)):
        is_ok = reply.status == "ok"
        if (reply.axes is None) == is_ok:
            yield Violation(
                ("replies", place, "axes"),
                f"must be {'there' if is_ok else 'absent'} in a reply that is {reply.status}",
            )
        if (reply.error is None) != is_ok:
            yield Violation(
                ("replies", place, "error"),
                f"must be {'absent' if is_ok else 'there'} in a reply that is {reply.status}",
            )


def replies_are_numbered_apart(response: Response) -> Iterator[Violation]:
    """No two replies have one index: a reply that stood twice would count twice."""
    seen: dict[int, int] = {}
    for place, reply in enumerate(_replies(response)):
        first = seen.setdefault(reply.index, place)
        if first != place:
            yield Violation(("replies", place, "index"), f"{reply.index} is the index of $.replies[{first}] too")


def axis_order_has_each_axis_once(response: Response) -> Iterator[Violation]:
    """The order shown to the judge is empty where it is not known, and otherwise has each axis once."""
    for place, reply in enumerate(_replies(response)):
        if not reply.axis_order:
            continue
        missing = [axis for axis in type(reply.axis_order[0]) if axis not in reply.axis_order]
        if len(set(reply.axis_order)) < len(reply.axis_order):
            yield Violation(("replies", place, "axis_order"), "must have no axis twice")
        elif missing:
            yield Violation(
                ("replies", place, "axis_order"), f"must have every axis or none: {quoted(missing[0])} is not there"
            )


RULES: dict[str, Callable[[Any], Iterator[Violation]]] = {
    "judged_script_is_identified": judged_script_is_identified,
    "judged_audio_is_identified": judged_audio_is_identified,
    "provenance_is_well_formed": provenance_is_well_formed,
    "replies_fit_their_status": replies_fit_their_status,
    "replies_are_numbered_apart": replies_are_numbered_apart,
    "axis_order_has_each_axis_once": axis_order_has_each_axis_once,
}
