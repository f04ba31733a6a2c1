"""An export as files: all new or all as they were, and the same bytes from an unchanged store."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from evidence import act, export, filled, manifest
from voxint_contracts.store.v1 import Ruling

from voxint.errors import InputError
from voxint.store.sessions import Store

NAMES = {"snapshot.json", "name_accuracy_items.jsonl", "enrollment.json", "agreement_slots.jsonl"}
ROOT = Path(__file__).resolve().parents[2]


def test_a_second_export_of_an_unchanged_store_is_the_first(store: Store, tmp_path: Path) -> None:
    filled(store)
    first = export(store, tmp_path / "out", manifest())
    assert first.keys() == NAMES
    assert export(store, tmp_path / "out", manifest(), at="2027-01-01T00:00:00Z") == first
    assert export(store, tmp_path / "other", manifest()) == first
    act(store, "record_decision", "k", run_id="run-2", label="A", decision=Ruling.UNKNOWN, speaker=None)
    changed = export(store, tmp_path / "out", manifest(), at="2027-01-01T00:00:00Z")
    assert {name for name in NAMES if changed[name] != first[name]} == {"snapshot.json", "name_accuracy_items.jsonl"}
    assert json.loads(changed["snapshot.json"])["exported_at"] == "2027-01-01T00:00:00Z"


def test_without_a_space_only_names_are_exported_and_old_voiceprints_go(store: Store, tmp_path: Path) -> None:
    filled(store)
    export(store, tmp_path / "out", manifest())
    (tmp_path / "out" / "notes.txt").write_text("mine")
    files = export(store, tmp_path / "out", manifest(space=None, runs=[{"run_id": "run-2"}]))
    assert files.keys() == {"snapshot.json", "name_accuracy_items.jsonl", "notes.txt"}
    assert json.loads(files["snapshot.json"])["roster_sha256"] is None


@pytest.mark.parametrize(
    "order",
    [
        {"runs": [{"run_id": "run-9", "kind": "negative_control"}]},
        {"roster_speaker_ids": ["spk_none"]},
        {"space": "other-v1"},
    ],
)
def test_a_refusal_leaves_the_old_export(store: Store, tmp_path: Path, order: dict[str, Any]) -> None:
    filled(store)
    before = export(store, tmp_path / "out", manifest())
    with pytest.raises(InputError):
        export(store, tmp_path / "out", manifest(**order))
    with pytest.raises(InputError):
        export(store, tmp_path / "new", manifest(**order))
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before
    assert not (tmp_path / "new").exists()


KILLED = """
import os, signal, sys
from voxint.harness_export import files
from voxint.io import write
from tools.export_match_evidence import main
seen = []
def staged(path, chunks, real=files.staged):
    seen.append(path)
    if len(seen) == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
    return real(path, chunks)
files.staged = staged
main(["--manifest", "order.json", "--out-dir", "out", "--allow-dirty"])
"""


@pytest.mark.parametrize("at", [1, 2, 4])
def test_a_killed_export_leaves_the_old_one(store: Store, url: str, tmp_path: Path, at: int) -> None:
    filled(store)
    before = export(store, tmp_path / "out", manifest())
    act(store, "record_decision", "k", run_id="run-2", label="A", decision=Ruling.UNKNOWN, speaker=None)
    (tmp_path / "order.json").write_text(manifest().model_dump_json(exclude_none=True))
    env = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'generated'}", "VOXINT_DATABASE_URL": url}
    done = subprocess.run([sys.executable, "-c", KILLED, str(at)], cwd=tmp_path, env=env)
    assert done.returncode == -signal.SIGKILL
    kept = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir() if path.name in NAMES}
    assert kept == before
    after = export(store, tmp_path / "out", manifest())
    assert after.keys() == NAMES
    assert after["name_accuracy_items.jsonl"] != before["name_accuracy_items.jsonl"]
