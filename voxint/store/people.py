"""Speakers: who is who after all merges, in which state, and how a person on the command line finds one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from voxint_contracts.store.v1 import SpeakerEntry, SpeakerList, SpeakerState

from voxint.errors import ConflictError, InputError, quoted
from voxint.store.tables import Speaker, SpeakerEmbedding
from voxint.text import identity_form


def state_of(speaker: Speaker) -> SpeakerState:
    """Whether a speaker is active, merged into another, or archived."""
    if speaker.merged_into_id is not None:
        return SpeakerState.MERGED
    return SpeakerState.ACTIVE if speaker.deleted_at is None else SpeakerState.ARCHIVED


def everybody(session: Session) -> dict[str, Speaker]:
    """All speakers by id, in order of their ids."""
    found = session.scalars(select(Speaker)).all()
    return {speaker.id: speaker for speaker in sorted(found, key=lambda each: each.id)}


def canonical(people: Mapping[str, Speaker], speaker_id: str) -> str:
    """The id of who a speaker turned out to be: the end of the chain of merges, oneself without one.

    Raises:
        ConflictError: the chain is a ring, which no action of ours makes.
    """
    seen = {speaker_id}
    while (after := people[speaker_id].merged_into_id) is not None:
        if after in seen:
            raise ConflictError(f"speaker {quoted(speaker_id)}: is merged in a ring; the database was changed by hand")
        seen.add(after)
        speaker_id = after
    return speaker_id


def is_active(session: Session, speaker_id: str) -> bool:
    """Whether there is such a speaker, neither merged nor archived."""
    speaker = session.get(Speaker, speaker_id, populate_existing=True)
    return speaker is not None and state_of(speaker) is SpeakerState.ACTIVE


def the_speaker(session: Session, name_or_id: str) -> Speaker:
    """The speaker with this id or, failing that, with this display name.

    Raises:
        InputError: there is none.
    """
    form = identity_form(name_or_id)
    found = session.get(Speaker, form) or session.scalar(select(Speaker).where(Speaker.display_name == form))
    if found is None:
        raise InputError(f"there is no speaker {quoted(name_or_id)}, by id or by name (see voxint store speakers)")
    return found


def described(speaker: Speaker, people: Mapping[str, Speaker]) -> str:
    """A speaker in a message: name, id and state, as `"Dana Fox" (spk_1, merged into "D. Fox")`."""
    state = state_of(speaker).value
    if speaker.merged_into_id is not None:
        state = f"merged into {quoted(people[speaker.merged_into_id].display_name)}"
    return f"{quoted(speaker.display_name)} ({speaker.id}, {state})"


def check_active(session: Session, speaker: Speaker, why: str) -> None:
    """Nothing happens for an active speaker.

    Raises:
        ConflictError: the speaker is merged or archived; the message says so, and what was asked for.
    """
    if state_of(speaker) is not SpeakerState.ACTIVE:
        raise ConflictError(f"speaker {described(speaker, everybody(session))} is not active: {why}")


def speaker_list(session: Session) -> SpeakerList:
    """Every speaker, in order of the code points of their names."""
    people = everybody(session)
    counted = select(SpeakerEmbedding.speaker_id, func.count()).group_by(SpeakerEmbedding.speaker_id)
    n_embeddings = dict.fromkeys(people, 0)
    for speaker_id, n in session.execute(counted):
        n_embeddings[canonical(people, speaker_id)] += n
    entries = sorted(people.values(), key=lambda each: each.display_name)
    return SpeakerList(
        schema_version=1,
        kind="speaker_list",
        speakers=[_entry(speaker, people, n_embeddings[speaker.id]) for speaker in entries],
    )


def _entry(speaker: Speaker, people: Mapping[str, Speaker], n_embeddings: int) -> SpeakerEntry:
    merged: dict[str, Any] = {"merged_into_id": None}
    if speaker.merged_into_id is not None:
        merged["merged_into_id"] = canonical(people, speaker.id)
    return SpeakerEntry(
        speaker_id=speaker.id,
        display_name=speaker.display_name,
        state=state_of(speaker),
        n_embeddings=n_embeddings,
        **merged,
    )
