"""Summaries as a table and as Markdown."""

from __future__ import annotations

import pytest

from voxint.cli.render import markdown, table
from voxint.cli.summaries import Grid, Summary

SUMMARY = Summary("A *title*", (Grid("Counts", ("who", "n"), (("a|b", "12"), ("[red]c", "3"))), "One sentence."))


def test_a_plain_table_has_no_colour_and_no_trailing_space() -> None:
    text = table(SUMMARY, terminal=False)
    assert "\x1b" not in text
    assert [line for line in text.splitlines() if line != line.rstrip()] == []
    assert text.splitlines()[0] == "A *title*"
    assert "[red]c" in text


def test_a_terminal_gets_its_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    text = table(Summary("t", ("word " * 30,)), terminal=True)
    assert max(len(line) for line in text.splitlines() if "word" in line) <= 40


def test_markdown_escapes_what_markdown_reads() -> None:
    assert markdown(SUMMARY).splitlines() == [
        "## A \\*title\\*",
        "",
        "**Counts**",
        "",
        "| who      |  n |",
        "|----------|----|",
        "| a\\|b     | 12 |",
        "| \\[red\\]c |  3 |",
        "",
        "One sentence.",
    ]
