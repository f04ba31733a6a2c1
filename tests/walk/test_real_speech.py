"""The loop on real voices: what it exports is what the example holds, and what it must show is seen."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "examples" / "real-speech"


@pytest.fixture(scope="module")
def loop(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    work = tmp_path_factory.mktemp("real") / "work"
    command = [sys.executable, str(ROOT / "examples" / "real_speech.py"), "--work", str(work)]
    return work, subprocess.run(command, check=True, capture_output=True, text=True).stdout


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("model", ["ge2e", "campplus"])
def test_the_example_holds_what_the_loop_exports(loop: tuple[Path, str], model: str) -> None:
    work, _ = loop
    exported = (work / f"evidence-{model}/name_accuracy_items.jsonl").read_bytes()
    assert exported == (DATA / f"items-{model}.jsonl").read_bytes()
    assert (work / f"verdicts-{model}.jsonl").read_bytes() == (DATA / f"verdicts-{model}.jsonl").read_bytes()


@pytest.mark.parametrize("model", ["ge2e", "campplus"])
def test_a_ruling_never_changes_what_would_have_been_shown(loop: tuple[Path, str], model: str) -> None:
    before, after = (lines(loop[0] / f"{when}-{model}/name_accuracy_items.jsonl") for when in ("before", "evidence"))
    for one, other in zip(before, after, strict=True):
        slots, ruled = one["slots"], other["slots"]
        assert isinstance(slots, dict)
        assert isinstance(ruled, dict)
        for label, slot in slots.items():
            kept = {name: value for name, value in ruled[label].items() if name not in ("truth", "truth_id")}
            assert kept == {name: value for name, value in slot.items() if name not in ("truth", "truth_id")}
    assert sum("truth" in slot for one in before for slot in one["slots"].values()) == 4  # type: ignore[attr-defined]
    assert sum("truth" in slot for one in after for slot in one["slots"].values()) == 14  # type: ignore[attr-defined]
    assert loop[1].count("the rulings changed 0 of 14 names shown") == 2


@pytest.mark.parametrize("model", ["ge2e", "campplus"])
def test_a_source_of_a_voiceprint_abstains(loop: tuple[Path, str], model: str) -> None:
    verdicts = {each["item_id"]: each for each in lines(loop[0] / f"verdicts-{model}.jsonl")}
    sources = json.loads((loop[0] / f"evidence-{model}/enrollment.json").read_bytes())["voiceprints"]
    assert {item for voiceprint in sources.values() for item in voiceprint["source_item_ids"]} == {"ep-01", "ep-03"}
    for item_id in ("ep-01", "ep-03"):
        assert (verdicts[item_id]["verdict"], verdicts[item_id]["reason"]) == ("ABSTAIN", "session_leakage_risk")
    assert [item for item, each in verdicts.items() if each["verdict"] == "CONFIDENT_HOST_PRESENT"] == [
        "ep-02",
        "ep-04",
        "ep-05",
        "ep-06",
    ]
