"""By what an export was made."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from evidence import SPACE, export, filled, manifest

from voxint.harness_export.snapshot import evidence_snapshot, roster_digest
from voxint.store.evidence import rosters
from voxint.store.sessions import Store


def test_the_snapshot_says_by_what_it_was_made(store: Store, tmp_path: Path) -> None:
    filled(store)
    files = export(store, tmp_path / "out", manifest())
    told = json.loads(files["snapshot.json"])
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in files.items() if name != "snapshot.json"}
    assert told["files"] == digests
    assert (told["facts_hold_at"], told["git_sha"], told["run_ids"]) == ("export", "abc", ["run-1", "run-2", "run-3"])
    with store.reading() as session:
        roster = rosters(session, [SPACE])[SPACE]
    plain = b"".join(
        f"{name}\0{SPACE}\0".encode() + unit.astype("<f8").tobytes()
        for name, unit in zip(roster.speaker_ids, roster.units, strict=True)
    )
    assert told["roster_sha256"] == hashlib.sha256(plain).hexdigest() == roster_digest(roster)


def test_the_snapshot_alone_needs_no_files(store: Store) -> None:
    filled(store)
    with store.reading() as session:
        told = evidence_snapshot(session, manifest(), ["run-2"], exported_at="2026-03-01T09:30:00Z")
    assert (told.run_ids, told.files, told.git_sha, told.roster_size) == (["run-2"], {}, None, 2)
