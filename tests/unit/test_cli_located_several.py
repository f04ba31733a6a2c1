"""A fault in one of several documents names its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from voxint.cli.located import located
from voxint.errors import RecordError, RecordFault


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.json", "b.json"):
        Path(name).write_text('{\n "far": 0\n}\n', encoding="utf-8")


def said(*records: RecordFault) -> list[str]:
    given = {"run": ("a.json", "b.json"), "date": "2026-01-01"}
    return str(located(RecordError(records), {"run": ((), ())}, given)).splitlines()


def test_the_number_is_that_of_the_document() -> None:
    faults = [RecordFault("run", 1, "is no run"), RecordFault("run", 0, "is too high", ("far",))]
    assert said(*faults) == ["b.json: is no run", "a.json:2:9: $.far: is too high"]


def test_a_fault_of_all_of_them_names_the_parameter() -> None:
    assert said(RecordFault("run", None, "differ")) == ["run: differ"]
