"""What makes a protocol dishonest: people, not file names, must keep enrollment, dev and confirm apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from voxint_contracts.attribution_protocol import v2 as contract

from voxint.errors import RecordFault, quoted
from voxint.harness.ami_recurrence import base_session_id
from voxint.harness.joins import FaultLog, raise_any

_ENROLLMENT = contract.MeetingRole.ENROLLMENT
_SCORED = (contract.MeetingSplit.DEV, contract.MeetingSplit.CONFIRM)

Rows = Sequence[contract.AttributionProtocolRow]


def validate_session_honesty(rows: Rows) -> None:
    """Nothing comes back when no speaker's enrollment and test rows share a base session.

    Raises:
        RecordError: names each speaker and session that do.
    """
    log = FaultLog("manifest")
    enrolled = {(row.host_global_name, row.base_session_id) for row in rows if row.role == _ENROLLMENT}
    told: set[tuple[str, str]] = set()
    for place, row in enumerate(rows):
        key = (row.host_global_name, row.base_session_id)
        if row.role != _ENROLLMENT and key in enrolled - told:
            told.add(key)
            message = f"speaker {quoted(key[0])} is enrolled from and tested in base session {quoted(key[1])}"
            log.add(_fault(place, message))
    raise_any(log)


def validate_split_honesty(rows: Rows, enrolled: Iterable[str] | None = None) -> None:
    """Nothing comes back when the halves share nobody, and no voice that is scored was heard at enrollment.

    `enrolled` are the speakers of the roster; without it, all who take part in an enrollment meeting.

    Raises:
        RecordError: names each speaker in both halves, each enrollment meeting in a scored split, and each enrolled
            speaker inside an open-set meeting.
    """
    log = FaultLog("manifest")
    roster = {r.host_global_name for r in rows if r.role == _ENROLLMENT} if enrolled is None else set(enrolled)
    for find in (_both_halves(rows), _scored_enrollment(rows), _enrolled_strangers(rows, roster)):
        for fault in find:
            log.add(fault)
    raise_any(log)


def validate_session_rule(rows: Rows, suffixes: str) -> None:
    """Nothing comes back when each row's base session follows from its meeting's name by the manifest's own rule.

    Raises:
        RecordError: names each row whose session is another one: it would hide a leak.
    """
    log = FaultLog("manifest")
    for place, row in enumerate(rows):
        expected = base_session_id(row.meeting_id, suffixes)
        if row.base_session_id != expected:
            message = f"must be {quoted(expected)} by the session suffixes {quoted(suffixes)}"
            log.add(_fault(place, message, "base_session_id"))
    raise_any(log)


def _both_halves(rows: Rows) -> Iterable[RecordFault]:
    first: dict[str, contract.AttributionProtocolRow] = {}
    told: set[str] = set()
    for place, row in enumerate(rows):
        if row.split not in _SCORED:
            continue
        name = row.host_global_name
        earlier = first.setdefault(name, row)
        if earlier.split != row.split and name not in told:
            told.add(name)
            where = f"{earlier.split} in {quoted(earlier.meeting_id)}, {row.split} in {quoted(row.meeting_id)}"
            yield _fault(place, f"speaker {quoted(name)} is in both halves: {where}")


def _scored_enrollment(rows: Rows) -> Iterable[RecordFault]:
    enrolling = {row.meeting_id for row in rows if row.role == _ENROLLMENT}
    told: set[str] = set()
    for place, row in enumerate(rows):
        if row.meeting_id in enrolling and row.split in _SCORED and row.meeting_id not in told:
            told.add(row.meeting_id)
            yield _fault(place, f"enrollment meeting {quoted(row.meeting_id)} is in the {row.split} split")


def _enrolled_strangers(rows: Rows, roster: set[str]) -> Iterable[RecordFault]:
    for place, row in enumerate(rows):
        if row.role == contract.MeetingRole.TEST_OPEN and row.host_global_name in roster:
            name, meeting = quoted(row.host_global_name), quoted(row.meeting_id)
            yield _fault(place, f"enrolled speaker {name} is in the open-set meeting {meeting}")


def _fault(place: int, message: str, *more: str) -> RecordFault:
    return RecordFault("manifest", None, message, ("rows", place, *more))
