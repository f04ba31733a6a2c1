"""What the programs on the evidence store refuse before they look at it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tools import _stores, build_attribution_roster, export_match_evidence
from tools._stores import commit
from voxint.errors import UsageError


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of one commit, which the programs take for their own."""
    monkeypatch.setattr(_stores, "ROOT", tmp_path)
    (tmp_path / "tracked").write_text("one")
    who = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    for words in (["init", "-q"], ["add", "tracked"], [*who, "commit", "-q", "-m", "one"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    return tmp_path


def test_a_clean_checkout_is_its_commit(checkout: Path) -> None:
    (checkout / "untracked").write_text("of no account")
    head = commit(allow_dirty=False)
    assert head is not None
    assert len(head) == 40


def test_changed_tracked_files_are_refused(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (checkout / "tracked").write_text("two")
    with pytest.raises(UsageError, match="tracked files of this checkout are changed: commit them, or --allow-dirty"):
        commit(allow_dirty=False)
    assert commit(allow_dirty=True) is not None
    monkeypatch.chdir(checkout)
    assert export_match_evidence.main(["--manifest", "none.json", "--out-dir", "out"]) == 2
    assert capfd.readouterr().err.startswith("tracked files of this checkout are changed")
    words = ["--protocol", "p", "--runs", "r", "--gold-rttm-dir", "g", "--out-dir", "out"]
    assert build_attribution_roster.main(words) == 2
    assert not (checkout / "out").exists()


def test_outside_of_a_checkout_there_is_no_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_stores, "ROOT", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert commit(allow_dirty=False) is None
