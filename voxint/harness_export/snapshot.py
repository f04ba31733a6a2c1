"""By what an export was made: facts of the time of the export, and labelled so."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from sqlalchemy.orm import Session
from voxint_contracts.evidence_export.v1 import EvidenceSnapshot, ExportManifest

from voxint import __version__
from voxint.harness_export.selection import selected
from voxint.harness_export.voiceprints import roster_of_space
from voxint.speakers.policy import BASE_GATES
from voxint.speakers.voiceprints import Roster
from voxint.store.types import vector_bytes
from voxint.text import identity_form


def evidence_snapshot(
    session: Session,
    settings: ExportManifest,
    run_ids: Iterable[str],
    *,
    exported_at: str,
    git_sha: str | None = None,
    files: Mapping[str, str] | None = None,
) -> EvidenceSnapshot:
    """The facts of an export by its settings; time, commit and digests of files are the caller's.

    The matcher may have used other gates and another roster when it matched: this says what they are now.

    Raises:
        InputError: as `selected` says, or nobody is enrolled in the settings' space.
    """
    space = None if settings.embedding_space is None else identity_form(settings.embedding_space)
    roster = None if space is None else roster_of_space(session, space)
    return EvidenceSnapshot(
        schema_version=1,
        kind="evidence_snapshot",
        facts_hold_at="export",
        exported_at=exported_at,
        code_version=__version__,
        git_sha=git_sha,
        truth_anchoring=settings.truth_anchoring,
        embedding_space=space,
        gates_at_export=settings.gates or BASE_GATES,
        roster_size=0 if roster is None else len(roster),
        roster_sha256=None if roster is None else roster_digest(roster),
        run_ids=selected(session, run_ids),
        files=dict(sorted((files or {}).items())),
    )


def roster_digest(roster: Roster) -> str:
    """SHA-256 over speaker id, space and voiceprint of each speaker, in order of the ids.

    Texts are UTF-8 and end in a zero byte, voiceprints are little-endian float64.
    """
    digest = hashlib.sha256()
    for speaker_id, unit in zip(roster.speaker_ids, roster.units, strict=True):
        digest.update(f"{speaker_id}\0{roster.embedding_space}\0".encode())
        digest.update(vector_bytes(unit))
    return digest.hexdigest()
