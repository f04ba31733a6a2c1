"""Verdicts as a person reads them, from the command itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from voxint.cli import main

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "agreement"
WORDS = "score agreement --slots slots-ge2e.jsonl --enrollment enrollment-ge2e.json --thresholds thresholds-ge2e.json"


def test_verdicts_are_counted_by_kind_and_reason_and_contradictions_listed(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(EXAMPLE)
    assert main([*WORDS.split(), "--format", "md"]) == 0
    text = capfd.readouterr().out
    assert text.startswith("## Acoustic verdicts: 17 items\n\n**Curated items**")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| ")]
    assert ["CONFIDENT\\_HOST\\_PRESENT", "-", "3"] in rows
    assert ["NO\\_CURATED\\_HOST\\_DETECTED", "-", "4"] in rows
    assert text.rstrip().endswith('may be wrong: "ls-swap-1688", "ls-swap-3080", "ls-negpres-1688"')
