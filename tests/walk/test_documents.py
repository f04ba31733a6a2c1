"""The pages that state flags and verdicts, against the commands themselves."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from voxint.cli import main
from voxint.cli.catalog import SPECS

ROOT = Path(__file__).resolve().parents[2]
HARNESS = (ROOT / "docs/harness.md").read_text(encoding="utf-8")
STORE = (ROOT / "docs/store.md").read_text(encoding="utf-8")
VERDICTS = ROOT / "examples/name-accuracy-verdicts"
REPORTS = [
    words
    for words, spec in SPECS.items()
    if words[0] in ("score", "calibrate", "store") or words[:2] in (("attribution", "score"), ("attribution", "report"))
]


def usage(page: str, words: tuple[str, ...]) -> list[str]:
    """The parts of the usage block of a command: `[--seed INTEGER]`, `ITEMS`; nothing without a block."""
    head = " ".join(("voxint", *words))
    block = re.search(rf"^    {head}(?= |$)(.*(?:\n {{5,}}\S.*)*)", page, re.MULTILINE)
    return re.findall(r"\[[^\]]*\]|--\S+ \S+|\S+", block[1]) if block else []


def usage_of_help(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert main([*words, "--help"]) == 0
    head, _, _ = capsys.readouterr().out.partition("\n\n")
    return usage("    " + head.removeprefix("usage: "), words)


@pytest.mark.parametrize("words", REPORTS, ids=" ".join)
def test_the_usage_of_a_page_is_that_of_the_command(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    shown = usage(STORE if words[0] == "store" else HARNESS, words)
    assert shown == usage_of_help(words, capsys)
    assert re.findall(r"--[a-z0-9-]+", " ".join(shown)) == [
        each.flag for each in SPECS[words].all_parameters() if not each.positional
    ]


def test_flags_named_in_the_text_exist() -> None:
    flags = {each.flag for spec in SPECS.values() for each in spec.all_parameters()} | {"--help", "--version"}
    assert set(re.findall(r"--[a-z][a-z0-9-]*", HARNESS)) <= flags


@pytest.mark.parametrize(
    ("old", "new"), [("--n-boot", "--boots"), ("INTEGER", "NUMBER"), ("[--seed INTEGER] ", ""), (" ITEMS", " [ITEMS]")]
)
def test_a_usage_that_is_wrong_is_seen(old: str, new: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("score", "name-accuracy")
    assert old in HARNESS
    assert usage(HARNESS.replace(old, new, 1), words) != usage_of_help(words, capsys)


def verdict_rows(page: str) -> dict[tuple[str, str], tuple[str, str, str]]:
    """Shown, truth and verdict of each slot, from the table of a README."""
    lines = [line.strip("|").split("|") for line in page.splitlines() if line.startswith("|")]
    rows = [[cell.strip().strip("`") for cell in line] for line in lines[2:]]
    return {tuple(place.split()): (shown, truth, verdict) for place, shown, truth, verdict, _ in rows}  # type: ignore[misc]


def counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, str], tuple[str, str, str]]:
    """The same of the example's own items and of the report that its command writes."""
    folder = shutil.copytree(VERDICTS, tmp_path / "example")
    monkeypatch.chdir(folder)
    assert main([*shlex.split((folder / "command").read_text(encoding="utf-8")), "--out", "report.json"]) == 0
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    verdicts = {each["item_id"]: each["verdicts"] for each in report["per_item"]}
    items = [json.loads(line) for line in (folder / "items.jsonl").read_text(encoding="utf-8").splitlines()]
    return {
        (item["item_id"], label): (slot["assigned_name"] or "null", slot["truth"], verdicts[item["item_id"]][label])
        for item in items
        for label, slot in item["slots"].items()
    }


def test_the_table_of_verdicts_is_the_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (VERDICTS / "README.md").read_text(encoding="utf-8")
    report = counted(tmp_path, monkeypatch)
    assert verdict_rows(page) == report
    assert {verdict for *_, verdict in report.values()} == {"TP", "TN", "FP_WRONG", "FP_OVERNAME", "FN", "EXCLUDED"}
    assert verdict_rows(page.replace("| TN |", "| FN |")) != report
