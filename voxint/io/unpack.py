"""Compressed bytes as a stream of plain ones: gzip and zstd, any number of members, each checked to its end."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from voxint.errors import InputError

FEED = 1 << 13
"""Compressed bytes to hand over at a time: what one call can unpack stays bounded."""


class Unpacker(Protocol):
    """The part of zlib's and zstandard's decompression objects that is used."""

    @property
    def eof(self) -> bool:
        """Whether the member has ended."""

    @property
    def unused_data(self) -> bytes:
        """What followed the member."""

    def decompress(self, data: bytes, /) -> bytes:
        """The next plain bytes."""


class Packing(NamedTuple):
    """A compressed format: the bytes that a member may start with, and those that may pad it."""

    name: str
    firsts: bytes
    padding: bytes
    new: Callable[[], Unpacker]
    error: type[Exception]

    def unpacked(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """The content of all members, in order.

        Raises:
            InputError: the data is damaged, cut off, of another kind or followed by something else.
        """
        rest, n_members = next(chunks, b""), 0
        while rest or not n_members:
            rest = yield from self._member(rest, chunks, n_members)
            n_members += 1

    def _member(self, rest: bytes, chunks: Iterator[bytes], n_before: int) -> Generator[bytes, None, bytes]:
        if rest and rest[0] not in self.firsts:
            raise InputError(
                f"holds something else after the end of its {self.name} data"
                if n_before
                else f"holds no {self.name} data, whatever its name says"
            )
        unit = self.new()
        while not unit.eof:
            if not rest:
                raise InputError(f"the {self.name} data ends early: the file is cut off")
            try:
                plain = unit.decompress(rest)
            except self.error as error:
                raise InputError(f"the {self.name} data is damaged ({error})") from error
            if plain:
                yield plain
            rest = unit.unused_data if unit.eof else next(chunks, b"")
        return self._next_member(rest, chunks)

    def _next_member(self, rest: bytes, chunks: Iterator[bytes]) -> bytes:
        rest = rest.lstrip(self.padding)
        while not rest:
            chunk = next(chunks, b"")
            if not chunk:
                break
            rest = chunk.lstrip(self.padding)
        return rest


def packing(name: str) -> Packing | None:
    """How a file is compressed, by the end of its name; None for `.gz` and `.zst` missing."""
    suffix = Path(name).suffix.lower()
    if suffix == ".gz":
        return Packing("gzip", b"\x1f", b"\0", lambda: zlib.decompressobj(31), zlib.error)
    return _zstd() if suffix == ".zst" else None


def _zstd() -> Packing:
    import zstandard

    unpacker = zstandard.ZstdDecompressor()
    firsts = b"\x28" + bytes(range(0x50, 0x60))
    return Packing("zstd", firsts, b"", unpacker.decompressobj, zstandard.ZstdError)
