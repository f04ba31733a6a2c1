"""Record numbers become lines, and parameters become files."""

from __future__ import annotations

from pathlib import Path

import pytest
from voxint_contracts.name_accuracy import v1 as contract

from voxint.cli.located import located
from voxint.errors import RecordError, RecordFault
from voxint.io import read

ITEM = '{"item_id": "%s", "slots": {"s": {"assigned_name": null}}}\n'


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.jsonl").write_text("\n" + "".join(ITEM % name for name in "xyz"), encoding="utf-8")
    Path("b.jsonl").write_text("".join(ITEM % name for name in "xyz"), encoding="utf-8")
    Path("t.json").write_text('{\n "schema_version": 1,\n "aliases": {"k": []}\n}\n', encoding="utf-8")


def said(*records: RecordFault) -> list[str]:
    names = {"items": "a.jsonl", "baseline": "b.jsonl", "aliases": "t.json"}
    inputs = {name: read.rows(names[name], contract.NameAccuracyItem) for name in ("items", "baseline")}
    return str(located(RecordError(records), inputs, names)).splitlines()


def test_faults_of_two_files_keep_their_order() -> None:
    assert said(
        RecordFault("baseline", 2, "late", ("item_id",), ("items", 0)),
        RecordFault("items", 1, "early", None, ("items", 2)),
        RecordFault("items", 0, "first", ("slots", "s")),
    ) == [
        "b.jsonl:3:13: $.item_id: late (see a.jsonl:2)",
        "a.jsonl:3: early (see line 4)",
        "a.jsonl:2:33: $.slots.s: first",
    ]


def test_a_fault_of_a_document_names_its_place_in_it() -> None:
    assert said(RecordFault("aliases", None, "no such person", ("aliases", "k"))) == [
        "t.json:3:19: $.aliases.k: no such person"
    ]


def test_a_fault_of_a_whole_file_names_the_file() -> None:
    assert said(RecordFault("baseline", None, "lacks one")) == ["b.jsonl: lacks one"]
