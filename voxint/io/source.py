"""Bytes of a file or of standard input: opened, unpacked by name (`.gz`, `.zst`), cut into lines.

Compressed data under another name, UTF-16 and UTF-32 are refused.
"""

from __future__ import annotations

import io
import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar

from voxint.errors import Fault, InputError
from voxint.io.encoding import foreign_content
from voxint.io.unpack import FEED, packing

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

OnBytes = Callable[[int], None]

STDIN = "-"
BLOCK = 1 << 20
BATCH = 1 << 13
"""Bytes of lines per batch: so few that their models are dropped before the garbage collector looks at them."""
LONGEST_LINE = 1 << 28


class Source:
    """One input by name (`-` is standard input).

    `file` is its name in messages; `damage` says why the last reading ended early, if it did.
    A file can be read again; standard input, pipes and FIFOs (`one_pass`) cannot.
    """

    _claimed: ClassVar[weakref.ref[Any] | None] = None

    def __init__(self, name: str) -> None:
        self.name = name
        self.file = "<stdin>" if name == STDIN else name
        self.damage: str | None = None
        self.one_pass = name == STDIN
        self._is_spent = False

    def batches(self, on_bytes: OnBytes | None = None) -> Iterator[list[bytes]]:
        r"""Lists of whole lines, about 8 KiB each, split on b"\n" only and ending in it.

        Of a damaged archive come the lines before the damage; then `damage` is set.
        `on_bytes` hears how many bytes (of the file, so compressed ones) each reading took.

        Raises:
            InputError: it cannot be opened, was read already, or is plainly not UTF-8 text.
        """
        with self._opened(LONGEST_LINE, on_bytes) as (stream, buffered):
            lines = self._headed(buffered.readlines(BATCH))
            while lines:
                if stream.damage and not lines[-1].endswith(b"\n"):
                    lines.pop()
                yield lines
                lines = buffered.readlines(BATCH)
            self.damage = stream.damage

    def read(self) -> bytes:
        """All of it, unpacked, without a byte order mark.

        Raises:
            InputError: as `batches`, and for a damaged archive.
        """
        with self._opened(None, None) as (stream, buffered):
            data = b"".join(self._headed(buffered.readlines(BATCH))) + buffered.read()
        if stream.damage:
            raise InputError(self.fault(stream.damage))
        return data

    def fault(self, message: str) -> Fault:
        """The message with the name of this file."""
        return Fault(message, self.file)

    @contextmanager
    def _opened(
        self, longest_line: int | None, on_bytes: OnBytes | None
    ) -> Iterator[tuple[_Stream, io.BufferedReader]]:
        self.damage = None
        with self._raw() as raw:
            packed = None if self.name == STDIN else packing(self.name)
            chunks = _chunks(raw, FEED if packed else BLOCK, on_bytes)
            stream = _Stream(packed.unpacked(chunks) if packed else chunks, longest_line)
            yield stream, io.BufferedReader(stream, BLOCK)

    def _raw(self) -> AbstractContextManager[BinaryIO]:
        if self._is_spent and self.one_pass:
            raise InputError(self.fault("was read already, and a stream can be read only once: use a file"))
        raw = self._stdin() if self.name == STDIN else self._file()
        self._is_spent = True
        return raw

    def _file(self) -> AbstractContextManager[BinaryIO]:
        if not self.name:
            raise InputError("a file name is empty")
        try:
            raw = Path(self.name).open("rb")  # noqa: SIM115 - whoever asks for it closes it
        except OSError as error:
            raise InputError(self.fault(f"cannot be read: {error.strerror}")) from error
        except ValueError as error:
            raise InputError(f"the file name {self.name!r} cannot be used: {error}") from error
        self.one_pass = not raw.seekable()
        return raw

    def _stdin(self) -> AbstractContextManager[BinaryIO]:
        if sys.stdin is None or sys.stdin.closed:
            raise InputError(self.fault("is closed"))
        stream = sys.stdin.buffer
        if Source._claimed is not None and Source._claimed() is stream:
            raise InputError(self.fault("is asked for twice, and can be read only once: use a file"))
        Source._claimed = weakref.ref(stream)
        return nullcontext(stream)

    def _headed(self, lines: list[bytes]) -> list[bytes]:
        """The first lines without a byte order mark, refused if they show no UTF-8 text."""
        head = b"".join(lines[:8])[:8]
        foreign = foreign_content(head, self.name)
        if foreign:
            raise InputError(self.fault(foreign))
        if head.startswith(b"\xef\xbb\xbf"):
            lines[0] = lines[0][3:]
        return [line for line in lines if line]


class _Stream(io.RawIOBase):
    """Chunks of bytes as a raw file. What goes wrong on the way ends it and is kept in `damage`."""

    def __init__(self, chunks: Iterator[bytes], longest_line: int | None) -> None:
        super().__init__()
        self.damage: str | None = None
        self._chunks = chunks
        self._rest = memoryview(b"")
        self._longest_line = longest_line
        self._unbroken = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = memoryview(buffer).cast("B")
        if not self._rest:
            self._rest = memoryview(self._next())
        n = min(len(view), len(self._rest))
        view[:n] = self._rest[:n]
        self._rest = self._rest[n:]
        return n

    def _next(self) -> bytes:
        if self.damage:
            return b""
        try:
            chunk = next(self._chunks, b"")
        except InputError as error:
            self.damage = error.faults[0].message
            return b""
        if self._longest_line is not None and self._line_so_far(chunk) > self._longest_line:
            self.damage = f"holds a line of more than {self._longest_line >> 20} MiB: is it JSON Lines?"
            return b""
        return chunk

    def _line_so_far(self, chunk: bytes) -> int:
        end = chunk.rfind(b"\n")
        self._unbroken = len(chunk) - end - 1 if end >= 0 else self._unbroken + len(chunk)
        return self._unbroken


def _chunks(raw: BinaryIO, size: int, on_bytes: OnBytes | None) -> Iterator[bytes]:
    read: Callable[[int], bytes] = getattr(raw, "read1", raw.read)
    while True:
        try:
            chunk = read(size)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}") from error
        if not chunk:
            return
        if on_bytes is not None:
            on_bytes(len(chunk))
        yield chunk
