"""The command line of the store, as a person types it; and what it is not to import."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from runs import run_file

ROOT = Path(__file__).resolve().parents[2]


def voxint(*words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'generated'}"}
    return subprocess.run([sys.executable, "-m", "voxint", "store", *words], env=env, capture_output=True, text=True)


def test_from_a_run_to_a_proposal(url: str, tmp_path: Path) -> None:
    first = run_file(tmp_path, "run-1")
    second = run_file(tmp_path, "run-2", {"A": 5.0})
    assert voxint("init").returncode == 0
    told = json.loads(voxint("ingest", first, second).stdout)
    assert [(run["run_id"], run["outcome"], run["n_turns"]) for run in told["runs"]] == [
        ("run-1", "stored", 8),
        ("run-2", "stored", 4),
    ]
    assert {run["outcome"] for run in json.loads(voxint("ingest", first).stdout)["runs"]} == {"unchanged"}
    words = ("enroll", "run-1", "SPEAKER_00", "Dana Fox", "--operator", "ann", "--idempotency-key", "k1")
    enrolled = json.loads(voxint(*words).stdout)
    assert json.loads(voxint(*words).stdout) == enrolled | {"replayed": True}
    (match,) = [json.loads(line) for line in voxint("match", "run-2").stdout.splitlines()]
    assert (match["decision"], match["proposed"], match["top_speaker_id"]) == ("accepted", True, enrolled["speaker_id"])
    (speaker,) = json.loads(voxint("speakers").stdout)["speakers"]
    assert (speaker["display_name"], speaker["state"], speaker["n_embeddings"]) == ("Dana Fox", "active", 1)


def test_good_runs_are_stored_beside_bad_ones_which_are_all_named(url: str, tmp_path: Path) -> None:
    good = run_file(tmp_path, "good")
    changed = run_file(tmp_path, "changed")
    voxint("ingest", changed)
    run_file(tmp_path, "changed", {"A": 1.0})
    (tmp_path / "bad.json").write_text('{"run_id": "x"}')
    done = voxint("ingest", changed, str(tmp_path / "bad.json"), good)
    assert (done.returncode, done.stdout) == (2, "")
    lines = done.stderr.splitlines()
    assert lines[0].startswith(f"{changed}:")
    assert all(line.startswith(f"{tmp_path / 'bad.json'}:1:1: $.") for line in lines[1:])
    assert json.loads(voxint("ingest", good).stdout)["runs"][0]["outcome"] == "unchanged"


def test_a_refusal_is_one_line(url: str) -> None:
    done = voxint("enroll", "none", "A", "Dana", "--operator", "ann", "--idempotency-key", "k")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == 'there is no run "none" in the store: voxint store ingest adds it\n'
    assert voxint("archive", "nobody", "--operator", "ann", "--idempotency-key", "k").returncode == 2


def test_help_needs_no_database_library() -> None:
    probe = "import sys, voxint.cli as c; c.main(['store', 'ingest', '--help']); print('sqlalchemy' in sys.modules)"
    env = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'generated'}"}
    done = subprocess.run([sys.executable, "-c", probe], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("False\n")
