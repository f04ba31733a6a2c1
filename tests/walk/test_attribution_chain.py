"""From a protocol to certified gates through the store: the same bytes from the same seed, and on real turns."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
AMI = ROOT.parent / "shared" / "data" / "ami" / "gold"


def run(work: Path, *words: str) -> str:
    command = [sys.executable, str(ROOT / "examples" / "attribution_chain.py"), "--work", str(work), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=work.parent).stdout


def digests(work: Path) -> dict[str, str]:
    return {
        path.relative_to(work).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(work.rglob("*"))
        if path.is_file() and path.suffix != ".db" and path.name != "roster_fingerprint.json"
    }


def test_a_seed_names_every_byte(tmp_path: Path) -> None:
    said = run(tmp_path / "a"), run(tmp_path / "b"), run(tmp_path / "c", "--seed", "another")
    first, second, other = (digests(tmp_path / name) for name in "abc")
    assert first == second
    assert said[0] == said[1]
    assert first["trials.json"] != other["trials.json"]
    assert {"protocol.json", "trials.json", "selection.json", "roster/enrolled_speaker_map.json"} <= first.keys()
    assert said[0].rstrip().endswith("NO_DECISION, and nothing to certify.")


def test_the_roster_of_the_chain_is_fingerprinted(tmp_path: Path) -> None:
    run(tmp_path / "a")
    told = json.loads((tmp_path / "a/roster/roster_fingerprint.json").read_bytes())
    entries = json.dumps(told["entries"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert told["sha256"] == hashlib.sha256(entries.encode()).hexdigest()
    named = json.loads((tmp_path / "a/roster/enrolled_speaker_map.json").read_bytes())
    assert {entry["global_name"]: entry["speaker_id"] for entry in told["entries"]} == named
    assert told["count"] == len(named) > 0


@pytest.mark.shared
@pytest.mark.skipif(not AMI.is_dir(), reason="needs the gold RTTMs of AMI beside the repository")
def test_gates_are_certified_over_all_of_ami(tmp_path: Path) -> None:
    words = ["--gold-rttm-dir", str(AMI), "--open-set", "116", "--session-suffixes", "abcd"]
    assert "CERTIFIED" in run(tmp_path / "ami", *words).rpartition("$ voxint calibrate certify")[2]
    trials = json.loads((tmp_path / "ami/trials.json").read_bytes())["trials"]
    genuine = {trial["cluster_id"] for trial in trials if trial["kind"] == "genuine"}
    impostors = {trial["cluster_id"] for trial in trials if trial["kind"] == "impostor"}
    assert len(genuine) >= 20
    assert len(impostors) >= 100
