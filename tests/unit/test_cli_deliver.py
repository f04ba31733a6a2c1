"""A pipe gets all or nothing, and a gate's no is exit code 1 wherever the report goes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import SpooledTemporaryFile

import pytest

from voxint.cli.deliver import deliver
from voxint.cli.summaries import Summary
from voxint.errors import EdgeError


class _Product:
    def __init__(self, pieces: list[bytes | Exception], passed: bool = True) -> None:
        self._pieces = pieces
        self._passed = passed

    def json(self) -> Iterator[bytes]:
        for piece in self._pieces:
            if isinstance(piece, Exception):
                raise piece
            yield piece

    def summary(self) -> Summary:
        return Summary("in words", ())

    def passed(self) -> bool:
        return self._passed


def never() -> None:
    raise AssertionError("no terminal, no need to quiet anything")


def test_a_pipe_gets_nothing_of_an_output_that_fails(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    with pytest.raises(ValueError, match="late"):
        deliver(_Product([b"first\n", ValueError("late")]), None, None, never)
    assert capfdbinary.readouterr().out == b""


def test_a_file_keeps_what_it_held_when_the_output_fails(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    file.write_bytes(b"old")
    with pytest.raises(ValueError, match="late"):
        deliver(_Product([b"first\n", ValueError("late")]), str(file), None, never)
    assert file.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["r.json"]


@pytest.mark.parametrize(("passed", "code"), [(True, 0), (False, 1)])
def test_the_gate_decides_the_exit_code(
    passed: bool, code: int, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert deliver(_Product([b"{}\n"], passed), None, None, never) == code
    assert deliver(_Product([b"{}\n"], passed), str(tmp_path / "r"), None, never) == code
    assert capfdbinary.readouterr().out == b"{}\n"


def test_a_full_temporary_folder_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(SpooledTemporaryFile):  # type: ignore[type-arg]
        def write(self, data: object) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("voxint.cli.deliver.SpooledTemporaryFile", Full)
    with pytest.raises(EdgeError, match="cannot hold the report for the pipe: No space left on device"):
        deliver(_Product([b"{}"]), None, None, never)


def test_another_form_is_the_summary(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert deliver(_Product([b"{}\n"]), None, "md", never) == 0
    assert deliver(_Product([b"{}\n"]), None, "table", never) == 0
    assert capfdbinary.readouterr().out == b"## in words\nin words\n"


def test_a_command_may_have_another_form_by_default(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert deliver(_Product([b"{}\n"]), None, None, never, "md") == 0
    assert deliver(_Product([b"{}\n"]), str(tmp_path / "r"), None, never, "md") == 0
    assert deliver(_Product([b"{}\n"]), None, "json", never, "md") == 0
    assert capfdbinary.readouterr().out == b"## in words\n{}\n"
    assert (tmp_path / "r").read_bytes() == b"## in words\n"


def test_a_page_is_the_products_own(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    class Paged(_Product):
        def page(self) -> Iterator[bytes]:
            yield b"<!DOCTYPE html>"

    assert deliver(Paged([b"{}\n"]), None, "html", never, "md") == 0
    assert capfdbinary.readouterr().out == b"<!DOCTYPE html>"
