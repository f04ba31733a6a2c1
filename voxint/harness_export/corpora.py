"""A corpus with a protocol, and the store: rosters enrolled from gold, runs rematched, hypotheses for the aligner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from sqlalchemy import select
from sqlalchemy.orm import Session
from voxint_contracts.attribution.v1 import MatchEvidence, SlotClass
from voxint_contracts.attribution_protocol.v2 import AttributionProtocolRow, MeetingRole, ProtocolManifest
from voxint_contracts.roster.v1 import MeetingRuns, RosterEntry

from voxint.corpus import Recordings, Timeline
from voxint.errors import InputError, listed, quoted
from voxint.harness.attribution_aligner import align_slots
from voxint.harness.intervals import exact
from voxint.speakers.matching import RunTurns
from voxint.store.evidence import run_turns
from voxint.store.tables import MatchCandidate

TEST_ROLES = (MeetingRole.TEST_GENUINE, MeetingRole.TEST_OPEN)


@dataclass(frozen=True, slots=True)
class Meeting:
    """A meeting of a protocol: its use, its people, and its run."""

    meeting_id: str
    row: AttributionProtocolRow
    people: frozenset[str]
    run_id: str


def meetings(protocol: ProtocolManifest, runs: MeetingRuns, roles: Iterable[MeetingRole]) -> list[Meeting]:
    """The protocol's meetings of these roles with their runs, in order of their ids.

    Raises:
        InputError: a meeting has no run, or a run is of a meeting that the protocol does not know.
    """
    wanted = set(roles)
    rows: dict[str, list[AttributionProtocolRow]] = {}
    for row in protocol.rows:
        rows.setdefault(row.meeting_id, []).append(row)
    if strangers := sorted(runs.runs.keys() - rows.keys()):
        raise InputError(f"runs of meetings that are not in the protocol: {listed(strangers)}")
    chosen = sorted(meeting_id for meeting_id, those in rows.items() if those[0].role in wanted)
    if lost := [meeting_id for meeting_id in chosen if meeting_id not in runs.runs]:
        raise InputError(f"meetings without a run: {listed(lost)}")
    return [
        Meeting(each, rows[each][0], frozenset(row.host_global_name for row in rows[each]), runs.runs[each])
        for each in chosen
    ]


def cross_session(protocol: ProtocolManifest) -> set[str]:
    """Who is in an enrollment meeting and in a test meeting of another session."""
    sessions: dict[bool, dict[str, set[str]]] = {True: {}, False: {}}
    for row in protocol.rows:
        enrols = row.role is MeetingRole.ENROLLMENT
        sessions[enrols].setdefault(row.host_global_name, set()).add(row.base_session_id)
    tested = sessions[False]
    return {name for name, where in sessions[True].items() if any(there not in where for there in tested.get(name, ()))}


def hypothesis(run: RunTurns) -> Timeline:
    """Who speaks when by a run: its turns as exact spans."""
    spans = [(turn.label, exact(turn.start), exact(turn.end)) for turn in run.turns]
    unit = lcm(1, *(time.denominator for _, *times in spans for time in times))
    found: dict[str, list[tuple[int, int]]] = {}
    for label, start, end in spans:
        found.setdefault(label, []).append((int(start * unit), int(end * unit)))
    return Timeline(unit, found)


def best_slots(
    session: Session, protocol: ProtocolManifest, runs: MeetingRuns, gold: Recordings
) -> dict[str, RosterEntry]:
    """The slot to enrol each cross-session speaker from, by the speaker's name; the entries have no speaker id yet.

    Each enrollment run is aligned with its gold. Of the slots classed genuine, a speaker's best is the purest, then
    the longest, then the first by meeting, label and run.

    Raises:
        InputError: a meeting has no run or no gold, or a run is missing or not completed.
    """
    wanted = cross_session(protocol)
    best: dict[str, tuple[tuple[float, float, str, str, str], RosterEntry]] = {}
    for meeting in meetings(protocol, runs, [MeetingRole.ENROLLMENT]):
        if meeting.meeting_id not in gold:
            raise InputError(f"meeting {quoted(meeting.meeting_id)} has no gold RTTM")
        run = run_turns(session, meeting.run_id)
        for slot in align_slots(gold[meeting.meeting_id], hypothesis(run)).slots:
            if slot.classification is not SlotClass.GENUINE or slot.dominant not in wanted:
                continue
            rank = (-slot.purity, -slot.duration, meeting.meeting_id, slot.label, run.run_id)
            if slot.dominant not in best or rank < best[slot.dominant][0]:
                entry = RosterEntry(
                    global_name=slot.dominant,
                    speaker_id="-",
                    source_run_id=run.run_id,
                    source_label=slot.label,
                    purity=_rounded(slot.purity, 4),
                    duration=_rounded(slot.duration, 3),
                )
                best[slot.dominant] = (rank, entry)
    return {name: best[name][1] for name in sorted(best)}


def _rounded(value: float, decimals: int) -> float:
    """Half to even on the decimal that the float prints as."""
    return float(round(exact(value), decimals))


def match_evidence(session: Session, run_id: str) -> dict[str, MatchEvidence]:
    """What the matcher kept of each label of a run, in order of the labels."""
    rows = session.scalars(select(MatchCandidate).where(MatchCandidate.run_id == run_id))
    return {
        row.label: MatchEvidence(
            top_speaker_id=row.top_speaker_id,
            similarity=row.similarity,
            margin=row.margin,
            vote_agreement=row.vote_agreement,
            eligible_turns=row.eligible_turns,
            eligible_seconds=row.eligible_seconds,
            roster_size=row.roster_size,
            run_id=run_id,
        )
        for row in sorted(rows, key=lambda each: each.label)
    }


def rttm_lines(meeting_id: str, run: RunTurns) -> Iterator[bytes]:
    """The turns of a run as SPEAKER lines of NIST's RTTM, by start, end and label.

    Times are written as the decimals that they print as, so that reading them gives the same spans.

    Raises:
        InputError: a label or the meeting's id holds white space, which RTTM cannot hold.
    """
    for name in sorted({meeting_id, *(turn.label for turn in run.turns)}):
        if name.split() != [name] or name == "<NA>":
            raise InputError(f"{quoted(name)} cannot stand in an RTTM: it is not one word")
    for turn in sorted(run.turns, key=lambda each: (each.start, each.end, each.label)):
        start, end = exact(turn.start), exact(turn.end)
        times = f"{_decimal(start)} {_decimal(end - start)}"
        yield f"SPEAKER {meeting_id} 1 {times} <NA> <NA> {turn.label} <NA> <NA>\n".encode()


def _decimal(value: Fraction) -> str:
    """A fraction of a power of ten, as the shortest decimal that is equal to it."""
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    digits = str(int(value * 10**places)).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}" if places else f"{digits}.0"


def speaker_map(entries: Mapping[str, RosterEntry]) -> dict[str, str]:
    """Gold speaker to speaker id, in order of the names."""
    return {name: entry.speaker_id for name, entry in sorted(entries.items())}
