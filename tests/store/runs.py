"""Runs for tests: a few voices in a small space, each turn 4 s long, as documents and as models."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from voxint_contracts.attribution.v1 import MatchingGates
from voxint_contracts.pipeline_run.v1 import PipelineRun

from voxint.speakers.policy import BASE_GATES

GATES: MatchingGates = BASE_GATES
NOW = "2026-03-01T09:30:00Z"


def voice(degrees: float) -> list[float]:
    """A unit vector of three numbers at an angle: voices 60 degrees apart have a cosine of 0.5."""
    return [math.cos(math.radians(degrees)), math.sin(math.radians(degrees)), 0.0]


def run_document(run_id: str = "run-1", voices: dict[str, float] | None = None, **fields: Any) -> dict[str, Any]:
    """A completed run in which every voice, label to angle, has four turns of four seconds."""
    found = {"SPEAKER_00": 0.0, "SPEAKER_01": 90.0} if voices is None else voices
    turns = [
        {
            "turn_index": number,
            "start": number * 5.0,
            "end": number * 5.0 + 4.0,
            "label": label,
            "overlap_seconds": 0.25,
            "snr_db": 20.0,
            "embedding": voice(degrees),
            "embedding_space": "test-v1",
        }
        for number, (label, degrees) in enumerate(4 * list(found.items()))
    ]
    return {
        "run_id": run_id,
        "status": "completed",
        "recording": f"{run_id}.wav",
        "created_at": NOW,
        "turns": turns,
    } | fields


def run_model(run_id: str = "run-1", voices: dict[str, float] | None = None, **fields: Any) -> PipelineRun:
    """The same as a model."""
    return PipelineRun.model_validate_json(json.dumps(run_document(run_id, voices, **fields)))


def run_file(folder: Path, run_id: str = "run-1", voices: dict[str, float] | None = None, **fields: Any) -> str:
    """The same as a file; its name."""
    path = folder / f"{run_id}.json"
    path.write_text(json.dumps(run_document(run_id, voices, **fields)), encoding="utf-8")
    return str(path)
