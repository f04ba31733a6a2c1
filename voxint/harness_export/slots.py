"""Runs as slots of the agreement score: the centroid of each label, by the gates of production."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from sqlalchemy.orm import Session
from voxint_contracts.agreement.v1 import ItemKind, SlotsRecord, VoiceSlot
from voxint_contracts.attribution.v1 import MatchingGates

from voxint.errors import InputError, listed
from voxint.harness_export.selection import one_space, selected
from voxint.speakers.matching import RunTurns, Turn, label_speech
from voxint.store.evidence import run_turns
from voxint.text import identity_form


def agreement_slots(
    session: Session,
    run_ids: Iterable[str],
    *,
    kind_by_run: Mapping[str, ItemKind],
    host_by_run: Mapping[str, str],
    gates: MatchingGates,
) -> Iterator[SlotsRecord]:
    """One record for each run, in code point order of their ids.

    A slot is a label's centroid, of length 1, with its usable seconds and its eligible turns; a label without a
    centroid is left out. Total speech is the union of all turns, in seconds. Runs are looked at one by one.

    Raises:
        InputError: before the first record: no run, one twice, missing or not completed, one that spans two spaces,
            runs of two spaces, a run without a kind, or a curated one without a host.
    """
    kinds = {identity_form(run_id): kind for run_id, kind in kind_by_run.items()}
    hosts = {identity_form(run_id): identity_form(host) for run_id, host in host_by_run.items()}
    chosen = selected(session, run_ids)
    if lost := [run_id for run_id in chosen if run_id not in kinds]:
        raise InputError(f"runs without a kind, curated or negative_control: {listed(lost)}")
    if lost := [run_id for run_id in chosen if kinds[run_id] is ItemKind.CURATED and not hosts.get(run_id)]:
        raise InputError(f"curated runs without a host: {listed(lost)}")
    space = one_space(session, chosen)
    return (_record(run_turns(session, run_id), space, kinds[run_id], hosts.get(run_id), gates) for run_id in chosen)


def _record(run: RunTurns, space: str, kind: ItemKind, host: str | None, gates: MatchingGates) -> SlotsRecord:
    by_label: dict[str, list[Turn]] = {}
    for turn in run.turns:
        by_label.setdefault(turn.label, []).append(turn)
    slots = {}
    for label in sorted(by_label):
        speech = label_speech(by_label[label], gates)
        if speech.centroid is not None:
            slots[label] = VoiceSlot(
                embedding=speech.centroid.tolist(), duration=speech.eligible_seconds, segments=speech.eligible_turns
            )
    return SlotsRecord(
        schema_version=1,
        item_id=run.run_id,
        kind=kind,
        embedding_space=space,
        host_id=host if kind is ItemKind.CURATED else None,
        total_speech=total_speech(run.turns),
        slots=slots,
    )


def total_speech(turns: Iterable[Turn]) -> float:
    """Seconds in which anybody speaks: the length of the union of the turns, correctly rounded."""
    ends: list[float] = []
    reach = -1.0
    for start, end in sorted((turn.start, turn.end) for turn in turns):
        if end > reach:
            ends += [end, -max(start, reach)]
            reach = end
    return math.fsum(ends)
