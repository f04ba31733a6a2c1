"""Name items: what the machine would have shown of each label, and what people ruled, read apart from one another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session
from voxint_contracts.name_accuracy.v1 import MatchProvenance, NameAccuracyItem, NameSlot, TruthAnchoring
from voxint_contracts.speaker_match.v1 import MatchDecision, MatchReason

from voxint.errors import InputError, quoted
from voxint.harness_export.selection import selected
from voxint.store.people import canonical, everybody
from voxint.store.tables import AdjudicationDecision, DiarizationTurn, MatchCandidate, Speaker, SpeakerAssignment
from voxint.text import ABSTAIN, NEITHER, truth_fault

_TRUTHS = {"exclude": ABSTAIN, "unknown": NEITHER}


def name_accuracy_items(
    session: Session, run_ids: Iterable[str], *, truth_anchoring: TruthAnchoring
) -> Iterator[NameAccuracyItem]:
    """One item for each run, in code point order of their ids, with a slot for each label.

    The assigned name is that of the grounded proposal's speaker, through merges; no human ruling changes it. Its
    confidence is (cosine + 1) / 2, in [0, 1], and there only where a name is. The truth is the ruling in force:
    a name, `__ABSTAIN__` (exclude) or `__NEITHER_DETERMINABLE__` (unknown); absent without one. The duration is the
    label's seconds. `truth_anchoring` is declared by the caller: the store cannot know what people had seen.

    Runs are looked at one by one, so that memory does not grow with their number.

    Raises:
        InputError: before the first item: no run, one twice, one that is missing or not completed. With an item: a run
            without turns, or a speaker whose name is a placeholder or a sentinel.
    """
    people = everybody(session)
    chosen = selected(session, run_ids)

    def items() -> Iterator[NameAccuracyItem]:
        for run_id in chosen:
            slots = _slots(session, run_id, people)
            if not slots:
                raise InputError(f"run {quoted(run_id)} has no turns: an item needs a slot")
            yield NameAccuracyItem(item_id=run_id, slots=slots, truth_anchoring=truth_anchoring)

    return items()


def _slots(session: Session, run_id: str, people: Mapping[str, Speaker]) -> dict[str, NameSlot]:
    seconds: dict[str, list[float]] = {}
    columns = DiarizationTurn.label, DiarizationTurn.start, DiarizationTurn.end
    for label, start, end in session.execute(select(*columns).where(DiarizationTurn.run_id == run_id)):
        seconds.setdefault(label, []).append(end - start)
    shown = _shown(session, run_id)
    rulings = _rulings(session, run_id)
    matches = session.scalars(select(MatchCandidate).where(MatchCandidate.run_id == run_id))
    found = {match.label: match for match in matches}
    return {
        label: _slot(label, shown.get(label), rulings.get(label), found.get(label), people, math.fsum(seconds[label]))
        for label in sorted(seconds)
    }


def _shown(session: Session, run_id: str) -> dict[str, str]:
    """The speaker of the grounded proposal of each label that has one. The ledger of rulings is not looked at."""
    rows = session.execute(
        select(SpeakerAssignment.label, SpeakerAssignment.speaker_id).where(
            SpeakerAssignment.run_id == run_id, SpeakerAssignment.grounded.is_(True)
        )
    )
    return {row.label: row.speaker_id for row in rows}


def _rulings(session: Session, run_id: str) -> dict[str, AdjudicationDecision]:
    """The ruling in force of each label: the last one."""
    rows = session.scalars(
        select(AdjudicationDecision).where(AdjudicationDecision.run_id == run_id).order_by(AdjudicationDecision.id)
    )
    return {row.label: row for row in rows}


def _slot(
    label: str,
    speaker_id: str | None,
    ruling: AdjudicationDecision | None,
    match: MatchCandidate | None,
    people: Mapping[str, Speaker],
    seconds: float,
) -> NameSlot:
    fields: dict[str, Any] = {"assigned_name": None, "duration": seconds}
    if speaker_id is not None:
        who = canonical(people, speaker_id)
        fields |= {"assigned_name": people[who].display_name, "assigned_id": who}
        if match is not None and match.similarity is not None:
            fields["confidence"] = (match.similarity + 1.0) / 2.0
    if ruling is not None and ruling.speaker_id is not None:
        who = canonical(people, ruling.speaker_id)
        fields |= {"truth": _name(people[who], label), "truth_id": who}
    elif ruling is not None:
        fields["truth"] = _TRUTHS[ruling.decision]
    if match is not None:
        fields["match"] = _provenance(match)
    return NameSlot(**fields)


def _name(speaker: Speaker, label: str) -> str:
    if fault := truth_fault(speaker.display_name):
        raise InputError(f"label {quoted(label)}: speaker {quoted(speaker.id)} cannot be a truth: {fault}")
    return speaker.display_name


def _provenance(match: MatchCandidate) -> MatchProvenance:
    return MatchProvenance(
        decision=MatchDecision(match.decision),
        reason=None if match.reason is None else MatchReason(match.reason),
        embedding_space=match.embedding_space,
        similarity=match.similarity,
        margin=match.margin,
        vote_agreement=match.vote_agreement,
        eligible_turns=match.eligible_turns,
        eligible_seconds=match.eligible_seconds,
        roster_size=match.roster_size,
    )
