"""The contract verbs list, show and check."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from voxint_contracts.catalog import DOCUMENTS

from voxint.cli import main
from voxint.cli.contracts import check, list_contracts, show
from voxint.errors import ContractError, UsageError

ITEM = '{"item_id": "x", "slots": {"s": {"assigned_name": null}}}\n'


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_every_document_is_listed_with_its_form() -> None:
    listed = {entry.contract: entry.form.value for entry in list_contracts().contracts}
    assert listed == {document.name: "jsonl" if document.stream else "json" for document in DOCUMENTS}
    assert listed["name_accuracy/v1/items"] == "jsonl"


def test_show_prints_the_schema_itself() -> None:
    assert json.loads(show("name_accuracy/v1/items"))["title"] == "NameAccuracyItem"
    with pytest.raises(UsageError, match="did you mean name_accuracy/v1/items"):
        show("name_accuracy/v1/item")


def test_check_tells_the_contract_and_counts() -> None:
    Path("a.jsonl").write_text(ITEM * 2, encoding="utf-8")
    report = check("a.jsonl")
    assert (report.contract, report.n_documents) == ("name_accuracy/v1/items", 2)
    Path("t.json").write_text('{\n "schema_version": 1,\n "aliases": {}\n}\n', encoding="utf-8")
    assert check("t.json").contract == "name_accuracy/v1/aliases"


def test_of_two_contracts_that_fit_the_more_demanding_one_is_told() -> None:
    # A verdict has all that a vote has, and more.
    folder = Path(__file__).resolve().parents[2] / "contracts/vectors"
    assert check(str(folder / "agreement/v1/accept/verdicts.full.jsonl")).contract == "agreement/v1/verdicts"
    assert check(str(folder / "ensemble/v1/accept/votes.full.jsonl")).contract == "ensemble/v1/votes"


def test_check_of_our_own_report_tells_it_by_kind(capfd: pytest.CaptureFixture[str]) -> None:
    Path("a.jsonl").write_text(ITEM, encoding="utf-8")
    assert main(["score", "name-accuracy", "a.jsonl", "--out", "r.json"]) == 0
    assert main(["contract", "check", "r.json"]) == 0
    assert json.loads(capfd.readouterr().out)["contract"] == "name_accuracy/v1/report"


def test_check_names_the_faults_of_the_contract_it_told() -> None:
    Path("a.jsonl").write_text(ITEM + ITEM.replace('"x"', "7"), encoding="utf-8")
    with pytest.raises(ContractError, match=r"a.jsonl:2:13: \$.item_id: must be a string, not 7"):
        check("a.jsonl")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("x.json", "[1]", r"x\.json:1:1: \$: must be an object"),
        ("x.json", '{"schema_version": 1,\n "aliases": {]}', r"x\.json:2:14: "),
        ("x.jsonl", "nonsense\n", r"x\.jsonl:1:1: "),
        ("x.jsonl", '{"slots": {"s": {"assigned_name": null}}}\n', r"x\.jsonl:1:1: \$\.item_id: is required"),
    ],
)
def test_what_fits_nothing_is_said_by_line(name: str, text: str, said: str) -> None:
    Path(name).write_text(text, encoding="utf-8")
    with pytest.raises(ContractError, match=said):
        check(name)


@pytest.mark.parametrize("text", ["", "{}", '{"hello": 1}'])
def test_a_file_that_tells_nothing_asks_for_the_contract(text: str) -> None:
    Path("x.json").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="--contract-name"):
        check("x.json")


@pytest.mark.parametrize("stream", ["-", "pipe"])
def test_a_stream_needs_its_contract_named(stream: str) -> None:
    os.mkfifo("pipe")
    with pytest.raises(UsageError, match="--contract-name is required"):
        check(stream)


def test_names_that_are_no_text_are_shown_as_they_can_be() -> None:
    name = os.fsdecode(b"\xff\x1b.jsonl")
    Path(name).write_text(ITEM, encoding="utf-8")
    assert check(name).file == "\\udcff\\x1b.jsonl"
