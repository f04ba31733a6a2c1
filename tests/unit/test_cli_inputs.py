"""Folders, XML and documents as arguments: opened, refused, and never written over."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from voxint.cli import main
from voxint.cli.inputs import check_readable, open_input
from voxint.cli.progress import Progress
from voxint.cli.spec import MEETINGS, NUMBER, RTTMS, Parameter
from voxint.errors import InputError

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "attribution"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(EXAMPLE, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


def run(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["attribution", *words])
    printed = capfd.readouterr()
    return code, printed.out, printed.err


def test_a_folder_is_opened_with_the_names_of_its_files() -> None:
    opened = open_input(Parameter("gold_rttm_dir", RTTMS, ""), "gold", Progress())
    assert sorted(opened.value) == [path.stem for path in sorted(Path("gold").iterdir())]
    assert list(opened.files) == [str(path) for path in sorted(Path("gold").iterdir())]


def test_what_is_no_input_stays_as_it_is() -> None:
    assert open_input(Parameter("collar", NUMBER, ""), 0.25, Progress()).value == 0.25


@pytest.mark.parametrize(
    ("kind", "source"), [(RTTMS, "meetings.xml"), (RTTMS, "-"), (MEETINGS, "gold"), (MEETINGS, "x")]
)
def test_what_cannot_be_read_is_said_before_any_work(kind: str, source: str) -> None:
    with pytest.raises(InputError, match=f"^{source}: cannot be read"):
        check_readable(Parameter("p", kind, ""), source)
    check_readable(Parameter("p", MEETINGS, ""), "-")


@pytest.mark.parametrize(
    ("words", "out"),
    [
        (["align", "--manifest", "align-input.json"], "gold/TA1002a.rttm"),
        (["align", "--manifest", "align-input.json"], "protocol.json"),
        (["align", "--manifest", "align-input.json"], "align-input.json"),
        (["recurrence", "--gold-rttm-dir", "gold"], "gold/TA1005a.rttm"),
        (["recurrence", "--meetings-xml", "meetings.xml"], "meetings.xml"),
    ],
)
def test_a_file_that_is_read_is_not_written_over(words: list[str], out: str, capfd: pytest.CaptureFixture[str]) -> None:
    before = Path(out).read_bytes()
    code, printed, said = run(capfd, *words, "--out", out)
    assert (code, printed, said) == (2, "", f"{out} is an input of this command and cannot be its output\n")
    assert Path(out).read_bytes() == before


def test_a_fault_in_a_folder_or_in_xml_is_one_line_with_its_place(capfd: pytest.CaptureFixture[str]) -> None:
    Path("gold/TA1002a.rttm").write_text("\nSPEAKER m 1 0 -1 <NA> <NA> A <NA>\n", encoding="utf-8")
    code, out, said = run(capfd, "recurrence", "--gold-rttm-dir", "gold", "--out", "r.json")
    assert (code, out) == (2, "")
    assert said == 'gold/TA1002a.rttm:2:15: the duration must not be negative, not "-1"\n'
    Path("meetings.xml").write_text('<!DOCTYPE r [<!ENTITY x "y">]>\n<r/>', encoding="utf-8")
    code, out, said = run(capfd, "recurrence", "--meetings-xml", "meetings.xml", "--out", "r.json")
    assert (code, out) == (2, "")
    assert said.startswith("meetings.xml:1:25: declares or asks for an XML entity")
    assert not Path("r.json").exists()


def test_a_protocol_of_schema_1_is_told_the_way_out(capfd: pytest.CaptureFixture[str]) -> None:
    Path("old.json").write_text('{"rows": [],\n "schema_version": 1}', encoding="utf-8")
    code, out, said = run(capfd, "protocol", "--manifest", "old.json")
    assert (code, out) == (2, "")
    assert said == (
        "old.json:2:20: $.schema_version: must be 2, the version this reader implements, not 1; schema 1 has no"
        " roles and splits: regenerate the manifest with voxint attribution generate-protocol\n"
    )


def test_a_leak_is_named_where_it_stands(capfd: pytest.CaptureFixture[str]) -> None:
    manifest = json.loads(Path("protocol.json").read_text(encoding="utf-8"))
    row = next(row for row in manifest["rows"] if row["host_global_name"] == "EVE")
    row["host_global_name"] = "ANA"
    Path("bad.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")
    code, out, said = run(capfd, "protocol", "--manifest", "bad.json")
    assert (code, out) == (2, "")
    place = manifest["rows"].index(row)
    assert f': $.rows[{place}]: enrolled speaker "ANA" is in the open-set meeting "TA1004a"\n' in said
    assert said.startswith("bad.json:")


def test_warnings_go_to_stderr_and_into_the_document(capfd: pytest.CaptureFixture[str]) -> None:
    document = json.loads(Path("align-input.json").read_text(encoding="utf-8"))
    del document["match_evidence"]["TA1004a"]
    Path("in.json").write_text(json.dumps(document), encoding="utf-8")
    code, out, said = run(capfd, "align", "--manifest", "in.json")
    assert code == 0
    assert said == 'warning: meeting "TA1004a": no match evidence\n'
    assert json.loads(out)["warnings"] == ['meeting "TA1004a": no match evidence']


def test_the_protocol_of_the_example_is_what_the_command_writes(capfd: pytest.CaptureFixture[str]) -> None:
    words = ["generate-protocol", "--meetings-xml", "meetings.xml", "--gold-rttm-dir", "gold", "--open-set", "5"]
    assert run(capfd, *words)[1] == Path("protocol.json").read_text(encoding="utf-8")
