"""Recurrence and protocols in words."""

from __future__ import annotations

import json
from pathlib import Path

from voxint_contracts.attribution_protocol.v2 import ProtocolManifest
from voxint_contracts.recurrence.v1 import RecurrenceReport

from voxint.cli.render import table
from voxint.cli.summaries import Grid, summary_of
from voxint.harness.attribution_protocol import inspect_manifest

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "contracts" / "vectors"


def test_recurrence_says_what_is_viable_and_what_it_takes() -> None:
    text = (VECTORS / "recurrence/v1/accept/report.full.json").read_text(encoding="utf-8")
    drawn = table(summary_of(RecurrenceReport.model_validate_json(text)), terminal=False)
    assert "A baseline is viable: it needs 8 people in two base sessions or more, and 50 genuine pairs." in drawn
    assert "A calibration on these people alone is not viable: it needs 50 people" in drawn
    assert [line.split()[-1] for line in drawn.splitlines()[4:10]] == ["170", "58", "189", "30", "59", "84"]


def test_a_protocol_and_its_inspection_count_the_same_meetings() -> None:
    text = (ROOT / "examples/attribution/protocol.json").read_text(encoding="utf-8")
    manifest = ProtocolManifest.model_validate_json(text)
    made, inspected = summary_of(manifest), summary_of(inspect_manifest(manifest=manifest))
    assert made.title == "Protocol of ami_ihm: 6 meetings, no leak"
    assert inspected.title == "Protocol of ami_ihm: 6 meetings, 9 people, no leak"
    first, second = made.blocks[0], inspected.blocks[0]
    assert isinstance(first, Grid)
    assert isinstance(second, Grid)
    assert first.rows == tuple(row[:3] for row in second.rows)
    assert made.blocks[1] == "Open set: 2 of 2 candidates taken, 5 asked for."


def test_meetings_left_out_are_named() -> None:
    values = json.loads((VECTORS / "attribution_protocol/v2/accept/manifest.full.json").read_text(encoding="utf-8"))
    manifest = ProtocolManifest.model_validate_json(json.dumps(values))
    assert summary_of(manifest).blocks[-1] == "Left out: ES2009a"
