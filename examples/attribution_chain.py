"""From a corpus to certified gates through the evidence store, in one command, with made-up voices over real turns.

    python examples/attribution_chain.py                     the small corpus of examples/attribution
    python examples/attribution_chain.py --gold-rttm-dir AMI --open-set 116 --session-suffixes abcd --work out

protocol -> pipeline runs -> ingest -> roster (dry run, then real) -> rematch -> align input -> trials -> select ->
certify. The diarization is the gold itself under anonymous labels; the embedding of a turn is its speaker's direction,
a shift of the meeting and noise of the turn, all of them sums of bytes of SHA-256: a seed names every number, on any
machine. What is certified here is therefore the chain, not a voice model. Without --work a temporary folder is used.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(ROOT / "generated")]

from tools import build_align_input, build_attribution_roster, rematch_runs  # noqa: E402
from voxint.cli import main as voxint  # noqa: E402
from voxint.corpus import Timeline  # noqa: E402
from voxint.harness.intervals import overlaps, united  # noqa: E402
from voxint.io import rttm  # noqa: E402

SPACE, DIMS = "made-up-v1", 24
SHIFT, NOISE = 0.25, 0.55
"""Length of a meeting's shift and of a turn's noise, where a speaker's direction has length 1, about."""
SHORTEST = 1.0
"""Seconds below which a turn gets no embedding."""
GAP, LONGEST = 0.5, 6.0
"""Seconds of silence within one turn, and seconds after which a turn is cut, as diarizers do."""
WHEN = "2026-03-01T09:30:00Z"


def direction(*names: str) -> list[float]:
    """Numbers around 0 of variance 1 / DIMS, about: sums of twelve bytes of SHA-256, which no machine rounds."""
    need, data, block = 12 * DIMS, b"", 0
    while len(data) < need:
        data += hashlib.sha256("\0".join((*names, str(block))).encode()).digest()
        block += 1
    sums = [sum(data[12 * place : 12 * place + 12]) - 1530 for place in range(DIMS)]
    return [each / 1254 for each in sums]


def pipeline_run(seed: str, meeting_id: str, gold: Timeline) -> dict[str, Any]:
    """The run of a meeting: its gold speakers' turns in order, under labels that tell nothing."""
    unit = gold.unit
    speech = {name: list(joined(spans, int(GAP * unit))) for name, spans in united(gold, unit).items()}
    longest = int(LONGEST * unit)
    pieces = ((name, *piece) for name, spans in speech.items() for span in spans for piece in cut(*span, longest))
    order = sorted((start, end, name) for name, start, end in pieces)
    names = list(dict.fromkeys(name for _, _, name in order))
    shift = direction(seed, "meeting", meeting_id)
    turns = []
    for index, (start, end, name) in enumerate(order):
        others = {other: spans for other, spans in speech.items() if other != name}
        covered = sum(row["turn"] for row in overlaps(others, {"turn": [(start, end)]}).values())
        turn: dict[str, Any] = {
            "turn_index": index,
            "start": start / unit,
            "end": end / unit,
            "label": f"SPEAKER_{names.index(name):02}",
            "overlap_seconds": min(covered, end - start) / unit,
        }
        if end - start < SHORTEST * unit:
            turn["skip_reason"] = "too short"
        else:
            noise = direction(seed, "turn", meeting_id, str(index))
            voice = direction(seed, "speaker", name)
            parts = zip(voice, shift, noise, strict=True)
            turn |= {"embedding": [v + SHIFT * s + NOISE * n for v, s, n in parts], "embedding_space": SPACE}
        turns.append(turn)
    status = {"run_id": f"run-{meeting_id}", "status": "completed", "recording": meeting_id, "created_at": WHEN}
    return {"schema_version": 1, **status, "turns": turns}


def joined(spans: list[tuple[int, int]], gap: int) -> Iterator[tuple[int, int]]:
    """Spans in order, those made one that are less than the gap apart."""
    start, end = spans[0]
    for after, last in spans[1:]:
        if after - end < gap:
            end = last
        else:
            yield start, end
            start, end = after, last
    yield start, end


def cut(start: int, end: int, longest: int) -> Iterator[tuple[int, int]]:
    """A span in pieces of at most this length."""
    for first in range(start, end, longest):
        yield first, min(first + longest, end)


def step(words: list[str], *passing: int) -> int:
    """The exit code of a command of voxint, shown before it runs; any other than 0 and `passing` ends the chain."""
    print(f"$ voxint {' '.join(words)}", flush=True)
    code = voxint(words)
    if code not in (0, *passing):
        sys.exit(code)
    return code


def program(module: Any, words: list[str]) -> None:
    """One of the programs of tools/, shown before it runs."""
    print(f"$ python tools/{module.__name__.rpartition('.')[2]}.py {' '.join(words)}", flush=True)
    code = module.main(words)
    if code:
        sys.exit(code)


def chain(work: Path, options: argparse.Namespace) -> None:
    """All steps, in a folder that is new or empty."""
    (work / "runs").mkdir(parents=True)
    os.chdir(work)
    os.environ["VOXINT_DATABASE_URL"] = "sqlite:///evidence.db"
    gold = ["--gold-rttm-dir", str(options.gold_rttm_dir)]
    corpus = [*gold, "--open-set", str(options.open_set)]
    if options.meetings_xml:
        corpus += ["--meetings-xml", str(options.meetings_xml)]
    if options.session_suffixes:
        corpus += ["--session-suffixes", options.session_suffixes]
    step(["attribution", "generate-protocol", *corpus, "--out", "protocol.json"])

    rows = json.loads(Path("protocol.json").read_bytes())["rows"]
    recordings = rttm.folder(str(options.gold_rttm_dir))
    runs = {}
    for meeting_id in sorted({row["meeting_id"] for row in rows}):
        run = pipeline_run(options.seed, meeting_id, recordings[meeting_id])
        runs[meeting_id] = run["run_id"]
        Path(f"runs/{meeting_id}.json").write_text(json.dumps(run), encoding="utf-8")
    Path("runs.json").write_text(json.dumps({"schema_version": 1, "runs": runs}), encoding="utf-8")

    step(["store", "init", "--out", "status.json"])
    step(["store", "ingest", *(f"runs/{meeting_id}.json" for meeting_id in runs), "--out", "ingested.json"])
    inputs = ["--protocol", "protocol.json", "--runs", "runs.json"]
    roster = [*inputs, *gold, "--out-dir", "roster", "--exported-at", WHEN, "--allow-dirty"]
    program(build_attribution_roster, [*roster, "--dry-run"])
    program(build_attribution_roster, roster)
    program(rematch_runs, inputs)
    named = ["--enrolled-speaker-map", "roster/enrolled_speaker_map.json"]
    program(build_align_input, [*inputs, *gold, *named, "--out-dir", "aligned"])
    step(["attribution", "align", "--manifest", "aligned/align-input.json", "--out", "trials.json"])
    step(["attribution", "score", "--trials", "trials.json", "--format", "table"])
    step(["calibrate", "plan", "--protocol", "protocol.json", "--format", "table"], 1)
    if step(["calibrate", "select", "--trials", "trials.json", "--out", "selection.json"], 1):
        print("No gates can be chosen on so few speakers: NO_DECISION, and nothing to certify.")
        return
    step(["calibrate", "certify", "--trials", "trials.json", "--candidate", "selection.json", "--format", "table"], 1)


def main() -> None:
    """Reads the arguments and runs the chain."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    small = HERE / "attribution"
    parser.add_argument("--gold-rttm-dir", type=Path, help="gold RTTMs of a corpus; the small one without it")
    parser.add_argument("--meetings-xml", type=Path, help="who takes part in its meetings; the RTTMs say it without")
    parser.add_argument("--session-suffixes", help="letters that tell the meetings of one session apart")
    parser.add_argument("--open-set", type=int, default=5, help="meetings without anybody enrolled")
    parser.add_argument("--seed", default="voxint", help="names every made-up number")
    parser.add_argument("--work", type=Path, help="new folder for all files; a temporary one without it")
    options = parser.parse_args()
    if options.gold_rttm_dir is None:
        options.gold_rttm_dir, options.meetings_xml = small / "gold", small / "meetings.xml"
    options.gold_rttm_dir = options.gold_rttm_dir.resolve()
    with tempfile.TemporaryDirectory() as folder:
        chain((options.work or Path(folder) / "work").resolve(), options)
        os.chdir(ROOT)


if __name__ == "__main__":
    main()
