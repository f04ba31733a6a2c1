"""Makes the pipeline runs of examples/real-speech from LibriSpeech: a turn an utterance, embedded by a real model.

    python examples/real_speech_runs.py --speech FOLDER --model ge2e --out examples/real-speech/runs-ge2e.jsonl

FOLDER holds READER/READER-CHAPTER-UTTERANCE.flac. Needs the extras voice (ge2e) or campplus, and soundfile. Host and
guest take turns, half a second apart. Embeddings are kept to 6 decimals: other machines differ in the digits after.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "generated")]

PAUSE = 0.5
WHEN = "2026-03-01T09:30:00Z"


def model_of(name: str) -> Any:
    """The embedding model of that name."""
    if name == "ge2e":
        from voxint.edges.ge2e import Ge2e

        return Ge2e()
    from voxint.edges.campplus import CampPlus

    return CampPlus()


def run_of(item_id: str, recording: dict[str, Any], speech: Path, model: Any) -> dict[str, Any]:
    """The pipeline run of one recording: host and guest in turn, under labels that tell nothing."""
    import soundfile

    turns: list[dict[str, Any]] = []
    clock = 0.0
    for utterance in recording["utterances"]:
        for label, role in (("SPEAKER_00", "host"), ("SPEAKER_01", "guest")):
            (path,) = (speech / recording[role]).glob(f"*-{utterance}.flac")
            samples, rate = soundfile.read(path, dtype="float32")
            end = round(clock + len(samples) / rate, 3)
            turns.append(
                {
                    "turn_index": len(turns),
                    "start": clock,
                    "end": end,
                    "label": label,
                    "overlap_seconds": 0.0,
                    "embedding": [round(value, 6) for value in model.embed(samples)],
                    "embedding_space": model.embedding_space,
                }
            )
            clock = round(end + PAUSE, 3)
    return {"run_id": item_id, "status": "completed", "recording": item_id, "created_at": WHEN, "turns": turns}


def main() -> None:
    """Reads the arguments, and writes a run a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--speech", type=Path, required=True, help="folder of readers")
    parser.add_argument("--model", choices=("ge2e", "campplus"), required=True)
    parser.add_argument("--out", type=Path, required=True, help="JSON lines, one run each")
    options = parser.parse_args()
    plan = json.loads((HERE / "real-speech" / "plan.json").read_bytes())["recordings"]
    model = model_of(options.model)
    runs = [run_of(item_id, recording, options.speech, model) for item_id, recording in sorted(plan.items())]
    options.out.write_text("".join(json.dumps(run) + "\n" for run in runs), encoding="utf-8")


if __name__ == "__main__":
    main()
