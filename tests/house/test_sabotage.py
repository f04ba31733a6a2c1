"""The lines that `make sabotage` breaks: there, changed by it, and in a copy alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.sabotage import ROOT, SABOTAGES, Sabotage, attempt


@pytest.mark.parametrize("sabotage", SABOTAGES, ids=lambda each: each.name)
def test_the_line_is_there_to_be_broken(sabotage: Sabotage) -> None:
    text = (ROOT / sabotage.file).read_text(encoding="utf-8")
    assert sabotage.line in text
    assert text.replace(sabotage.line, sabotage.broken, 1) != text
    assert len({each.name for each in SABOTAGES}) == len(SABOTAGES) == 20


@pytest.mark.parametrize(("code", "noticed"), [(1, True), (0, False), (2, False)])
def test_only_failing_tests_have_noticed(code: int, noticed: bool) -> None:
    chosen = SABOTAGES[0]

    def run(copy: Path, words: str) -> int:
        assert (words, copy != ROOT) == (chosen.tests, True)
        assert chosen.broken in (copy / chosen.file).read_text(encoding="utf-8")
        assert chosen.line in (ROOT / chosen.file).read_text(encoding="utf-8")
        return code

    assert attempt(chosen, run) is noticed
