"""Leaks between enrollment, dev and confirm are told by people, not by file names."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from voxint_contracts.attribution_protocol.v2 import AttributionProtocolRow, MeetingRole, MeetingSplit

from voxint.errors import RecordError
from voxint.harness.protocol_honesty import validate_session_honesty, validate_session_rule, validate_split_honesty

ENROLLED = ("FIE038", "MIO036", "Y3", "Y4")


def rows(meetings: Mapping[str, tuple[str, str, tuple[str, ...]]]) -> list[AttributionProtocolRow]:
    """Meeting to role, split and people."""
    return [
        AttributionProtocolRow(
            meeting_id=meeting,
            nxt_agent="ABCDEFG"[place],
            host_global_name=name,
            base_session_id=meeting.rstrip("abcde"),
            role=MeetingRole(role),
            split=MeetingSplit(split),
        )
        for meeting, (role, split, people) in meetings.items()
        for place, name in enumerate(people)
    ]


def protocol(
    ib4005: tuple[str, str], *, extra: Mapping[str, tuple[str, str, tuple[str, ...]]] | None = None
) -> list[AttributionProtocolRow]:
    """The facts of case 26, in which IB4002 enrols FIE038; one meeting's role and split are free."""
    return rows(
        {
            "IB4002": ("enrollment", "enrollment", ENROLLED),
            "IB4005": (*ib4005, ("FIE038", "MIO036", "X1", "X2")),
            "IB4001": ("test_genuine", "dev", ("FIE038", "MIO036", "Y1", "Y2")),
            "ES2004a": ("test_open", "confirm", ("Z1", "Z2", "Z3", "Z4")),
            **(extra or {}),
        }
    )


def leaks(facts: list[AttributionProtocolRow], enrolled: tuple[str, ...] | None = None) -> list[str]:
    with pytest.raises(RecordError) as caught:
        validate_split_honesty(facts, enrolled)
    assert all(record.parameter == "manifest" and record.path is not None for record in caught.value.records)
    return [record.message for record in caught.value.records]


def test_speakers_in_both_halves_are_named() -> None:
    assert leaks(protocol(("test_genuine", "confirm")), ("FIE038",)) == [
        'speaker "FIE038" is in both halves: confirm in "IB4005", dev in "IB4001"',
        'speaker "MIO036" is in both halves: confirm in "IB4005", dev in "IB4001"',
    ]


@pytest.mark.parametrize("enrolled", [None, ("FIE038",)])
def test_a_clean_protocol_is_accepted(enrolled: tuple[str, ...] | None) -> None:
    facts = protocol(("test_genuine", "dev"))
    validate_split_honesty(facts, enrolled)
    validate_session_honesty(facts)
    validate_session_rule(facts, "abcde")


def test_an_enrollment_meeting_in_a_half_is_named() -> None:
    facts = protocol(("test_genuine", "dev"))
    moved = [row.model_copy(update={"split": MeetingSplit.DEV}) if row.meeting_id == "IB4002" else row for row in facts]
    assert leaks(moved) == ['enrollment meeting "IB4002" is in the dev split']
    twice = facts + rows({"IB4002": ("test_genuine", "dev", ENROLLED)})
    assert leaks(twice) == ['enrollment meeting "IB4002" is in the dev split']


def test_an_enrolled_speaker_in_an_open_meeting_is_named() -> None:
    facts = protocol(("test_open", "dev"))
    assert leaks(facts, ("FIE038",)) == ['enrolled speaker "FIE038" is in the open-set meeting "IB4005"']
    assert leaks(facts) == [
        'enrolled speaker "FIE038" is in the open-set meeting "IB4005"',
        'enrolled speaker "MIO036" is in the open-set meeting "IB4005"',
    ]
    validate_split_honesty(facts, ())


def test_enrollment_and_test_of_one_day_are_named() -> None:
    facts = rows(
        {
            "EN2001a": ("enrollment", "enrollment", ("P", "Q")),
            "EN2001e": ("test_genuine", "dev", ("P", "R")),
            "EN2001d": ("test_genuine", "dev", ("P",)),
        }
    )
    with pytest.raises(RecordError) as caught:
        validate_session_honesty(facts)
    (record,) = caught.value.records
    assert record.message == 'speaker "P" is enrolled from and tested in base session "EN2001"'
    assert record.path == ("rows", 2)


def test_a_session_that_is_not_the_names_own_is_named() -> None:
    facts = rows({"EN2001e": ("test_genuine", "dev", ("P",))})
    validate_session_rule(facts, "any")
    with pytest.raises(RecordError, match='must be "EN2001e" by the session suffixes "abcd"') as caught:
        validate_session_rule(facts, "abcd")
    assert caught.value.records[0].path == ("rows", 0, "base_session_id")
