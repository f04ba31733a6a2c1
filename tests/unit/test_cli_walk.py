"""The walk: faults by file and line, exit codes, where the report goes, and what is left alone."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from voxint.cli import main

ROOT = Path(__file__).resolve().parents[2]
TOY = ROOT / "examples" / "agreement-verdicts"
NAMED = {"s": {"assigned_name": "Dana Fox", "truth": "Dana Fox"}}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def lines(path: str, *records: Any) -> str:
    text = "".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in records)
    Path(path).write_text(text, encoding="utf-8")
    return path


def item(item_id: str, truth: str | None = "Dana Fox") -> dict[str, Any]:
    return {"item_id": item_id, "slots": {"s": {"assigned_name": "Dana Fox", "truth": truth}}}


def run(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["score", "name-accuracy", *words])
    printed = capfd.readouterr()
    return code, printed.out, printed.err


def test_a_pipe_gets_the_report_alone(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd, lines("a.jsonl", item("x")))
    assert (code, err) == (0, "")
    assert json.loads(out)["aggregate"]["tp"] == 1
    assert out.count("\n") == 1


def test_out_takes_the_report_and_stdout_stays_empty(capfd: pytest.CaptureFixture[str]) -> None:
    _, piped, _ = run(capfd, lines("a.jsonl", item("x")))
    assert run(capfd, "a.jsonl", "--out", "r.json") == (0, "", "")
    assert Path("r.json").read_text(encoding="utf-8") == piped
    assert run(capfd, "a.jsonl", "--out", "r.md", "--format", "md") == (0, "", "")
    assert Path("r.md").read_text(encoding="utf-8").startswith("## Name accuracy")


class _Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def on_terminal(monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", _Terminal(raw, encoding="ascii"))
    assert main(["score", "name-accuracy", *words]) == 0
    return raw.getvalue().decode()


def test_a_terminal_gets_the_summary_and_is_told_where_the_json_went(monkeypatch: pytest.MonkeyPatch) -> None:
    lines("a.jsonl", item("x"))
    shown = on_terminal(monkeypatch, "a.jsonl")
    assert "95 % interval" in shown
    assert "--out FILE writes the whole report; --format json prints it" in shown
    shown = on_terminal(monkeypatch, "a.jsonl", "--out", "r.json")
    assert shown.endswith("r.json written\n")
    assert json.loads(Path("r.json").read_text(encoding="utf-8"))["n_items"] == 1
    assert json.loads(on_terminal(monkeypatch, "a.jsonl", "--format", "json"))["n_items"] == 1


def test_faults_name_file_line_column_and_path(capfd: pytest.CaptureFixture[str]) -> None:
    lines("bad.jsonl", item("x"), '{"item_id": "y", "slots": {"s p": {"assigned_name": "A", "duration": "6"}}}')
    code, out, err = run(capfd, "bad.jsonl")
    assert (code, out) == (2, "")
    assert '{"item_id": "y", "slots": {"s p": {"assigned_name": "A", "duration": "6"}}}'.index('"6"') == 69
    assert err == 'bad.jsonl:2:70: $.slots["s p"].duration: must be a number, not "6"\n'


def test_a_repeated_item_is_named_by_both_lines(capfd: pytest.CaptureFixture[str]) -> None:
    lines("a.jsonl", item("x"), "", item("y"), item("x"))
    code, out, err = run(capfd, "a.jsonl", "--out", "r.json")
    assert (code, out) == (2, "")
    assert err == 'a.jsonl:4:13: $.item_id: duplicate item_id "x" (see line 1)\n'
    assert sorted(os.listdir()) == ["a.jsonl"]


def test_a_baseline_with_another_truth_is_named_by_both_files(capfd: pytest.CaptureFixture[str]) -> None:
    lines("a.jsonl", item("x"), item("y"))
    lines("b.jsonl", item("y"), item("x", "Mei Lindqvist"))
    code, _, err = run(capfd, "a.jsonl", "--baseline", "b.jsonl")
    assert code == 2
    assert err.startswith("a.jsonl:1:")
    assert err.endswith("paired statistics need one truth (see b.jsonl:2)\n")


def test_items_that_the_baseline_lacks_name_the_file(capfd: pytest.CaptureFixture[str]) -> None:
    lines("a.jsonl", item("x"), item("y"))
    lines("b.jsonl", item("y"))
    assert run(capfd, "a.jsonl", "--baseline", "b.jsonl")[2] == 'b.jsonl: lacks 1 item_id of items: "x"\n'


def test_a_truth_that_cannot_be_one_is_refused_while_reading(capfd: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capfd, lines("a.jsonl", item("x", "__abstain__"), item("y", " ")))
    assert code == 2
    assert [line.split(": ")[:2] for line in err.splitlines()] == [
        ["a.jsonl:1:72", "$.slots.s.truth"],
        ["a.jsonl:2:72", "$.slots.s.truth"],
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere.jsonl"], "nowhere.jsonl: cannot be read"),
        (["."], ".: cannot be read"),
        (["x" * 300], "x" * 300 + ": cannot be read: File name too long"),
        (["a.jsonl", "--baseline", "nowhere.jsonl"], "nowhere.jsonl: cannot be read"),
        (["a.jsonl", "--out", "a.jsonl"], "a.jsonl is an input of this command"),
        (["a.jsonl", "--out", "no/where.json"], "no/where.json"),
        (["a.jsonl", "--out", "."], "."),
        (["-", "--baseline", "-"], "stdin (-) can be read once only"),
    ],
)
def test_places_that_cannot_work_are_refused_before_any_work(
    words: list[str], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    lines("a.jsonl", "not json at all")
    code, out, err = run(capfd, *words)
    assert (code, out) == (2, "")
    assert err.startswith(said)
    assert err.count("\n") == 1
    assert Path("a.jsonl").read_text(encoding="utf-8") == "not json at all\n"


def test_both_files_faults_are_reported_at_once(capfd: pytest.CaptureFixture[str]) -> None:
    lines("a.jsonl", item("x"), "{}")
    lines("b.jsonl", "nonsense", item("x"))
    code, _, err = run(capfd, "a.jsonl", "--baseline", "b.jsonl")
    assert code == 2
    assert [line.split(":")[:2] for line in err.splitlines()] == [["a.jsonl", "2"], ["a.jsonl", "2"], ["b.jsonl", "1"]]


def test_an_error_of_ours_is_not_blamed_on_the_input(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ValueError("not the user's fault")

    monkeypatch.setattr("voxint.harness.name_accuracy.outcome", broken)
    assert run(capfd, lines("a.jsonl", item("x")))[0] == 70


def test_a_bug_shows_its_traceback_and_exits_70(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("voxint.cli.walk.deliver", lambda *_: 1 / 0)
    code, _, err = run(capfd, lines("a.jsonl", item("x")))
    assert code == 70
    assert "ZeroDivisionError" in err


def test_an_interruption_leaves_the_old_report(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    Path("r.json").write_text("old", encoding="utf-8")
    monkeypatch.setattr("voxint.io.canonical.stream", stop)
    code, _, err = run(capfd, lines("a.jsonl", item("x")), "--out", "r.json")
    assert (code, err) == (130, "interrupted: nothing was written\n")
    assert Path("r.json").read_text(encoding="utf-8") == "old"
    assert sorted(os.listdir()) == ["a.jsonl", "r.json"]


@pytest.mark.parametrize("words", ["score name-accuracy a.jsonl", "--help", "score --help", "score name-accuracy -h"])
@pytest.mark.parametrize(("closing", "code"), [(">&-", 2), ("2>&-", 0), ("<&-", 0), (">/dev/full", 2)])
def test_closed_streams_are_no_bugs(words: str, closing: str, code: int) -> None:
    lines("a.jsonl", item("x"))
    command = f'"{sys.executable}" -m voxint {words} {closing}'
    root = Path(__file__).resolve().parents[2]
    env = {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'generated'}"}
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, env=env)
    assert done.returncode == code
    assert done.stderr.count("\n") == (1 if code else 0)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("flag", ["--out", "--queue"])
def test_a_dash_is_no_file_to_write(flag: str, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["score", "goldset", "--rows", "r.jsonl", "--plan", "p.json", flag, "-"]
    assert main(words) == 2
    assert capfd.readouterr().err.startswith(f"voxint score goldset: {flag} needs the name of a file, not -: ")
    assert list(Path().iterdir()) == []


def test_a_count_out_of_range_is_refused_before_any_work(capfd: pytest.CaptureFixture[str]) -> None:
    words = ["score", "gates", "--candidate", "no.json", "--baseline", "no.json", "--contamination", "2147483648"]
    assert main(words) == 2
    assert capfd.readouterr().err == "--contamination: must be at most 2147483647, not 2147483648\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_second_output_is_not_replaced_when_the_first_fails(capfd: pytest.CaptureFixture[str]) -> None:
    lines(
        "r.jsonl",
        {"id": "a", "channel": None, "source_type": "x", "host_groundable": False, "is_no_host_control": True},
    )
    plan = {"schema_version": 1, "total_target": 1, "strata": [{"label": "s", "target": 1, "item_ids": ["a"]}]}
    Path("p.json").write_text(json.dumps(plan))
    Path("q.jsonl").write_text("old")
    words = ["score", "goldset", "--rows", "r.jsonl", "--plan", "p.json"]
    assert main([*words, "--queue", "q.jsonl", "--out", "/dev/full"]) == 2
    assert "No space left" in capfd.readouterr().err
    assert (Path("q.jsonl").read_text(), len(list(Path().iterdir()))) == ("old", 3)
    assert main([*words, "--queue", "q.jsonl", "--out", "g.jsonl"]) == 0
    assert Path("q.jsonl").read_text() != "old"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_stopped_process_takes_its_temporary_file_with_it(number: signal.Signals) -> None:
    Path("a.jsonl").write_text(json.dumps(item("x")) + "\n")
    Path("o.json").write_text("old")
    os.mkfifo("more")
    env = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'generated'}"}
    words = [sys.executable, "-m", "voxint", "score", "agreement", "--slots", "more", "--out", "o.json"]
    words += ["--enrollment", str(TOY / "enrollment.json"), "--thresholds", str(TOY / "thresholds.json")]

    def heed() -> None:
        # A runner that ignores hangups hands that on to its children.
        signal.signal(number, signal.SIG_DFL)

    with (
        subprocess.Popen(words, env=env, stderr=subprocess.PIPE, preexec_fn=heed) as child,  # noqa: PLW1509 - one thread
        Path("more").open("w") as feed,
    ):
        feed.write((TOY / "slots.jsonl").read_text().splitlines()[0] + "\n")
        feed.flush()
        until(lambda: len(list(Path().iterdir())) > 3)
        child.send_signal(number)
        child.wait(timeout=30)
    assert child.returncode == 128 + number
    assert (Path("o.json").read_text(), len(list(Path().iterdir()))) == ("old", 3)


def until(holds: Callable[[], bool]) -> None:
    for _ in range(3000):
        if holds():
            return
        time.sleep(0.01)
    pytest.fail("nothing happened for 30 s")
