"""A store for tests of exports: three matched runs, of which the first enrols two people."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from runs import GATES, run_model
from voxint_contracts.evidence_export.v1 import ExportManifest

from voxint.harness_export.files import write_export
from voxint.store import operators
from voxint.store.ingest import ingest_runs
from voxint.store.matches import refresh_run_matches
from voxint.store.sessions import Store

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SPACE = "test-v1"


def act(store: Store, name: str, key: str, **arguments: Any) -> Any:
    """One operator action in a transaction of its own."""
    with store.writing() as session:
        return getattr(operators, name)(session, operator="ann", idempotency_key=key, now=NOW, **arguments)


def filled(store: Store) -> dict[str, str]:
    """Fills the store; the speaker ids of Dana (0 degrees) and Omar (90), by name."""
    voices = {"run-2": {"A": 10.0, "B": 80.0}, "run-3": {"X": 45.0, "Y": 5.0}}
    list(ingest_runs(store, [run_model("run-1"), *(run_model(name, found) for name, found in voices.items())]))
    ids = {}
    for label, name in (("SPEAKER_00", "Dana Fox"), ("SPEAKER_01", "Omar Reed")):
        enrolled = {"run_id": "run-1", "label": label, "display_name": name, "gates": GATES}
        ids[name] = act(store, "enroll_new_speaker", f"enroll:{name}", **enrolled).speaker_id
    with store.writing() as session:
        for run_id in ("run-1", "run-2", "run-3"):
            refresh_run_matches(session, run_id, GATES)
    return ids


def manifest(*, space: str | None = SPACE, runs: list[dict[str, Any]] | None = None, **more: Any) -> ExportManifest:
    chosen = [{"run_id": name, "kind": "negative_control"} for name in ("run-1", "run-2", "run-3")]
    fields: dict[str, Any] = {"schema_version": 1, "kind": "export_manifest", "truth_anchoring": "independent"}
    fields["embedding_space"] = space
    return ExportManifest.model_validate_json(json.dumps(fields | {"runs": chosen if runs is None else runs} | more))


def export(store: Store, folder: Path, order: ExportManifest, at: str = "2026-03-01T09:30:00Z") -> dict[str, bytes]:
    with store.reading() as session:
        write_export(session, order, str(folder), exported_at=at, git_sha="abc")
    return {path.name: path.read_bytes() for path in folder.iterdir()}
