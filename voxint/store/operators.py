"""What operators do: enroll, rule, merge, archive, restore. Each within the session's transaction, each once per key.

Every function takes a session of `Store.writing()`, so that what it checks stays true until the commit. An exact
repetition of a key returns the first outcome and writes nothing; any other use of it is a conflict.
"""

from __future__ import annotations

import hashlib
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session
from voxint_contracts.attribution.v1 import MatchingGates
from voxint_contracts.store.v1 import ActionReport, Ruling, SpeakerState, StoreAction

from voxint.errors import ConflictError, InputError, quoted
from voxint.io.canonical import encode
from voxint.speakers.matching import LabelSpeech
from voxint.store.evidence import run_turns, turns_of, voice_of
from voxint.store.ledger import Asked, asked, record, replayed, report
from voxint.store.people import canonical, check_active, described, everybody, state_of, the_speaker
from voxint.store.tables import AdjudicationDecision, Speaker, SpeakerEmbedding
from voxint.text import ABSTAIN, NEITHER, truth_fault


def enroll_new_speaker(
    session: Session,
    *,
    run_id: str,
    label: str,
    display_name: str,
    operator: str,
    idempotency_key: str,
    gates: MatchingGates,
    now: datetime,
) -> ActionReport:
    """Makes a speaker of a label: the speaker, the label's centroid as enrollment vector, and a ruling that assigns it.

    The speaker's id follows from the key: the same actions make the same store anywhere.

    Raises:
        ConflictError: the key was used for something else, the name is taken, or the label is enrolled already.
        InputError: the run or the label is not there, there is too little of it, or the name is none.
    """
    ask = asked(
        StoreAction.ENROLL,
        operator,
        idempotency_key,
        now,
        run_id=run_id,
        label=label,
        display_name=display_name,
        gates=_gates_text(gates),
    )
    if (done := replayed(session, ask)) is not None:
        return done
    name = str(ask.arguments["display_name"])
    _check_name(session, name)
    voice = voice_of(session, run_id, label, gates)
    _check_not_enrolled(session, ask)
    speaker = Speaker(id=speaker_id_of(ask.idempotency_key), display_name=name)
    session.add(speaker)
    session.flush()
    return _ruled(session, ask, Ruling.ASSIGN, speaker.id, voice)


def speaker_id_of(idempotency_key: str) -> str:
    """The id of the speaker whom the enrollment under this key makes.

    >>> speaker_id_of("calib:Dana Fox")
    'spk_6bdf1a8aa6f5f1fb2b46b3c0ec9d1b1f'
    """
    return "spk_" + hashlib.sha256(f"voxint speaker\n{idempotency_key}".encode()).hexdigest()[:32]


def record_decision(
    session: Session,
    *,
    run_id: str,
    label: str,
    decision: Ruling,
    speaker: str | None,
    operator: str,
    idempotency_key: str,
    now: datetime,
) -> ActionReport:
    """Rules on who a label is. Rulings are never changed; the last one of a label is in force.

    `speaker` is an id or a name, with `assign` only.

    Raises:
        ConflictError: the key was used for something else, or the speaker is not active.
        InputError: the run, the label or the speaker is not there, or a speaker is given where none belongs.
    """
    if (decision is Ruling.ASSIGN) != (speaker is not None):
        raise InputError(f"{decision.value} {'needs' if speaker is None else 'takes no'} speaker")
    person = None if speaker is None else the_speaker(session, speaker)
    arguments: dict[str, str | None] = {"run_id": run_id, "label": label, "decision": decision.value}
    arguments["speaker"] = None if person is None else person.id
    ask = asked(StoreAction.DECIDE, operator, idempotency_key, now, **arguments)
    if (done := replayed(session, ask)) is not None:
        return done
    turns_of(run_turns(session, run_id), label)
    if person is not None:
        check_active(session, person, "no label can be assigned to them")
    return _ruled(session, ask, decision, None if person is None else person.id, None)


def enroll_further_voice(
    session: Session,
    *,
    run_id: str,
    label: str,
    speaker: str,
    operator: str,
    idempotency_key: str,
    gates: MatchingGates,
    now: datetime,
) -> ActionReport:
    """Assigns a label to a speaker, given by id or name, and makes its centroid a further enrollment vector of theirs.

    Raises:
        ConflictError: the key was used for something else, the speaker is not active, or the label is enrolled already.
        InputError: the run, the label or the speaker is not there, or there is too little of the label.
    """
    person = the_speaker(session, speaker)
    arguments: dict[str, str | None] = {"run_id": run_id, "label": label, "speaker": person.id}
    arguments["gates"] = _gates_text(gates)
    ask = asked(StoreAction.DECIDE, operator, idempotency_key, now, **arguments)
    if (done := replayed(session, ask)) is not None:
        return done
    voice = voice_of(session, run_id, label, gates)
    check_active(session, person, "no label can be assigned to them")
    _check_not_enrolled(session, ask)
    return _ruled(session, ask, Ruling.ASSIGN, person.id, voice)


def merge_speakers(
    session: Session, *, speaker: str, into: str, operator: str, idempotency_key: str, now: datetime
) -> ActionReport:
    """Says that two speakers are one person: the first remains as a tombstone that points to the second.

    Both are given by id or by name. The rows of the first stay as they are, and count as the second's.

    Raises:
        ConflictError: the key was used for something else, or one of them is merged or archived already, so that no
            ring of merges can come about.
        InputError: one of them is not there, or both are the same.
    """
    person, other = the_speaker(session, speaker), the_speaker(session, into)
    ask = asked(StoreAction.MERGE, operator, idempotency_key, now, speaker=person.id, into=other.id)
    if (done := replayed(session, ask)) is not None:
        return done
    if person.id == other.id:
        raise InputError(f"speaker {quoted(person.display_name)} cannot be merged into themselves")
    people = everybody(session)
    if canonical(people, other.id) == person.id:
        raise ConflictError(f"speaker {described(other, people)} cannot take {quoted(person.display_name)}: a ring")
    for each in (person, other):
        check_active(session, each, "only active speakers are merged")
    person.merged_into_id, person.merged_at = other.id, ask.now
    return report(session, record(session, ask, person.id), is_replay=False)


def archive_speaker(
    session: Session, *, speaker: str, operator: str, idempotency_key: str, now: datetime
) -> ActionReport:
    """Takes a speaker, given by id or name, out of the roster; everything of theirs is kept.

    Raises:
        ConflictError: the key was used for something else, or the speaker is not active.
        InputError: there is no such speaker.
    """
    person = the_speaker(session, speaker)
    ask = asked(StoreAction.ARCHIVE, operator, idempotency_key, now, speaker=person.id)
    if (done := replayed(session, ask)) is not None:
        return done
    check_active(session, person, "they cannot be archived")
    person.deleted_at = ask.now
    return report(session, record(session, ask, person.id), is_replay=False)


def restore_speaker(
    session: Session, *, speaker: str, operator: str, idempotency_key: str, now: datetime
) -> ActionReport:
    """Takes an archived speaker, given by id or name, back into the roster.

    Raises:
        ConflictError: the key was used for something else, or the speaker is not archived.
        InputError: there is no such speaker.
    """
    person = the_speaker(session, speaker)
    ask = asked(StoreAction.RESTORE, operator, idempotency_key, now, speaker=person.id)
    if (done := replayed(session, ask)) is not None:
        return done
    if state_of(person) is not SpeakerState.ARCHIVED:
        raise ConflictError(f"speaker {described(person, everybody(session))} is not archived: nothing to restore")
    person.deleted_at = None
    return report(session, record(session, ask, person.id), is_replay=False)


def _gates_text(gates: MatchingGates) -> str:
    return encode(gates).decode().strip()


def _check_name(session: Session, name: str) -> None:
    fault = f"{name} is a sentinel, not a name" if name in (ABSTAIN, NEITHER) else truth_fault(name)
    if fault:
        raise InputError(f"display_name: {fault}")
    owner = session.scalar(select(Speaker).where(Speaker.display_name == name))
    if owner is not None:
        raise ConflictError(f"the name is taken: it is that of speaker {described(owner, everybody(session))}")


def _check_not_enrolled(session: Session, ask: Asked) -> None:
    """One voice enrolled twice would always tie with itself."""
    of_label = select(SpeakerEmbedding).where(
        SpeakerEmbedding.source_run_id == ask.arguments["run_id"],
        SpeakerEmbedding.source_label == ask.arguments["label"],
    )
    if (row := session.scalars(of_label).first()) is not None:
        people = everybody(session)
        who = described(people[row.speaker_id], people)
        label, run_id = quoted(str(row.source_label)), quoted(str(row.source_run_id))
        raise ConflictError(f"label {label} of run {run_id} is enrolled already, as a voice of speaker {who}")


def _ruled(
    session: Session, ask: Asked, decision: Ruling, speaker_id: str | None, voice: LabelSpeech | None
) -> ActionReport:
    """Writes the action, its ruling and, with a voice, the enrollment vector."""
    done = record(session, ask, speaker_id)
    ruling = AdjudicationDecision(
        run_id=ask.arguments["run_id"],
        label=ask.arguments["label"],
        decision=decision.value,
        speaker_id=speaker_id,
        operator=ask.operator,
        idempotency_key=ask.idempotency_key,
        created_at=ask.now,
    )
    session.add(ruling)
    session.flush()
    if voice is not None and speaker_id is not None:
        session.add(
            SpeakerEmbedding(
                speaker_id=speaker_id,
                embedding_space=voice.embedding_space,
                embedding=voice.centroid,
                source_run_id=ruling.run_id,
                source_label=ruling.label,
                source_decision_id=ruling.id,
            )
        )
        session.flush()
    return report(session, done, is_replay=False)
