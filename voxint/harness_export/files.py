"""An export as a folder of files: all of them new, or all of them as they were."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

from pydantic import BaseModel
from sqlalchemy.orm import Session
from voxint_contracts.evidence_export.v1 import EvidenceSnapshot, ExportManifest

from voxint.errors import EdgeError, InputError
from voxint.harness_export.items import name_accuracy_items
from voxint.harness_export.slots import agreement_slots
from voxint.harness_export.snapshot import evidence_snapshot
from voxint.harness_export.voiceprints import agreement_enrollment
from voxint.io import read
from voxint.io.canonical import encode
from voxint.io.write import staged
from voxint.speakers.policy import BASE_GATES

SNAPSHOT, ITEMS, ENROLLMENT, SLOTS = (
    "snapshot.json",
    "name_accuracy_items.jsonl",
    "enrollment.json",
    "agreement_slots.jsonl",
)


def write_export(
    session: Session, manifest: ExportManifest, out_dir: str, *, exported_at: str, git_sha: str | None
) -> EvidenceSnapshot:
    """Writes the export that a manifest asks for into a folder, which is made, and returns its snapshot.

    Name items always; enrollment and slots where the manifest names an embedding space. Every file is complete before
    the first takes its place, and the snapshot, which holds the digests of the others, takes its place last. A file of
    an earlier export that is no part of this one goes. Where nothing has changed but the time, the time of the earlier
    export stays: the second export of an unchanged store is the first one, byte for byte.

    Raises:
        InputError: a selection that cannot be exported (nothing is written), or a folder that cannot be made.
        EdgeError: the disk is full or fails.
    """
    parts = _parts(session, manifest)
    folder = _folder(out_dir)
    digests: dict[str, str] = {}
    with ExitStack() as last, ExitStack() as first:
        for name, models in parts.items():
            first.enter_context(staged(str(folder / name), _noted(models, name, digests)))
        run_ids = [run.run_id for run in manifest.runs]
        snapshot = evidence_snapshot(
            session, manifest, run_ids, exported_at=exported_at, git_sha=git_sha, files=digests
        )
        snapshot = _as_before(snapshot, folder / SNAPSHOT)
        last.enter_context(staged(str(folder / SNAPSHOT), [encode(snapshot)]))
    for name in {ITEMS, ENROLLMENT, SLOTS} - parts.keys():
        with suppress(FileNotFoundError):
            (folder / name).unlink()
    return snapshot


def _parts(session: Session, manifest: ExportManifest) -> dict[str, Iterable[BaseModel]]:
    """The models of each file. What cannot be exported is refused here, before there is any file."""
    run_ids = [run.run_id for run in manifest.runs]
    parts: dict[str, Iterable[BaseModel]] = {
        ITEMS: name_accuracy_items(session, run_ids, truth_anchoring=manifest.truth_anchoring)
    }
    if manifest.embedding_space is not None:
        wanted = manifest.roster_speaker_ids or None
        parts[ENROLLMENT] = [agreement_enrollment(session, manifest.embedding_space, roster_speaker_ids=wanted)]
        parts[SLOTS] = agreement_slots(
            session,
            run_ids,
            kind_by_run={run.run_id: run.kind for run in manifest.runs if run.kind is not None},
            host_by_run={run.run_id: run.host_id for run in manifest.runs if run.host_id is not None},
            gates=manifest.gates or BASE_GATES,
        )
    return parts


def _folder(out_dir: str) -> Path:
    folder = Path(out_dir)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{out_dir}: cannot be made: {error.strerror}") from error
    return folder


def _noted(models: Iterable[BaseModel], name: str, digests: dict[str, str]) -> Iterator[bytes]:
    """The bytes of the models; when the last is out, their digest is known."""
    digest = hashlib.sha256()
    for model in models:
        data = encode(model)
        digest.update(data)
        yield data
    digests[name] = digest.hexdigest()


def _as_before(snapshot: EvidenceSnapshot, path: Path) -> EvidenceSnapshot:
    """The snapshot with the time of the one that is there, where that says the same in all else."""
    try:
        old = read.document(str(path), EvidenceSnapshot)
    except (InputError, EdgeError):
        return snapshot
    again = snapshot.model_copy(update={"exported_at": old.exported_at})
    return again if encode(again) == encode(old) else snapshot
