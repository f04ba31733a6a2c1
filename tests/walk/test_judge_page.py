"""The page on judges, against the commands and contracts that it describes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from test_documents import usage, usage_of_help
from voxint_contracts.autorater.v1 import ReplyErrorCode

from voxint.cli import main
from voxint.cli.catalog import SPECS
from voxint.edges import audio_judge, audio_payload, judging

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/judge.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [("rate", "judge"), ("rate", "audio-judge")], ids=" ".join)
def test_the_usage_is_that_of_the_command(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    shown = usage(PAGE, words)
    assert shown
    assert shown == usage_of_help(words, capsys)


def test_flags_named_in_the_text_exist() -> None:
    flags = {each.flag for words, spec in SPECS.items() if words[0] == "rate" for each in spec.all_parameters()}
    assert set(re.findall(r"--[a-z][a-z0-9-]*", PAGE)) <= flags


def test_every_code_of_a_failed_reply_is_in_the_table() -> None:
    rows = re.findall(r"^\| `failed`, (.*?) \|", PAGE, re.MULTILINE)
    assert sorted(code for row in rows for code in re.findall(r"`(\w+)`", row)) == sorted(ReplyErrorCode)


def test_the_command_of_the_page_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT / "examples/rate-demo")
    commands = re.findall(r"^    voxint (rate \S+ \S+ --replay \S+)$", PAGE, re.MULTILINE)
    assert len(commands) == 1
    assert main([*shlex.split(commands[0]), "--format", "table"]) == 0
    assert "3 of 3 replies can be scored" in capsys.readouterr().out


def test_the_numbers_of_the_page_are_those_of_the_code() -> None:
    assert audio_payload.MOST_BYTES == 14_000_000
    assert judging.Options("m").call_s == 60
    assert audio_judge._CALL_S == 180
    assert "within 60 s (180 s with a recording), four times" in PAGE
    assert "more than\n14 MB" in PAGE
