"""The worked example of the gates: its two policies, its exit codes, and reports that our own command writes."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from voxint.cli import main

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "gates"


@pytest.mark.parametrize(
    ("policy", "code", "failed"),
    [
        ("tolerant.json", 0, []),
        ("strict.json", 1, ["audit_regression_count", "correct_to_wrong_swaps", "overnaming_strict_count"]),
    ],
)
def test_one_policy_passes_and_one_fails(
    policy: str, code: int, failed: list[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(EXAMPLE)
    words = shlex.split((EXAMPLE / "command").read_text(encoding="utf-8").replace("tolerant.json", policy))
    assert main(words) == code
    metrics = json.loads(capfd.readouterr().out)
    assert [check["metric"] for check in metrics["failed_checks"]] == failed
    assert round(metrics["item_regression_rate_upper"], 4) == 0.0491


@pytest.mark.parametrize("release", ["old", "new"])
def test_the_reports_are_what_the_command_writes(release: str, tmp_path: Path) -> None:
    out = tmp_path / "report.json"
    assert main(["score", "name-accuracy", str(EXAMPLE / f"{release}-items.jsonl"), "--out", str(out)]) == 0
    assert out.read_bytes() == (EXAMPLE / f"{release}.json").read_bytes()
