"""The files of an align input: where they are looked for, and what is said of those that cannot be used."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from voxint.cli import main
from voxint.cli.align_files import align_files

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "attribution"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "corpus")
    monkeypatch.chdir(tmp_path)


def edited(change: Any, name: str = "corpus/in.json") -> str:
    document = json.loads(Path("corpus/align-input.json").read_text(encoding="utf-8"))
    change(document)
    Path(name).write_text(json.dumps(document), encoding="utf-8")
    return name


def align(capfd: pytest.CaptureFixture[str], source: str, *more: str) -> tuple[int, str, list[str]]:
    code = main(["attribution", "align", "--manifest", source, *more])
    printed = capfd.readouterr()
    return code, printed.out, printed.err.splitlines()


def gold(path: str) -> Any:
    return lambda document: document["meetings"]["TA1002a"].update(gold_rttm=path)


def test_relative_paths_start_in_the_documents_folder(capfd: pytest.CaptureFixture[str]) -> None:
    from_here = align(capfd, "corpus/align-input.json")
    os.chdir("corpus")
    assert from_here[0] == 0
    assert align(capfd, "align-input.json") == from_here


def test_paths_may_lead_out_and_be_absolute(capfd: pytest.CaptureFixture[str]) -> None:
    expected = align(capfd, "corpus/align-input.json")
    shutil.move("corpus/gold/TA1002a.rttm", "moved.rttm")
    assert align(capfd, edited(gold("../moved.rttm"))) == expected
    assert align(capfd, edited(gold(str(Path("moved.rttm").resolve())))) == expected


def test_a_document_on_stdin_starts_where_the_command_runs(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = align(capfd, "corpus/align-input.json")
    os.chdir("corpus")
    text = Path("align-input.json").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert align(capfd, "-") == expected
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.replace(b"gold/TA1002a", b"nowhere/x"))))
    code, _, said = align(capfd, "-")
    assert code == 2
    assert said == ["<stdin>: $.meetings.TA1002a.gold_rttm: nowhere/x.rttm: cannot be read: No such file or directory"]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("nowhere.rttm", "corpus/nowhere.rttm: cannot be read: No such file or directory"),
        ("gold", "corpus/gold: is no regular file"),
        ("/dev/zero", "/dev/zero: is no regular file"),
        ("fifo", "corpus/fifo: is no regular file"),
        ("-", "must be the name of a file"),
        ("a\0b", "must be the name of a file"),
        ("a\nb", "must be the name of a file"),
        ("x" * 300, "File name too long"),
    ],
)
def test_a_path_that_leads_to_no_file_is_named_where_it_stands(
    path: str, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo("corpus/fifo")
    source = edited(gold(path))
    column = Path(source).read_text(encoding="utf-8").index(json.dumps(path)) + 1
    code, out, (line,) = align(capfd, source, "--out", "t.json")
    assert (code, out) == (2, "")
    assert line.startswith(f"corpus/in.json:1:{column}: $.meetings.TA1002a.gold_rttm: ")
    assert said in line
    assert not Path("t.json").exists()


def test_all_missing_files_are_named_at_once(capfd: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree("corpus/hyp")
    Path("corpus/protocol.json").unlink()
    code, _, said = align(capfd, "corpus/align-input.json")
    assert code == 2
    assert [line.split(": ")[1] for line in said] == [
        "$.protocol_path",
        *(f"$.meetings.{each}.hypothesis_rttm" for each in ("TA1002a", "TA1003a", "TA1004a", "TA1005a")),
    ]


def test_the_faults_of_all_files_come_at_once(capfd: pytest.CaptureFixture[str]) -> None:
    protocol = Path("corpus/protocol.json").read_text(encoding="utf-8").replace('"dev"', '"enrollment"')
    Path("corpus/protocol.json").write_text(protocol, encoding="utf-8")
    Path("corpus/gold/TA1003a.rttm").write_text("SPEAKER\nnonsense\n", encoding="utf-8")
    Path("corpus/hyp/TA1002a.rttm").write_text(";;\n", encoding="utf-8")
    code, _, said = align(capfd, "corpus/align-input.json")
    assert code == 2
    assert [line.rpartition("/")[2].split(": ")[0].rsplit(":", 1)[0] for line in said] == [
        "protocol.json:1",
        "protocol.json:1",
        "protocol.json:1",
        "protocol.json:1",
        "TA1003a.rttm:1",
        "TA1003a.rttm:2",
        "TA1002a.rttm",
    ]


def test_one_file_may_hold_many_meetings() -> None:
    together = "".join(path.read_text(encoding="utf-8") for path in sorted(Path("corpus/hyp").iterdir()))
    Path("corpus/all.rttm").write_text(together, encoding="utf-8")

    def change(document: Any) -> None:
        for meeting in document["meetings"].values():
            meeting["hypothesis_rttm"] = "all.rttm"

    found, names = align_files("manifest", edited(change))
    expected, _ = align_files("manifest", "corpus/align-input.json")
    assert {name: dict(each.spans) for name, each in found.hypotheses.items()} == {
        name: dict(each.spans) for name, each in expected.hypotheses.items()
    }
    assert names.count("corpus/all.rttm") == 4


def test_a_file_of_other_meetings_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    lines = "SPEAKER x 1 0 9 <NA> <NA> A <NA>\nSPEAKER y 1 0 9 <NA> <NA> A <NA>\n"
    Path("corpus/gold/TA1002a.rttm").write_text(lines, encoding="utf-8")
    code, _, said = align(capfd, "corpus/align-input.json")
    assert code == 2
    assert said == ['corpus/gold/TA1002a.rttm: holds 2 recordings, and none is "TA1002a": "x", "y"']
