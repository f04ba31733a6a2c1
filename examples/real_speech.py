"""Real voices through the evidence store to verdicts, in one command: `python examples/real_speech.py`.

For each of two embedding models: runs -> ingest -> enrol four people from two recordings, as an operator does -> match
all recordings -> export -> name accuracy and acoustic verdicts -> fusion. The runs were made from LibriSpeech by
examples/real_speech_runs.py, so that this needs no speech and no torch. With --speech FOLDER they are made anew.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(ROOT / "generated")]

from tools import export_match_evidence  # noqa: E402
from voxint.cli import main as voxint  # noqa: E402

DATA = HERE / "real-speech"
WHEN = "2026-03-02T10:00:00Z"
NAMES = {"1688": "Mara Quill", "1998": "Omar Reed", "2033": "Elise Weiss", "2414": "Ines Okafor"}
"""Invented names of the readers who are enrolled; the others stay strangers."""
ENROLLED_FROM = ("ep-01", "ep-03")
LABELS = {"SPEAKER_00": "host", "SPEAKER_01": "guest"}


def step(words: list[str], *, quiet: bool = False) -> None:
    """One command of voxint, shown before it runs; any exit code but 0 ends the example."""
    if not quiet:
        print(f"$ voxint {' '.join(json.dumps(word) if ' ' in word else word for word in words)}", flush=True)
    code = voxint(words)
    if code:
        sys.exit(code)


def enroll(plan: dict[str, Any]) -> dict[str, str]:
    """Speaker id of each reader who is enrolled, host and guest of two recordings."""
    found = {}
    for item_id in ENROLLED_FROM:
        for label, role in LABELS.items():
            reader = plan[item_id][role]
            words = ["store", "enroll", item_id, label, NAMES[reader], "--operator", "ann"]
            step([*words, "--idempotency-key", f"enroll:{reader}", "--created-at", WHEN, "--out", "enrolled.json"])
            found[reader] = json.loads(Path("enrolled.json").read_bytes())["speaker_id"]
    return found


def rule(plan: dict[str, Any]) -> None:
    """What a person says of every other label, after listening: who it is, or that nobody can tell."""
    for item_id in sorted(plan.keys() - set(ENROLLED_FROM)):
        for label, role in LABELS.items():
            reader = plan[item_id][role]
            ruling = ["assign", "--speaker", NAMES[reader]] if reader in NAMES else ["exclude"]
            words = ["store", "decide", item_id, label, *ruling, "--operator", "ann", "--created-at", WHEN]
            step([*words, "--idempotency-key", f"rule:{item_id}:{label}", "--out", "ruled.json"], quiet=True)
    print("(rulings on every other label: voxint store decide)")


def export(folder: str) -> list[dict[str, Any]]:
    """The name items of an export into a folder."""
    words = ["--manifest", "export.json", "--out-dir", folder, "--exported-at", WHEN, "--allow-dirty"]
    print(f"$ python tools/export_match_evidence.py {' '.join(words)}", flush=True)
    code = export_match_evidence.main(words)
    if code:
        sys.exit(code)
    text = Path(folder, "name_accuracy_items.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def shown(items: list[dict[str, Any]]) -> dict[str, str | None]:
    """What the machine would have shown beside each label."""
    return {
        f"{item['item_id']} {label}": slot["assigned_name"] for item in items for label, slot in item["slots"].items()
    }


def manifest(plan: dict[str, Any], speakers: dict[str, str], space: str) -> None:
    """The order of the export: recordings whose host is enrolled are curated, the others are negative controls."""
    runs: list[dict[str, str]] = []
    for item_id, recording in sorted(plan.items()):
        host = speakers.get(recording["host"])
        use = {"kind": "curated", "host_id": host} if host else {"kind": "negative_control"}
        runs.append({"run_id": item_id} | use)
    order = {"schema_version": 1, "kind": "export_manifest", "truth_anchoring": "independent", "embedding_space": space}
    Path("export.json").write_text(json.dumps(order | {"runs": runs}), encoding="utf-8")


def loop(model: str, runs: Path, plan: dict[str, Any]) -> Path:
    """The whole loop for one model in the folder we are in; returns the file of its verdicts."""
    os.environ["VOXINT_DATABASE_URL"] = f"sqlite:///{model}.db"
    texts = [json.loads(line) for line in runs.read_text(encoding="utf-8").splitlines()]
    files = [f"{model}-{run['run_id']}.json" for run in texts]
    for file, run in zip(files, texts, strict=True):
        Path(file).write_text(json.dumps(run), encoding="utf-8")
    step(["store", "init", "--out", "status.json"])
    step(["store", "ingest", *files, "--out", "ingested.json"])
    speakers = enroll(plan)
    step(["store", "match", "--out", f"matches-{model}.jsonl"])
    manifest(plan, speakers, texts[0]["turns"][0]["embedding_space"])
    before = shown(export(f"before-{model}"))
    rule(plan)
    after = shown(export(f"evidence-{model}"))
    print(f"the rulings changed {sum(before[key] != after[key] for key in before)} of {len(before)} names shown")
    step(["score", "name-accuracy", f"evidence-{model}/name_accuracy_items.jsonl", "--format", "table"])
    inputs = ["--slots", f"evidence-{model}/agreement_slots.jsonl", "--enrollment", f"evidence-{model}/enrollment.json"]
    thresholds = ["--thresholds", str(DATA / f"thresholds-{model}.json")]
    verdicts = Path(f"verdicts-{model}.jsonl")
    step(["score", "agreement", *inputs, *thresholds, "--out", str(verdicts)])
    for line in verdicts.read_text(encoding="utf-8").splitlines():
        verdict = json.loads(line)
        why = verdict["reason"] or ""
        print(f"  {verdict['item_id']}  {verdict['kind']:16}  {verdict['verdict']:24}  {why}")
    return verdicts


def main() -> None:
    """Reads the arguments and runs the loop for both models."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--speech", type=Path, help="LibriSpeech readers to embed anew (extras voice and campplus)")
    parser.add_argument("--work", type=Path, help="new folder for all files; a temporary one without it")
    options = parser.parse_args()
    plan = json.loads((DATA / "plan.json").read_bytes())["recordings"]
    with tempfile.TemporaryDirectory() as folder:
        work = (options.work or Path(folder) / "work").resolve()
        work.mkdir(parents=True)
        verdicts = []
        for model in ("ge2e", "campplus"):
            runs = DATA / f"runs-{model}.jsonl"
            if options.speech is not None:
                runs = work / f"runs-{model}.jsonl"
                words = ["--speech", str(options.speech.resolve()), "--model", model, "--out", str(runs)]
                subprocess.run([sys.executable, str(HERE / "real_speech_runs.py"), *words], check=True)
            os.chdir(work)
            verdicts.append(str(loop(model, runs, plan)))
        step(["score", "ensemble", *verdicts, "--format", "table"])
        os.chdir(ROOT)


if __name__ == "__main__":
    main()
