"""Calibration on the command line: exit codes, lines of faults, the report and its page, and the two programs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from test_harness_calibration_plan import corpus
from test_harness_calibration_published import AMI
from trial_support import GENUINE, IMPOSTOR, WEAK, document, many, trial
from voxint_contracts.base import Contract

from voxint.cli import main
from voxint.io import canonical

ROOT = Path(__file__).resolve().parents[2]
GOOD = document(many(IMPOSTOR, "d", 52, 52, **WEAK) + many(IMPOSTOR, "c", 52, 52, split="confirm", **WEAK))


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, model in {"ami": AMI, "good": GOOD, "plan": corpus(52, 49)}.items():
        put(name, model)


def put(name: str, model: Contract) -> str:
    Path(f"{name}.json").write_bytes(canonical.encode(model))
    return f"{name}.json"


def run(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    printed = capfd.readouterr()
    return code, printed.out, printed.err


def test_gates_are_selected_and_certified(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(capfd, "calibrate", "select", "--trials", "good.json", "--out", "s.json") == (0, "", "")
    words = ("calibrate", "certify", "--trials", "good.json", "--candidate", "s.json")
    code, out, err = run(capfd, *words)
    assert (code, err, json.loads(out)["outcome"]) == (0, "", "CERTIFIED")


def test_no_decision_is_a_gate_that_says_no(capfd: pytest.CaptureFixture[str]) -> None:
    """The document is written all the same; exit code 1 is the answer to whoever only looks at that."""
    assert run(capfd, "calibrate", "select", "--trials", "ami.json", "--out", "s.json")[0] == 0
    words = ("calibrate", "certify", "--trials", "ami.json", "--candidate", "s.json", "--out", "c.json")
    assert run(capfd, *words) == (1, "", "")
    assert json.loads(Path("c.json").read_text())["reasons"] == ["insufficient_impostor_clusters", "far_bound_exceeded"]
    put("few", document(many(IMPOSTOR, "d", 3, 3, **WEAK)))
    assert run(capfd, "calibrate", "select", "--trials", "few.json", "--out", "n.json") == (1, "", "")
    code, out, err = run(capfd, "calibrate", "certify", "--trials", "ami.json", "--candidate", "n.json")
    assert (code, out) == (2, "")
    assert err.endswith("$.outcome: the selection is NO_DECISION: it chose no gates, so there is nothing to certify\n")


def test_a_plan_that_cannot_work_is_a_no_before_any_score(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capfd, "calibrate", "plan", "--protocol", "plan.json", "--format", "table")
    assert code == 1
    assert out.startswith("Calibration plan: confirm cannot reach the bound\n")
    assert run(capfd, "calibrate", "plan", "--protocol", "plan.json", "--max-far", "0.2")[0] == 1
    assert run(capfd, "calibrate", "plan", "--protocol", put("p", corpus(52, 52)))[0] == 0
    code, _, err = run(capfd, "calibrate", "plan", "--protocol", "plan.json", "--confidence", "1")
    assert (code, err) == (2, "--confidence: must be at most 0.9999, not 1\n")


def test_leaks_and_old_packs_are_named_by_line(capfd: pytest.CaptureFixture[str]) -> None:
    put("leak", document([*GOOD.trials, trial(IMPOSTOR, "d0", 5, split="confirm")]))
    code, out, err = run(capfd, "calibrate", "select", "--trials", "leak.json", "--out", "s.json")
    assert (code, out) == (2, "")
    assert err.startswith("leak.json:1:")
    assert '$.trials[104].cluster_id: leak: speaker "d0" is scored in both halves' in err
    bare = [each.model_copy(update={"meeting_split": None, "meeting_role": None}) for each in GOOD.trials]
    put("bare", document(bare))
    code, _, err = run(capfd, "calibrate", "select", "--trials", "bare.json", "--out", "s.json")
    assert (code, err.count("\n"), "104 of 104 trials have no meeting_split" in err) == (2, 1, True)
    assert not Path("s.json").exists()
    assert run(capfd, "calibrate", "sweep", "--trials", "bare.json", "--out", "w.json")[0] == 0


def test_two_sets_of_gates_are_compared(capfd: pytest.CaptureFixture[str]) -> None:
    put("t", document([trial(GENUINE, "ann", similarity=0.75)]))
    gates = json.loads(run(capfd, "attribution", "score", "--trials", "t.json")[1])["gates"]
    Path("g.json").write_text(json.dumps({**gates, "grounded_min_cosine": 0.8}), encoding="utf-8")
    code, out, _ = run(capfd, "calibrate", "compare", "--trials", "t.json", "--after", "g.json")
    assert (code, [each["after"] for each in json.loads(out)["changes"]]) == (0, ["review"])
    metrics = json.loads(run(capfd, "attribution", "score", "--trials", "t.json", "--gates", "g.json")[1])
    assert (metrics["n_auto_correct"], metrics["n_review"]) == (0, 1)


def report(*words: str) -> list[str]:
    return ["attribution", "report", "--run", "m.json", "m.json", "--date", "2026-09-05", *words]


@pytest.fixture
def metrics(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(capfd, "attribution", "score", "--trials", "ami.json", "--out", "m.json")[0] == 0


@pytest.mark.usefixtures("metrics")
def test_a_report_is_markdown_unless_asked_otherwise(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd, *report())
    assert (code, err) == (0, "")
    assert out.startswith("## Attribution report, 2026-09-05: 2 runs\n")
    assert "**Noise floor: spread between the runs**" in out
    assert run(capfd, *report("--out", "r.md")) == (0, "", "")
    assert Path("r.md").read_text(encoding="utf-8") == out
    assert json.loads(run(capfd, *report("--format", "json"))[1])["kind"] == "attribution_report"
    code, _, err = run(capfd, *report("--trials", "ami.json"))
    assert (code, err) == (2, "--trials: give one file for each of the 2 runs, in their order, not 1\n")
    code, _, err = run(capfd, *report("--trials", "ami.json", "good.json"))
    assert err.startswith("good.json: does not give the metrics of run B: n_trials")


@pytest.mark.usefixtures("metrics")
def test_a_page_is_the_same_bytes_in_another_process(capfd: pytest.CaptureFixture[str]) -> None:
    words = report("--trials", "ami.json", "ami.json", "--format", "html")
    assert run(capfd, *words, "--out", "r.html") == (0, "", "")
    path = {"PYTHONPATH": f"{ROOT}:{ROOT / 'generated'}", "PYTHONHASHSEED": "77", "TZ": "Asia/Kathmandu", "HOME": "."}
    done = subprocess.run([sys.executable, "-m", "voxint", *words], capture_output=True, env=path)
    assert (done.returncode, done.stdout) == (0, Path("r.html").read_bytes())
    assert done.stdout.startswith(b"<!DOCTYPE html>")


@pytest.mark.usefixtures("metrics")
def test_without_matplotlib_a_page_is_one_line_and_exit_2(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("voxint.edges.plots.find_spec", lambda _: None)
    code, out, err = run(capfd, *report("--format", "html", "--out", "r.html"))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "the extra `report`" in err
    assert not Path("r.html").exists()
    assert run(capfd, *report())[0] == 0


@pytest.mark.parametrize("start", [["tools/calibrate_policy.py"], ["-m", "tools.calibrate_policy"]])
def test_the_program_is_the_commands(start: list[str], tmp_path: Path) -> None:
    words = ["select", "--trials", str(tmp_path / "ami.json"), "--out", str(tmp_path / "tool.json")]
    done = subprocess.run([sys.executable, *start, *words], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert main(["calibrate", "select", "--trials", "ami.json", "--out", "ours.json"]) == 0
    assert Path("tool.json").read_bytes() == Path("ours.json").read_bytes()
    done = subprocess.run([sys.executable, *start, "selec"], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("usage: calibrate_policy.py plan|sweep|compare|select|certify")


def test_the_other_program_scores_and_reports(tmp_path: Path) -> None:
    words = ["score", "--trials", str(tmp_path / "ami.json")]
    done = subprocess.run([sys.executable, "tools/eval_attribution.py", *words], cwd=ROOT, capture_output=True)
    assert (done.returncode, json.loads(done.stdout)["n_scoreable"]) == (0, 311)
    (tmp_path / "m.json").write_bytes(done.stdout)
    words = ["report", "--run", str(tmp_path / "m.json"), "--date", "2026-09-05"]
    done = subprocess.run([sys.executable, "tools/eval_attribution.py", *words], cwd=ROOT, capture_output=True)
    assert done.stdout.startswith(b"## Attribution report, 2026-09-05: one run\n")
