"""A corpus and the store: who is enrolled from what, and the input of the aligner, by way of the programs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from runs import run_model

from voxint.corpus import Timeline
from voxint.errors import InputError
from voxint.harness_export.corpora import hypothesis, rttm_lines
from voxint.io import rttm
from voxint.speakers.matching import RunTurns, Turn
from voxint.store.ingest import ingest_runs
from voxint.store.sessions import Store

ROOT = Path(__file__).resolve().parents[2]
PEOPLE = {"M1a": {"ANA": 0.0, "BEN": 90.0}, "M2a": {"ANA": 8.0, "CLEO": 45.0}, "M3a": {"DORA": 40.0, "EVA": 50.0}}
WHEN = "2026-03-01T09:30:00Z"


@pytest.fixture
def corpus(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """M1a enrols Ana, whom M2a tests on another day; nobody of M3a is enrolled. The gold is what the runs heard."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold").mkdir()
    runs = {}
    for meeting_id, people in PEOPLE.items():
        run = run_model(f"run-{meeting_id}", {f"S{place}": degrees for place, degrees in enumerate(people.values())})
        list(ingest_runs(store, [run]))
        names = dict(zip((f"S{place}" for place in range(len(people))), people, strict=True))
        lines = [
            f"SPEAKER {meeting_id} 1 {turn.start} {turn.end - turn.start} <NA> <NA> {names[turn.label]} <NA> <NA>\n"
            for turn in run.turns
        ]
        (tmp_path / "gold" / f"{meeting_id}.rttm").write_text("".join(lines))
        runs[meeting_id] = run.run_id
    (tmp_path / "runs.json").write_text(json.dumps({"schema_version": 1, "runs": runs}))
    words = ["attribution", "generate-protocol", "--gold-rttm-dir", "gold", "--open-set", "1", "--out", "protocol.json"]
    assert program(["-m", "voxint", *words]).returncode == 0
    return tmp_path


def program(words: list[str]) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'generated'}"}
    return subprocess.run([sys.executable, *words], env=env, capture_output=True, text=True)


def tool(name: str, *words: str) -> subprocess.CompletedProcess[str]:
    return program([str(ROOT / "tools" / f"{name}.py"), "--protocol", "protocol.json", "--runs", "runs.json", *words])


def roster(*words: str) -> subprocess.CompletedProcess[str]:
    more = ["--gold-rttm-dir", "gold", "--out-dir", "roster", "--exported-at", WHEN, "--allow-dirty"]
    return tool("build_attribution_roster", *more, *words)


def test_a_dry_run_says_who_would_be_enrolled_and_keeps_nothing(corpus: Path) -> None:
    dry = roster("--dry-run")
    assert (dry.returncode, dry.stderr, (corpus / "roster").exists()) == (0, "", False)
    assert dry.stdout.startswith("ANA spk_")
    assert dry.stdout.endswith(": S0 of run run-M1a, purity 0.8750, 16.000 s\n")
    assert roster().stdout == dry.stdout


def test_a_roster_is_enrolled_once(corpus: Path) -> None:
    assert roster().returncode == 0
    named = json.loads((corpus / "roster/enrolled_speaker_map.json").read_bytes())
    told = json.loads((corpus / "roster/roster_fingerprint.json").read_bytes())
    assert [(entry["global_name"], entry["speaker_id"]) for entry in told["entries"]] == list(named.items())
    assert list(named) == ["ANA"]
    again = roster()
    assert (again.returncode, again.stdout) == (2, "")
    assert again.stderr == "the store has 1 speakers already: use an empty one, or --allow-existing\n"
    before = {path.name: path.read_bytes() for path in (corpus / "roster").iterdir()}
    assert roster("--allow-existing").returncode == 0
    assert {path.name: path.read_bytes() for path in (corpus / "roster").iterdir()} == before


def test_a_foreign_speaker_is_refused(corpus: Path) -> None:
    words = ["store", "enroll", "run-M3a", "S0", "Dora", "--operator", "ann", "--idempotency-key", "mine"]
    assert program(["-m", "voxint", *words]).returncode == 0
    refused = roster("--allow-existing")
    assert (refused.returncode, refused.stderr) == (
        2,
        'the store has speakers that are not of this roster: "Dora"\n',
    )
    assert not (corpus / "roster").exists()


def test_the_test_meetings_are_rematched_all_or_none(corpus: Path) -> None:
    roster()
    dry = tool("rematch_runs", "--dry-run")
    assert dry.returncode == 0
    assert tool("build_align_input", *ALIGNED).stderr.startswith("meetings whose runs are not matched yet: ")
    real = tool("rematch_runs")
    assert real.stdout == dry.stdout
    assert real.stdout.splitlines() == [
        "M2a run-M2a: 2 labels, 2 accepted (2 grounded), 0 rejected, 0 ineligible",
        "M3a run-M3a: 2 labels, 2 accepted (1 grounded), 0 rejected, 0 ineligible",
    ]
    assert tool("rematch_runs", "--roles", "enrollment").returncode == 2


ALIGNED = ["--gold-rttm-dir", "gold", "--enrolled-speaker-map", "roster/enrolled_speaker_map.json", "--out-dir", "al"]


def test_the_align_input_is_one(corpus: Path) -> None:
    roster()
    tool("rematch_runs")
    assert tool("build_align_input", *ALIGNED).stdout == "al/align-input.json\n"
    first = {path.name: path.read_bytes() for path in (corpus / "al").rglob("*") if path.is_file()}
    tool("build_align_input", *ALIGNED)
    assert {path.name: path.read_bytes() for path in (corpus / "al").rglob("*") if path.is_file()} == first
    done = program(["-m", "voxint", "attribution", "align", "--manifest", "al/align-input.json"])
    assert (done.returncode, done.stderr) == (0, "")
    kinds = {(trial["meeting_id"], trial["label"]): trial["kind"] for trial in json.loads(done.stdout)["trials"]}
    assert kinds == {
        ("M2a", "S0"): "genuine",
        ("M2a", "S1"): "impostor",
        ("M3a", "S0"): "impostor",
        ("M3a", "S1"): "impostor",
    }


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"M1a": "run-9", "M2a": "run-M2a", "M3a": "run-M3a"}, 'there is no run "run-9"'),
        ({"M2a": "run-M2a", "M3a": "run-M3a"}, 'meetings without a run: "M1a"'),
        ({"M1a": "run-M1a", "M9": "run-M2a"}, 'runs of meetings that are not in the protocol: "M9"'),
        ({"M1a": "run-M1a", "M2a": "run-M1a"}, '"run-M1a" is the run of "M1a" too'),
    ],
)
def test_what_does_not_fit_is_one_line(corpus: Path, change: dict[str, str], said: str) -> None:
    (corpus / "runs.json").write_text(json.dumps({"schema_version": 1, "runs": change}))
    refused = roster()
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert said in refused.stderr
    assert not (corpus / "roster").exists()


def run_of(*turns: tuple[float, float, str]) -> RunTurns:
    return RunTurns("r", tuple(Turn(place, *turn) for place, turn in enumerate(turns)))


def test_a_hypothesis_survives_its_rttm(tmp_path: Path) -> None:
    run = run_of((0.1, 0.3, "B"), (0.3, 1000000.0000001, "A"), (1e-7, 0.1, "A"))
    path = tmp_path / "m.rttm"
    path.write_bytes(b"".join(rttm_lines("m", run)))
    assert exact_spans(rttm.recordings(str(path))["m"]) == exact_spans(hypothesis(run))


def exact_spans(timeline: Timeline) -> dict[str, list[tuple[Fraction, ...]]]:
    return {
        label: sorted(tuple(Fraction(each, timeline.unit) for each in span) for span in spans)
        for label, spans in sorted(timeline.spans.items())
    }


@pytest.mark.parametrize("label", ["Dana Fox", "<NA>", "a\tb", " a"])
def test_a_label_that_is_not_one_word_cannot_stand_in_an_rttm(label: str) -> None:
    with pytest.raises(InputError, match="cannot stand in an RTTM"):
        list(rttm_lines("m", run_of((0.0, 1.0, label))))
