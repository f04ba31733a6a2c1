"""Lists of ids as plain text."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from voxint.errors import ContractError, InputError, RecordFault
from voxint.io.lines import lines


def test_lines_are_trimmed_and_blank_ones_left_out(tmp_path: Path) -> None:
    file = tmp_path / "ids.txt"
    file.write_bytes("\ufeffa\r\n\n  b\u2028c \nlast".encode())
    kept = lines(str(file))
    assert list(kept) == ["a", "b\u2028c", "last"]
    faults = kept.places([RecordFault("ids", 1, "odd"), RecordFault("ids", 2, "odd")])
    assert [str(each) for each in faults] == [f"{file}:3: odd", f"{file}:4: odd"]


def test_archives_are_read_and_damage_is_said(tmp_path: Path) -> None:
    file = tmp_path / "ids.txt.gz"
    packed = gzip.compress(b"a\nb\n" * 1000)
    file.write_bytes(packed)
    assert len(list(lines(str(file)))) == 2000
    file.write_bytes(packed[:-9])
    with pytest.raises(ContractError, match=r"ids\.txt\.gz:\d+: "):
        lines(str(file))


def test_other_encodings_name_the_line(tmp_path: Path) -> None:
    file = tmp_path / "ids.txt"
    file.write_bytes(b"a\nJos\xe9\n")
    with pytest.raises(ContractError, match=r"ids\.txt:2:"):
        lines(str(file))
    with pytest.raises(InputError, match="cannot be read"):
        lines(str(tmp_path / "nowhere"))
