"""A roster enrolled from a corpus: through the operator path, each speaker from the one best slot, or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session
from voxint_contracts.attribution.v1 import MatchingGates
from voxint_contracts.roster.v1 import RosterEntry, RosterFingerprint

from voxint.errors import InputError, listed
from voxint.io.canonical import encode_list
from voxint.store.operators import enroll_new_speaker
from voxint.store.tables import OperatorAction, Speaker

KEY = "calib:"
"""What the idempotency key of an enrollment for calibration begins with; the speaker's name follows."""


def enroll_all(
    session: Session,
    best: Mapping[str, RosterEntry],
    *,
    operator: str,
    gates: MatchingGates,
    now: datetime,
    allow_existing: bool,
) -> dict[str, RosterEntry]:
    """Enrolls the speaker of each slot under the key `calib:<name>`, and returns the entries with their speaker ids.

    Enrolling the same again is a replay, which changes nothing; it needs `allow_existing`.

    Raises:
        InputError: nobody can be enrolled, the store has speakers and may not, or has some that are not of this roster.
        ConflictError: a name is taken, or was enrolled from another slot before.
    """
    if not best:
        raise InputError("no cross-session speaker has a slot that is plainly theirs: nobody can be enrolled")
    _check_existing(session, best, allow_existing=allow_existing)
    entries = {}
    for name, entry in sorted(best.items()):
        done = enroll_new_speaker(
            session,
            run_id=entry.source_run_id,
            label=entry.source_label,
            display_name=name,
            operator=operator,
            idempotency_key=f"{KEY}{name}",
            gates=gates,
            now=now,
        )
        entries[name] = entry.model_copy(update={"speaker_id": done.speaker_id})
    return entries


def _check_existing(session: Session, best: Mapping[str, RosterEntry], *, allow_existing: bool) -> None:
    names = dict(session.execute(select(Speaker.id, Speaker.display_name)).tuples().all())
    if names and not allow_existing:
        raise InputError(f"the store has {len(names)} speakers already: use an empty one, or --allow-existing")
    actions = session.execute(
        select(OperatorAction.speaker_id).where(OperatorAction.idempotency_key.in_([f"{KEY}{name}" for name in best]))
    )
    ours = {row.speaker_id for row in actions}
    if foreign := sorted(name for speaker_id, name in names.items() if speaker_id not in ours):
        raise InputError(f"the store has speakers that are not of this roster: {listed(foreign)}")


def fingerprint(entries: Mapping[str, RosterEntry], *, git_sha: str | None, exported_at: str) -> RosterFingerprint:
    """Who was enrolled from what, in order of the names; the digest is over the canonical JSON of the entries alone."""
    ordered = [entries[name] for name in sorted(entries)]
    return RosterFingerprint(
        schema_version=1,
        count=len(ordered),
        sha256=hashlib.sha256(encode_list(ordered)).hexdigest(),
        entries=ordered,
        git_sha=git_sha,
        exported_at=exported_at,
    )
