"""What the matcher reads of the store: the turns of a run, and the enrolled voices of a space."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session
from voxint_contracts.attribution.v1 import MatchingGates
from voxint_contracts.pipeline_run.v1 import RunStatus
from voxint_contracts.speaker_match.v1 import MatchReason

from voxint.errors import InputError, quoted
from voxint.speakers.matching import LabelSpeech, RunTurns, Turn, label_speech, speech_obstacle
from voxint.speakers.voiceprints import Roster, roster_of
from voxint.store.people import canonical, everybody, state_of
from voxint.store.tables import DiarizationTurn, PipelineRun, SpeakerEmbedding
from voxint.text import identity_form


def run_turns(session: Session, run_id: str) -> RunTurns:
    """The turns of a completed run, in order of their index.

    Raises:
        InputError: there is no such run, or it is not completed.
    """
    run = session.get(PipelineRun, identity_form(run_id))
    if run is None:
        raise InputError(f"there is no run {quoted(run_id)} in the store: voxint store ingest adds it")
    if run.status != RunStatus.COMPLETED.value:
        raise InputError(f"run {quoted(run_id)} is {run.status}: only a completed run says who spoke")
    of_run = select(DiarizationTurn).where(DiarizationTurn.run_id == run.id).order_by(DiarizationTurn.turn_index)
    columns: Any = of_run.with_only_columns(*DiarizationTurn.__table__.columns)
    return RunTurns(run.id, tuple(_turn(row) for row in session.execute(columns)))


def _turn(row: Any) -> Turn:
    return Turn(row.turn_index, row.start, row.end, row.label, row.overlap_seconds, row.embedding_space, row.embedding)


def voice_of(session: Session, run_id: str, label: str, gates: MatchingGates) -> LabelSpeech:
    """What the turns of one label say, for an enrollment: never without a direction.

    Raises:
        InputError: there is no such label in the run, its turns span two spaces, or there is too little of it.
    """
    run = run_turns(session, run_id)
    turns = turns_of(run, label)
    where = f"label {quoted(label)} of run {quoted(run_id)}"
    if len({turn.embedding_space for turn in turns if turn.embedding is not None}) > 1:
        raise InputError(f"{where}: its embeddings are of two spaces, which cannot be compared")
    speech = label_speech(turns, gates)
    reason = speech_obstacle(speech, gates)
    if reason is not None or speech.centroid is None:
        raise InputError(f"{where} cannot be enrolled: {_WORDS[reason or MatchReason.DEGENERATE_CENTROID]}")
    return speech


_WORDS = {
    MatchReason.NO_ELIGIBLE_TURNS: "it has no eligible turn",
    MatchReason.TOO_FEW_TURNS: "it has fewer eligible turns than min_turns",
    MatchReason.TOO_LITTLE_SPEECH: "it has less usable speech than min_seconds",
    MatchReason.DEGENERATE_CENTROID: "its embeddings cancel out",
}


def turns_of(run: RunTurns, label: str) -> list[Turn]:
    """The turns of one label of a run.

    Raises:
        InputError: it has none.
    """
    form = identity_form(label)
    turns = [turn for turn in run.turns if turn.label == form]
    if not turns:
        raise InputError(f"there is no label {quoted(label)} in run {quoted(run.run_id)}")
    return turns


def enrollment_rows(session: Session, embedding_space: str) -> dict[str, list[SpeakerEmbedding]]:
    """The enrollment vectors of each active speaker in a space, oldest first.

    Vectors of a speaker who was merged into another are that other's.
    """
    people = everybody(session)
    found = session.scalars(
        select(SpeakerEmbedding)
        .where(SpeakerEmbedding.embedding_space == embedding_space)
        .order_by(SpeakerEmbedding.id)
    )
    rows: dict[str, list[SpeakerEmbedding]] = {}
    for row in found:
        owner = canonical(people, row.speaker_id)
        if state_of(people[owner]) == "active":
            rows.setdefault(owner, []).append(row)
    return rows


def rosters(session: Session, spaces: Iterable[str]) -> dict[str, Roster]:
    """The roster of each space: active speakers and the mean direction of their enrollment vectors.

    A speaker whose vectors cancel out is in none.
    """
    found = {}
    for space in sorted(set(spaces)):
        enrolled = {who: [row.embedding for row in rows] for who, rows in enrollment_rows(session, space).items()}
        found[space], _ = roster_of(space, enrolled)  # type: ignore[arg-type]
    return found
