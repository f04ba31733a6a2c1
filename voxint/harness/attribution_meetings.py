"""Many meetings at once: an align input with the files it names, held against its protocol, into trials."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge
from voxint_contracts.attribution import v1 as contract
from voxint_contracts.attribution_protocol.v2 import MeetingRole, ProtocolManifest

from voxint.corpus import Recordings
from voxint.errors import RecordError, RecordFault, listed, quoted
from voxint.harness.attribution_aligner import COLLAR, MeetingUse, align_slots, build_trials, unheard
from voxint.harness.joins import FaultLog, raise_any
from voxint.harness.protocol_honesty import validate_session_honesty, validate_split_honesty

__all__ = ["AlignFiles", "score"]

Collar = Annotated[float, Ge(0)]


@dataclass(frozen=True, slots=True)
class AlignFiles:
    """An align input and what its files hold: `gold` and `hypotheses` have a recording for each of its meetings."""

    document: contract.AlignInput
    protocol: ProtocolManifest
    gold: Recordings
    hypotheses: Recordings


def score(
    *, manifest: AlignFiles, collar: Collar = COLLAR, environment: Iterable[str] | None = None
) -> contract.TrialsDocument:
    """Aligns the voices of each meeting with its gold speakers, and makes a trial of each.

    A voice is scored where one gold speaker is plainly in it and the matcher has a candidate for it; the meeting's
    role and split are the protocol's. What is missing is said on stderr and in the document.

    Args:
        manifest: Where the protocol and the RTTMs are, and what the matcher said; relative paths start in its folder.
        collar: Seconds by which each gold boundary is moved inward, on both sides.
        environment: Facts to keep with the trials, one name=value a line.

    Example:
        voxint attribution align --manifest align-input.json --out trials.json

    Raises:
        RecordError: A meeting is not in the protocol or has another role or split there, the protocol has a leak, two
            gold speakers have one speaker id, or a fact is not name=value.
        ValueError: The collar is negative.
    """
    document = manifest.document
    facts = _facts(environment or ())
    raise_any(_uses_log(manifest), _roster_log(document.enrolled_speaker_map))
    _check_honest(manifest)
    trials: list[contract.Trial] = []
    alignments: dict[str, contract.MeetingAlignment] = {}
    for meeting_id, meeting in sorted(document.meetings.items()):
        evidence = document.match_evidence.get(meeting_id, {})
        turns = {label: each.eligible_turns for label, each in evidence.items() if each.eligible_turns is not None}
        gold, hypothesis = manifest.gold[meeting_id], manifest.hypotheses[meeting_id]
        alignment = align_slots(gold, hypothesis, collar=collar, eligible_turns=turns)
        use = MeetingUse(meeting_id, meeting.role, meeting.split, manifest.protocol.truth_source)
        trials += build_trials(alignment, evidence, document.enrolled_speaker_map, use)
        alignments[meeting_id] = alignment.summary()
    return contract.TrialsDocument(
        schema_version=1,
        kind="attribution_trials",
        protocol_summary=_summary(manifest.protocol),
        alignment=alignments,
        trials=trials,
        warnings=sorted(_warnings(manifest)),
        environment=facts,
    )


def _facts(lines: Iterable[str]) -> dict[str, str]:
    facts: dict[str, str] = {}
    log = FaultLog("environment")
    for index, line in enumerate(lines):
        name, is_fact, value = line.partition("=")
        if not is_fact or not name.strip() or name.strip() in facts:
            message = f"each line must be name=value, with a name of its own, not {quoted(line)}"
            log.add(RecordFault("environment", index, message))
        facts[name.strip()] = value.strip()
    raise_any(log)
    return facts


def _uses_log(manifest: AlignFiles) -> FaultLog:
    """Meetings that the protocol does not know, or to which it gives another role or split."""
    log = FaultLog("manifest")
    uses = {row.meeting_id: row for row in manifest.protocol.rows}
    for meeting_id, meeting in sorted(manifest.document.meetings.items()):
        row = uses.get(meeting_id)
        if row is None:
            message = f"meeting {quoted(meeting_id)} is not in the protocol"
            log.add(RecordFault("manifest", None, message, ("meetings", meeting_id)))
            continue
        for name in ("role", "split"):
            ours, theirs = getattr(meeting, name), getattr(row, name)
            if ours != theirs:
                message = f"must be {theirs}, as in the protocol, not {ours}"
                log.add(RecordFault("manifest", None, message, ("meetings", meeting_id, name)))
    return log


def _roster_log(enrolled: Mapping[str, str]) -> FaultLog:
    """Gold speakers who share a speaker id: each would be right where the other speaks."""
    log = FaultLog("manifest")
    owners: dict[str, str] = {}
    for name, speaker_id in sorted(enrolled.items()):
        first = owners.setdefault(speaker_id, name)
        if first != name:
            message = f"{quoted(speaker_id)} is the speaker id of {quoted(first)} too"
            log.add(RecordFault("manifest", None, message, ("enrolled_speaker_map", name)))
    return log


def _check_honest(manifest: AlignFiles) -> None:
    """RecordError at the protocol's path for each leak, the roster being the speakers who are in fact enrolled."""
    rows = manifest.protocol.rows
    try:
        validate_session_honesty(rows)
        validate_split_honesty(rows, manifest.document.enrolled_speaker_map)
    except RecordError as error:
        faults = [
            RecordFault("manifest", None, f"the protocol leaks: {each.message}", ("protocol_path",))
            for each in error.records
        ]
        raise RecordError(faults, error.n_faults) from None


def _summary(protocol: ProtocolManifest) -> contract.ProtocolSummary:
    return contract.ProtocolSummary(
        corpus=protocol.corpus,
        truth_source=protocol.truth_source,
        n_meetings=len({row.meeting_id for row in protocol.rows}),
        n_rows=len(protocol.rows),
    )


def _warnings(manifest: AlignFiles) -> Iterator[str]:
    """What is missing or does not fit, and would otherwise only show as trials that nobody can score."""
    document = manifest.document
    people: dict[str, set[str]] = {}
    for row in manifest.protocol.rows:
        people.setdefault(row.meeting_id, set()).add(row.host_global_name)
    for meeting_id in document.meetings:
        evidence = document.match_evidence.get(meeting_id)
        strangers = sorted(manifest.gold[meeting_id].spans.keys() - people[meeting_id])
        if not evidence:
            yield f"meeting {quoted(meeting_id)}: no match evidence"
        elif lost := unheard(evidence, manifest.hypotheses[meeting_id]):
            yield f"meeting {quoted(meeting_id)}: {lost}"
        if strangers:
            yield f"meeting {quoted(meeting_id)}: gold speakers who take no part by the protocol: {listed(strangers)}"
    for meeting_id in document.match_evidence.keys() - document.meetings.keys():
        yield f"meeting {quoted(meeting_id)}: evidence, but the meeting is not among those to align"
    yield from _roster_warnings(manifest)


def _roster_warnings(manifest: AlignFiles) -> Iterator[str]:
    """Where roster, protocol and evidence name other people: a wrong map would turn every kind in silence."""
    enrolled, rows = manifest.document.enrolled_speaker_map, manifest.protocol.rows
    people = {role: {row.host_global_name for row in rows if row.role == role} for role in MeetingRole}
    tops = {
        each.top_speaker_id
        for evidence in manifest.document.match_evidence.values()
        for each in evidence.values()
        if each.top_speaker_id is not None
    }
    if strangers := sorted(enrolled.keys() - people[MeetingRole.ENROLLMENT]):
        yield f"on the roster, but in no enrollment meeting: {listed(strangers)}"
    if absent := sorted((people[MeetingRole.ENROLLMENT] & people[MeetingRole.TEST_GENUINE]) - enrolled.keys()):
        yield f"enrolled and tested by the protocol, but not on the roster: {listed(absent)}"
    if unknown := sorted(tops - set(enrolled.values())):
        yield f"put first by the matcher, but nobody's speaker id on the roster: {listed(unknown)}"
