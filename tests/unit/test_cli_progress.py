"""Progress is drawn on a terminal after a while, and nowhere else."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from voxint.cli import progress
from voxint.cli.progress import Progress


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nobody_looks_nothing_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with Progress() as shown:
        assert shown.of("x") is None


def drawn(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, patience: float) -> str:
    screen = _Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(progress, "_PATIENCE", patience)
    monkeypatch.chdir(tmp_path)
    Path("items.jsonl").write_bytes(b"x" * 100)
    with Progress() as shown:
        advance = shown.of("items.jsonl")
        assert advance is not None
        advance(60)
        advance(40)
    return screen.getvalue()


def test_short_work_draws_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert drawn(monkeypatch, tmp_path, 60.0) == ""


def test_long_work_shows_the_share_that_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    screen = drawn(monkeypatch, tmp_path, 0.0)
    assert "items.jsonl" in screen
    assert "100%" in screen


def test_steps_are_told_where_a_person_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with Progress() as shown:
        assert shown.steps("rate judge") is None
    screen = _Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with Progress() as shown:
        done = shown.steps("rate judge")
        assert done is not None
        done(1, 3)
        done(3, 3)
    assert "rate judge" in screen.getvalue()
    assert "100%" in screen.getvalue()
