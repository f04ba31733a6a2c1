from __future__ import annotations

import gzip
import io
import os
import sys
import threading
from pathlib import Path

import pytest

from voxint.errors import InputError
from voxint.io import source
from voxint.io.source import Source


def lines_of(name: str) -> list[bytes]:
    return [line for batch in Source(name).batches() for line in batch]


def give_stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="ascii"))


def open_files() -> set[str]:
    return {os.path.realpath(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "items.jsonl"


def test_lines_end_at_line_feeds_only(file: Path) -> None:
    text = "a\u2028b\u0085c\x0b\x0c\x1cd\r\n\n  \r\nlast"
    file.write_bytes(text.encode())
    assert lines_of(str(file)) == ["a\u2028b\u0085c\x0b\x0c\x1cd\r\n".encode(), b"\n", b"  \r\n", b"last"]


def test_lines_longer_than_every_buffer_come_whole(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "BLOCK", 7)
    monkeypatch.setattr(source, "BATCH", 5)
    expected = [b"x" * n + b"\n" for n in (0, 1, 6, 7, 8, 100, 3)]
    file.write_bytes(b"".join(expected))
    batches = list(Source(str(file)).batches())
    assert [line for batch in batches for line in batch] == expected
    assert len(batches) > 1


def test_byte_order_mark_is_skipped_at_the_start_only(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n")
    assert lines_of(str(file)) == [b"a\n", b"\xef\xbb\xbfb\n"]
    assert Source(str(file)).read() == b"a\n\xef\xbb\xbfb\n"
    file.write_bytes(b"\xef\xbb\xbf")
    assert lines_of(str(file)) == []
    assert Source(str(file)).read() == b""


def test_empty_file_has_no_lines(file: Path) -> None:
    file.write_bytes(b"")
    assert lines_of(str(file)) == []
    assert Source(str(file)).read() == b""


def test_progress_counts_the_bytes_of_the_file_not_of_its_content(tmp_path: Path) -> None:
    packed = tmp_path / "a.jsonl.gz"
    packed.write_bytes(gzip.compress(os.urandom(50_000).hex().encode() + b"\n", mtime=0))
    plain = tmp_path / "a.jsonl"
    plain.write_bytes(b"x\n" * 1000)
    for file in (packed, plain):
        heard: list[int] = []
        for _ in Source(str(file)).batches(heard.append):
            pass
        assert sum(heard) == file.stat().st_size
        assert all(n > 0 for n in heard)


def test_file_can_be_read_again(file: Path) -> None:
    file.write_bytes(b"a\nb\n")
    origin = Source(str(file))
    first, second = list(origin.batches()), list(origin.batches())
    assert first == second == [[b"a\n", b"b\n"]]
    assert not origin.one_pass


def test_stdin_is_read_as_bytes_and_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    give_stdin(monkeypatch, "\ufeffJosé\n".encode())
    origin = Source("-")
    assert list(origin.batches()) == [["José\n".encode()]]
    with pytest.raises(InputError, match=r"^<stdin>: was read already"):
        list(origin.batches())


def test_two_arguments_cannot_share_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    give_stdin(monkeypatch, b"{}")
    assert Source("-").read() == b"{}"
    with pytest.raises(InputError, match=r"^<stdin>: is asked for twice"):
        Source("-").read()
    give_stdin(monkeypatch, b"[]")
    assert Source("-").read() == b"[]"


@pytest.mark.parametrize("stdin", [None, "closed"])
def test_closed_stdin_is_said(stdin: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    give_stdin(monkeypatch, b"")
    sys.stdin.close()
    if stdin is None:
        monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match=r"^<stdin>: is closed$"):
        Source("-").read()


def test_fifo_is_read_once(tmp_path: Path) -> None:
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    writer = threading.Thread(target=fifo.write_bytes, args=(b"a\nb",))
    writer.start()
    origin = Source(str(fifo))
    assert list(origin.batches()) == [[b"a\n", b"b"]]
    writer.join()
    assert origin.one_pass
    with pytest.raises(InputError, match="can be read only once"):
        list(origin.batches())


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("missing.jsonl", "cannot be read: No such file or directory"),
        (".", "cannot be read: Is a directory"),
        ("file/below", "cannot be read: Not a directory"),
    ],
)
def test_what_cannot_be_opened_is_named(name: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    with pytest.raises(InputError) as caught:
        Source(name).read()
    assert str(caught.value) == f"{name}: {said}"


def test_unusable_names_are_input_errors() -> None:
    with pytest.raises(InputError, match="a file name is empty"):
        Source("").read()
    with pytest.raises(InputError, match="cannot be used"):
        Source("a\0b").read()


def test_foreign_content_is_refused_before_any_line(file: Path) -> None:
    file.write_bytes(gzip.compress(b"{}\n"))
    for read in (Source(str(file)).read, lambda: list(Source(str(file)).batches())):
        with pytest.raises(InputError) as caught:
            read()
        assert str(caught.value) == f"{file}: holds gzip data: rename it to {file}.gz"


def test_error_half_way_ends_the_lines_and_is_kept(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            if self.tell():
                raise OSError(5, "Input/output error")
            return super().read1(size)

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Failing(b"a\nb\nhalf")))
    origin = Source("-")
    assert list(origin.batches()) == [[b"a\n", b"b\n"]]
    assert origin.damage == "cannot be read: Input/output error"


def test_endless_line_is_refused_in_lines_but_not_in_a_document(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "LONGEST_LINE", 3 << 20)
    file.write_bytes(b"ok\n" + b"x" * (3 << 20) + b"\nok\n")
    origin = Source(str(file))
    assert len([line for batch in origin.batches() for line in batch]) == 3
    file.write_bytes(b"ok\n" + b"x" * (6 << 20))
    assert [line for batch in origin.batches() for line in batch] == [b"ok\n"]
    assert origin.damage == "holds a line of more than 3 MiB: is it JSON Lines?"
    assert len(origin.read()) == 3 + (6 << 20)


def test_abandoned_reading_closes_the_file(file: Path) -> None:
    file.write_bytes(b"a\n" * 100_000)
    batches = Source(str(file)).batches()
    next(batches)
    assert str(file) in open_files()
    batches.close()  # type: ignore[attr-defined]
    assert str(file) not in open_files()
