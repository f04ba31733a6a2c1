"""The commands of `voxint store` by which people enroll, rule, merge, archive and restore. Light to import."""

from __future__ import annotations

from voxint_contracts.attribution.v1 import MatchingGates
from voxint_contracts.store.v1 import ActionReport, Ruling

from voxint.errors import UsageError, quoted
from voxint.store.extra import need_extra


def enroll(
    run_id: str,
    label: str,
    display_name: str,
    *,
    operator: str,
    idempotency_key: str,
    gates: MatchingGates | None = None,
    created_at: str | None = None,
) -> ActionReport:
    """Makes a new speaker of a label of a run: name, voice, and the ruling that the label is theirs.

    The same call again returns the first outcome and writes nothing.

    Args:
        run_id: The run.
        label: A diarization label of it.
        display_name: Name of the speaker; no other speaker has it.
        operator: Who says so.
        idempotency_key: Key under which this is done once.
        gates: What the label must have to be enrolled; without it, the built-in gates.
        created_at: When it is said, RFC 3339; without it, now.

    Example:
        voxint store enroll run-1 SPEAKER_00 "Dana Fox" --operator ann --idempotency-key dana-1

    Raises:
        ConflictError: The name is taken, or the key was used for something else.
        InputError: The run or the label is not there, or there is too little of it.
        EdgeError: The database cannot be reached, or failed.
    """
    need_extra()
    from voxint.speakers.policy import BASE_GATES
    from voxint.store.moments import moment_or_now
    from voxint.store.operators import enroll_new_speaker
    from voxint.store.sessions import open_store

    now = moment_or_now(created_at)
    with open_store() as store, store.writing() as session:
        return enroll_new_speaker(
            session,
            run_id=run_id,
            label=label,
            display_name=display_name,
            operator=operator,
            idempotency_key=idempotency_key,
            gates=BASE_GATES if gates is None else gates,
            now=now,
        )


def decide(
    run_id: str,
    label: str,
    decision: str,
    *,
    operator: str,
    idempotency_key: str,
    speaker: str | None = None,
    gates: MatchingGates | None = None,
    created_at: str | None = None,
) -> ActionReport:
    """Rules on who a label is: assign (a speaker), exclude (nobody to name) or unknown (nobody can tell).

    Rulings are never changed; the last one of a label is in force. With --gates, assign also takes the label's voice
    into the speaker's enrollment.

    Args:
        run_id: The run.
        label: A diarization label of it.
        decision: assign, exclude or unknown.
        operator: Who says so.
        idempotency_key: Key under which this is done once.
        speaker: The speaker, by id or by name; for assign.
        gates: What the label must have to be enrolled as a further voice of the speaker; without it, it is not.
        created_at: When it is said, RFC 3339; without it, now.

    Example:
        voxint store decide run-1 SPEAKER_01 assign --speaker "Dana Fox" --operator ann --idempotency-key r1-s1

    Raises:
        ConflictError: The speaker is not active, or the key was used for something else.
        InputError: The run, the label or the speaker is not there.
        EdgeError: The database cannot be reached, or failed.
    """
    ruling = _ruling(decision, speaker, gates)
    need_extra()
    from voxint.store.moments import moment_or_now
    from voxint.store.operators import enroll_further_voice, record_decision
    from voxint.store.sessions import open_store

    now = moment_or_now(created_at)
    with open_store() as store, store.writing() as session:
        if gates is not None and speaker is not None:
            return enroll_further_voice(
                session,
                run_id=run_id,
                label=label,
                speaker=speaker,
                operator=operator,
                idempotency_key=idempotency_key,
                gates=gates,
                now=now,
            )
        return record_decision(
            session,
            run_id=run_id,
            label=label,
            decision=ruling,
            speaker=speaker,
            operator=operator,
            idempotency_key=idempotency_key,
            now=now,
        )


def merge_speakers(
    speaker: str, into: str, *, operator: str, idempotency_key: str, created_at: str | None = None
) -> ActionReport:
    """Says that two speakers are one person: the first lives on as the second.

    Their voices count together; the first speaker's name stays taken, and points to the second.

    Args:
        speaker: The speaker who turned out to be another, by id or by name.
        into: That other speaker, by id or by name.
        operator: Who says so.
        idempotency_key: Key under which this is done once.
        created_at: When it is said, RFC 3339; without it, now.

    Example:
        voxint store merge-speakers "D. Fox" "Dana Fox" --operator ann --idempotency-key merge-fox

    Raises:
        ConflictError: One of them is merged or archived already, or the key was used for something else.
        InputError: There is no such speaker.
        EdgeError: The database cannot be reached, or failed.
    """
    need_extra()
    from voxint.store import operators
    from voxint.store.moments import moment_or_now
    from voxint.store.sessions import open_store

    now = moment_or_now(created_at)
    with open_store() as store, store.writing() as session:
        return operators.merge_speakers(
            session, speaker=speaker, into=into, operator=operator, idempotency_key=idempotency_key, now=now
        )


def archive(speaker: str, *, operator: str, idempotency_key: str, created_at: str | None = None) -> ActionReport:
    """Takes a speaker out of the roster; name, voices and rulings are kept.

    Args:
        speaker: The speaker, by id or by name.
        operator: Who says so.
        idempotency_key: Key under which this is done once.
        created_at: When it is said, RFC 3339; without it, now.

    Example:
        voxint store archive "Dana Fox" --operator ann --idempotency-key archive-fox

    Raises:
        ConflictError: The speaker is not active, or the key was used for something else.
        InputError: There is no such speaker.
        EdgeError: The database cannot be reached, or failed.
    """
    need_extra()
    from voxint.store import operators
    from voxint.store.moments import moment_or_now
    from voxint.store.sessions import open_store

    now = moment_or_now(created_at)
    with open_store() as store, store.writing() as session:
        return operators.archive_speaker(
            session, speaker=speaker, operator=operator, idempotency_key=idempotency_key, now=now
        )


def restore(speaker: str, *, operator: str, idempotency_key: str, created_at: str | None = None) -> ActionReport:
    """Takes an archived speaker back into the roster.

    Args:
        speaker: The speaker, by id or by name.
        operator: Who says so.
        idempotency_key: Key under which this is done once.
        created_at: When it is said, RFC 3339; without it, now.

    Example:
        voxint store restore "Dana Fox" --operator ann --idempotency-key restore-fox

    Raises:
        ConflictError: The speaker is not archived, or the key was used for something else.
        InputError: There is no such speaker.
        EdgeError: The database cannot be reached, or failed.
    """
    need_extra()
    from voxint.store import operators
    from voxint.store.moments import moment_or_now
    from voxint.store.sessions import open_store

    now = moment_or_now(created_at)
    with open_store() as store, store.writing() as session:
        return operators.restore_speaker(
            session, speaker=speaker, operator=operator, idempotency_key=idempotency_key, now=now
        )


def _ruling(decision: str, speaker: str | None, gates: MatchingGates | None) -> Ruling:
    if decision not in set(Ruling):
        raise UsageError(f"DECISION: must be one of {', '.join(Ruling)}, not {quoted(decision)}")
    if decision == Ruling.ASSIGN and speaker is None:
        raise UsageError("--speaker is required: assign needs a speaker")
    if decision != Ruling.ASSIGN and (speaker is not None or gates is not None):
        raise UsageError(f"{'--speaker' if speaker is not None else '--gates'}: {decision} takes none: nobody is named")
    return Ruling(decision)
