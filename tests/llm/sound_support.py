"""Recordings for tests, made of sines, and renders of them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
from judge_support import DIGEST


def sound(path: Path, seconds: float = 1.0, rate: int = 16000, channels: int = 1, **how: Any) -> Path:
    """A file of a sine with some noise, the same at every call."""
    times = np.arange(int(seconds * rate)) / rate
    hiss = np.sin(times * times * 9973.0) * 0.05
    wave = np.sin(times * 2 * np.pi * 220) * 0.3 + hiss
    soundfile.write(path, np.column_stack([wave] * channels), rate, **how)
    return path


def render(folder: Path, audio: Path, **changes: Any) -> Path:
    """A manifest of the recording, beside it or elsewhere."""
    chunk = {"chunk_id": "c1", "speaker": "pym", "entry_ids": ["e1"], "start_s": 0, "end_s": 0.5, "text": "One asks."}
    later = {**chunk, "chunk_id": "c2", "start_s": 0.5, "end_s": 1, "fx": "phone", "text": "Does\none?"}
    whole = {
        "schema_version": 1,
        "audio_path": str(audio.relative_to(folder) if audio.is_relative_to(folder) else audio),
        "audio_sha256": hashlib.sha256(audio.read_bytes()).hexdigest() if audio.is_file() else DIGEST,
        "sample_rate": 16000,
        "script_id": "desk",
        "script_sha256": DIGEST,
        "chunks": [later, chunk],
        **changes,
    }
    path = folder / "manifest.json"
    path.write_text(json.dumps(whole), encoding="utf-8")
    return path
