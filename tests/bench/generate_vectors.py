"""Seeded voices of any number for the benchmarks: the same arguments give the same bytes."""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path

SPACE = "bench-v1"
SEEDS = 512
THRESHOLDS = {
    "schema_version": 1,
    "tau": 0.62,
    "margin": 0.08,
    "min_duration": 45.0,
    "min_segments": 6,
    "low_band": 0.35,
    "neg_min_total_duration": 300.0,
    "min_enrollment_items": 3,
}
encode = json.JSONEncoder(separators=(",", ":")).encode


def voice(number: int, dims: int) -> list[float]:
    """The direction of one voice: Gaussian, so nearly at right angles to every other one."""
    draw = random.Random(f"voice {number}").gauss
    return [draw(0.0, 1.0) for _ in range(dims)]


def enrollment(n_voiceprints: int, dims: int = 192) -> bytes:
    """An agreement/v1/enrollment document: voiceprint k is voice k."""
    voiceprints = {
        f"host-{k:05}": {
            "embedding": voice(k, dims),
            "enrollment_items": 5,
            "held_out": True,
            "source_item_ids": [f"seed-{k:05}"],
        }
        for k in range(n_voiceprints)
    }
    document = {"schema_version": 1, "embedding_space": SPACE, "dims": dims, "voiceprints": voiceprints}
    return encode(document).encode() + b"\n"


def slots_records(
    n_records: int, n_voiceprints: int, *, n_slots: int = 4, dims: int = 192, controls: float = 0.2, seed: int = 0
) -> Iterator[bytes]:
    """Lines of agreement/v1/slots: a curated item holds its host's voice, blurred, among strangers; a control does not.

    Each embedding is a voice plus a stretch of one long noise, at full precision: 16 kB a record of 4 x 192.
    """
    draw = random.Random(f"slots {seed}")
    strangers = [voice(-1 - k, dims) for k in range(SEEDS)]
    hosts = [voice(k, dims) for k in range(n_voiceprints)]
    noise = [draw.gauss(0.0, 0.5) for _ in range(dims * 97)]
    for number in range(n_records):
        is_control = draw.random() < controls
        host = draw.randrange(n_voiceprints)
        voices = [draw.choice(strangers) for _ in range(n_slots)]
        if not is_control:
            voices[draw.randrange(n_slots)] = hosts[host]
        slots = {f"SPEAKER_{k:02}": _slot(each, noise, draw) for k, each in enumerate(voices)}
        record = {"item_id": f"item-{number:08}", "embedding_space": SPACE, "total_speech": 1800.0, "slots": slots}
        kind = {"kind": "negative_control"} if is_control else {"kind": "curated", "host_id": f"host-{host:05}"}
        yield encode(record | kind).encode() + b"\n"


def _slot(centre: list[float], noise: list[float], draw: random.Random) -> dict[str, object]:
    start = draw.randrange(len(noise) - len(centre))
    blurred = [a + b for a, b in zip(centre, noise[start : start + len(centre)], strict=True)]
    return {"embedding": blurred, "duration": round(draw.random() * 900, 2), "segments": draw.randrange(60)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="gets slots.jsonl, enrollment.json and thresholds.json")
    parser.add_argument("--records", type=int, default=1000)
    parser.add_argument("--voiceprints", type=int, default=50)
    parser.add_argument("--controls", type=float, default=0.2)
    chosen = parser.parse_args()
    (chosen.folder / "enrollment.json").write_bytes(enrollment(chosen.voiceprints))
    (chosen.folder / "thresholds.json").write_bytes(encode(THRESHOLDS).encode() + b"\n")
    with (chosen.folder / "slots.jsonl").open("wb") as file:
        file.writelines(slots_records(chosen.records, chosen.voiceprints, controls=chosen.controls))
