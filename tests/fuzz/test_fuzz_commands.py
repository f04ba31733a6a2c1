"""Spoilt files of every example: no command crashes, and one that refuses leaves the old output alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import command_lines, copied, run

N_INPUTS = 25


@pytest.mark.parametrize(("folder", "line"), command_lines())
def test_no_file_breaks_a_command(folder: str, line: str, tmp_path: Path) -> None:
    place = copied(tmp_path)
    codes = [run(folder, line, seed, place) for seed in range(N_INPUTS)]
    assert 2 in codes
