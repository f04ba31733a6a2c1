"""The matcher's decisions on a run: worked out by the pure core, kept with their evidence, replaced as a whole."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session
from voxint_contracts.attribution.v1 import MatchingGates
from voxint_contracts.pipeline_run.v1 import RunStatus
from voxint_contracts.speaker_match.v1 import MatchCandidate as Decision
from voxint_contracts.speaker_match.v1 import MatchDecision

from voxint.errors import quoted
from voxint.speakers.matching import Matches, decide
from voxint.speakers.voiceprints import Roster
from voxint.store.evidence import rosters, run_turns
from voxint.store.tables import MatchCandidate, PipelineRun, Speaker, SpeakerAssignment
from voxint.text import identity_form

_LOG = logging.getLogger("voxint.store")

_KEPT = tuple(column.name for column in MatchCandidate.__table__.columns)


def evaluate_run(
    session: Session, run_id: str, gates: MatchingGates, *, known: dict[str, Roster] | None = None
) -> Matches:
    """What the matcher says of each label of a completed run, against the rosters of today; nothing is written.

    A label whose embeddings are of two spaces is left out, with an error in the log. `known` keeps the rosters between
    the runs of one session.

    Raises:
        InputError: there is no such run, or it is not completed.
    """
    run = run_turns(session, run_id)
    found = {} if known is None else known
    spaces = {turn.embedding_space for turn in run.turns if turn.embedding_space is not None}
    found |= rosters(session, spaces - found.keys())
    matches = decide(run, found, gates)
    for label in matches.mixed_labels:
        _LOG.error(
            "label %s of run %s is left out: its embeddings are of two spaces", quoted(label), quoted(run.run_id)
        )
    return matches


def refresh_run_matches(
    session: Session, run_id: str, gates: MatchingGates, *, known: dict[str, Roster] | None = None
) -> list[Decision]:
    """Evaluates a run and replaces all that was kept of it, in the session's transaction; again gives the same.

    Returns the decisions in order of their labels, `proposed` where the store proposes the speaker.

    Raises:
        InputError: there is no such run, or it is not completed.
    """
    matches = evaluate_run(session, run_id, gates, known=known)
    return write_matches(session, identity_form(run_id), matches.candidates)


def write_matches(session: Session, run_id: str, decisions: Sequence[Decision]) -> list[Decision]:
    """Replaces the candidates and the proposals of a run by these decisions, within the session's transaction.

    A speaker who was archived or merged since the decisions were made is not proposed; the evidence is kept.
    """
    session.execute(delete(SpeakerAssignment).where(SpeakerAssignment.run_id == run_id))
    session.execute(delete(MatchCandidate).where(MatchCandidate.run_id == run_id))
    active = _still_active(session, {each.top_speaker_id for each in decisions if each.top_speaker_id is not None})
    written = [
        each.model_copy(update={"proposed": each.decision is MatchDecision.ACCEPTED and each.top_speaker_id in active})
        for each in decisions
    ]
    if written:
        session.execute(insert(MatchCandidate), [_candidate(each) for each in written])
    proposals = [_proposal(each) for each in written if each.proposed]
    if proposals:
        session.execute(insert(SpeakerAssignment), proposals)
    session.flush()
    return written


def completed_runs(session: Session) -> list[str]:
    """The ids of all completed runs, in code point order."""
    found = session.scalars(select(PipelineRun.id).where(PipelineRun.status == RunStatus.COMPLETED.value))
    return sorted(found)


def _still_active(session: Session, speaker_ids: set[str]) -> set[str]:
    # The row lock keeps a speaker active until the commit, even against a writer who does not take turns.
    active = (
        select(Speaker.id)
        .where(Speaker.id.in_(speaker_ids), Speaker.merged_into_id.is_(None), Speaker.deleted_at.is_(None))
        .with_for_update(read=True)
    )
    return set(session.scalars(active))


def _candidate(decision: Decision) -> dict[str, Any]:
    kept = {name: getattr(decision, name) for name in _KEPT}
    reason = None if decision.reason is None else decision.reason.value
    return kept | {"decision": decision.decision.value, "reason": reason}


def _proposal(decision: Decision) -> dict[str, Any]:
    assert decision.similarity is not None
    return {
        "run_id": decision.run_id,
        "label": decision.label,
        "speaker_id": decision.top_speaker_id,
        "confidence": (decision.similarity + 1.0) / 2.0,
        "grounded": decision.grounded,
    }
