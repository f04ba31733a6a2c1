"""Who of a corpus can be met again on another day: base sessions, cross-session speakers, pairs."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb
from typing import NamedTuple

from voxint_contracts.recurrence import v1 as contract
from voxint_contracts.recurrence.v1 import RecurrenceReport

from voxint.corpus import Meetings, Participant, Recordings
from voxint.errors import UsageError, quoted
from voxint.semantics_attribution import BASELINE_PAIRS, BASELINE_SPEAKERS, CALIBRATION_SPEAKERS

__all__ = [
    "ANY_SUFFIX",
    "KillCriterion",
    "RecurrenceReport",
    "base_session_id",
    "check_kill_criterion",
    "cross_session_speakers",
    "index_of",
    "meetings_of",
    "recurrence",
    "score",
    "sessions_by_speaker",
]

ANY_SUFFIX = "any"
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LARGEST_COUNT = 2**31 - 1


class KillCriterion(NamedTuple):
    """Whether the corpus carries a baseline, and whether it carries a calibration on its recurring speakers alone."""

    baseline_viable: bool
    calibration_viable: bool


def score(
    *,
    meetings_xml: Meetings | None = None,
    gold_rttm_dir: Recordings | None = None,
    session_suffixes: str = ANY_SUFFIX,
) -> contract.RecurrenceReport:
    """Counts the people of a corpus who speak on more than one day.

    Meetings of one base session are one day: EN2001a and EN2001e both belong to EN2001. The meetings come from one of
    the two: the corpus's meetings.xml, or gold RTTMs whose labels are identities over the whole corpus.

    Args:
        meetings_xml: The corpus's meetings.xml.
        gold_rttm_dir: Gold RTTMs, one meeting a file.
        session_suffixes: Final letters that a base session leaves out, such as abcd; any is every letter.

    Example:
        voxint attribution recurrence --meetings-xml meetings.xml

    Raises:
        UsageError: Not one of the two is given, but none or both; or the suffixes are no letters.
    """
    if (meetings_xml is None) == (gold_rttm_dir is None):
        raise UsageError("the meetings come from one of the two: --meetings-xml or --gold-rttm-dir")
    return recurrence(index_of(meetings_xml, gold_rttm_dir), session_suffixes)


def index_of(meetings_xml: Meetings | None, gold_rttm_dir: Recordings | None) -> Meetings:
    """The meetings and their participants: those of the XML where there is one, else those heard in the RTTMs."""
    if meetings_xml is not None:
        return meetings_xml
    return {} if gold_rttm_dir is None else meetings_of(gold_rttm_dir)


def meetings_of(recordings: Recordings) -> Meetings:
    """An index from gold recordings whose labels are identities: agents A, B, ... in order of these, no channels."""
    return {
        meeting_id: tuple(Participant(_agent(place), name) for place, name in enumerate(sorted(timeline.spans)))
        for meeting_id, timeline in recordings.items()
    }


def _agent(place: int) -> str:
    """A to Z, then AA, AB, ..."""
    rest, letter = divmod(place, 26)
    return (_agent(rest - 1) if rest else "") + _LETTERS[26 + letter]


def base_session_id(meeting_id: str, suffixes: str = ANY_SUFFIX) -> str:
    """The meeting's name without one final letter that follows a digit and is among `suffixes`.

    Raises:
        UsageError: the suffixes are neither `any` nor ASCII letters.

    >>> base_session_id("EN2001e"), base_session_id("EN2001e", "abcd"), base_session_id("IB4005")
    ('EN2001', 'EN2001e', 'IB4005')
    """
    letters = _LETTERS if suffixes == ANY_SUFFIX else suffixes
    if not letters or not set(letters) <= set(_LETTERS):
        raise UsageError(f"the session suffixes must be letters, such as abcd, or any; not {quoted(suffixes)}")
    before = meeting_id[-2:-1]
    is_suffixed = before.isascii() and before.isdigit() and meeting_id[-1] in letters
    return meeting_id[:-1] if is_suffixed else meeting_id


def sessions_by_speaker(meetings: Meetings, suffixes: str = ANY_SUFFIX) -> dict[str, dict[str, int]]:
    """Each person's base sessions, and the number of meetings of each that the person takes part in."""
    found: dict[str, dict[str, int]] = {}
    for meeting_id, people in meetings.items():
        session = base_session_id(meeting_id, suffixes)
        for person in people:
            own = found.setdefault(person.global_name, {})
            own[session] = own.get(session, 0) + 1
    return found


def cross_session_speakers(meetings: Meetings, suffixes: str = ANY_SUFFIX) -> set[str]:
    """The people who take part in two base sessions or more."""
    return {name for name, sessions in sessions_by_speaker(meetings, suffixes).items() if len(sessions) > 1}


def recurrence(meetings: Meetings, suffixes: str = ANY_SUFFIX) -> contract.RecurrenceReport:
    """The report on an index of meetings. No meetings give counts of 0, and nothing is viable.

    Genuine pairs are the sum over the cross-session speakers of C(sessions, 2), impostor pairs that over the base
    sessions of C(cross-session speakers in it, 2).

    Raises:
        UsageError: the suffixes are no letters, or a count passes 2^31 - 1.
    """
    by_speaker = sessions_by_speaker(meetings, suffixes)
    cross = {name: sessions for name, sessions in by_speaker.items() if len(sessions) > 1}
    genuine = sum(comb(len(sessions), 2) for sessions in cross.values())
    impostor = sum(comb(n, 2) for n in _occupancy(cross.values()))
    if max(genuine, impostor) > _LARGEST_COUNT:
        raise UsageError(f"the corpus has more than {_LARGEST_COUNT} pairs: split it")
    viable = check_kill_criterion(len(cross), genuine)
    return contract.RecurrenceReport(
        schema_version=1,
        kind="recurrence_report",
        n_meetings=len(meetings),
        n_base_sessions=len({base_session_id(meeting_id, suffixes) for meeting_id in meetings}),
        n_participants=len(by_speaker),
        n_cross_session_speakers=len(cross),
        n_genuine_pairs=genuine,
        n_impostor_pairs=impostor,
        baseline_viable=viable.baseline_viable,
        calibration_viable=viable.calibration_viable,
    )


def _occupancy(sessions: Iterable[Iterable[str]]) -> list[int]:
    """How many cross-session speakers each base session has."""
    counts: dict[str, int] = {}
    for own in sessions:
        for session in own:
            counts[session] = counts.get(session, 0) + 1
    return list(counts.values())


def check_kill_criterion(n_cross_session_speakers: int, n_genuine_pairs: int) -> KillCriterion:
    """Whether a baseline (8 speakers and 50 genuine pairs) and a calibration (50 speakers) are viable.

    >>> check_kill_criterion(35, 64)
    KillCriterion(baseline_viable=True, calibration_viable=False)
    """
    return KillCriterion(
        n_cross_session_speakers >= BASELINE_SPEAKERS and n_genuine_pairs >= BASELINE_PAIRS,
        n_cross_session_speakers >= CALIBRATION_SPEAKERS,
    )
