from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from voxint.errors import InputError
from voxint.io.source import Source
from voxint.io.unpack import Packing, packing

TEXT = b"".join(b'{"item": %d}\n' % n for n in range(500))


def pack(data: bytes, suffix: str) -> bytes:
    if suffix == ".gz":
        return gzip.compress(data, mtime=0)
    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


def kind(suffix: str) -> str:
    return {".gz": "gzip", ".zst": "zstd"}[suffix]


def packing_of(suffix: str) -> Packing:
    found = packing("x" + suffix)
    assert found is not None
    return found


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    return (data[at : at + size] for at in range(0, len(data), size))


def unpack(data: bytes, suffix: str, size: int = 1 << 13) -> bytes:
    return b"".join(packing_of(suffix).unpacked(pieces(data, size)))


def test_only_these_names_are_packed() -> None:
    names = ["a.jsonl", "a.gz", "a.b.GZ", "a.jsonl.zst", "gz", ".gz", "a.gz.bak", "a.zip"]
    found = {name: packed.name for name in names if (packed := packing(name))}
    assert found == {"a.gz": "gzip", "a.b.GZ": "gzip", "a.jsonl.zst": "zstd"}


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
@settings(deadline=None)
@given(members=st.lists(st.binary(max_size=200), min_size=1, max_size=4), size=st.integers(1, 300))
def test_members_follow_one_another(suffix: str, members: list[bytes], size: int) -> None:
    data = b"".join(pack(member, suffix) for member in members)
    assert unpack(data, suffix, size) == b"".join(members)


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
@settings(deadline=None)
@given(st.data())
def test_every_truncation_is_noticed(suffix: str, data: st.DataObject) -> None:
    packed = pack(TEXT, suffix)
    cut = data.draw(st.integers(0, len(packed) - 1))
    with pytest.raises(InputError, match=f"^the {kind(suffix)} data ends early: the file is cut off$"):
        unpack(packed[:cut], suffix, 64)


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_damage_garbage_and_false_names_differ(suffix: str) -> None:
    packed, name = pack(TEXT, suffix), kind(suffix)
    flipped = bytearray(packed)
    flipped[-5] ^= 0xFF
    with pytest.raises(InputError, match=f"^the {name} data is damaged"):
        unpack(bytes(flipped), suffix)
    with pytest.raises(InputError, match=f"^holds something else after the end of its {name} data$"):
        unpack(packed + b"garbage", suffix)
    with pytest.raises(InputError, match=f"^holds no {name} data, whatever its name says$"):
        unpack(TEXT, suffix)


def test_zero_padding_after_gzip_is_allowed() -> None:
    packed = pack(TEXT, ".gz")
    assert unpack(packed + b"\0" * 1000, ".gz", 64) == TEXT
    assert unpack(packed + b"\0" * 1000 + packed, ".gz", 64) == TEXT + TEXT
    with pytest.raises(InputError, match="holds something else"):
        unpack(pack(TEXT, ".zst") + b"\0", ".zst")


def test_skippable_zstd_frames_are_skipped() -> None:
    frame = b"\x50\x2a\x4d\x18\x04\x00\x00\x00abcd"
    assert unpack(frame + pack(TEXT, ".zst") + frame, ".zst", 5) == TEXT


def test_wide_gzip_headers_are_read() -> None:
    compress = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = compress.compress(TEXT) + compress.flush()
    header = b"\x1f\x8b\x08\x08\0\0\0\0\0\x03items.jsonl\0"
    tail = zlib.crc32(TEXT).to_bytes(4, "little") + len(TEXT).to_bytes(4, "little")
    assert unpack(header + body + tail, ".gz", 3) == TEXT


def test_bomb_is_unpacked_in_bounded_pieces() -> None:
    packed = gzip.compress(b"0" * (64 << 20), mtime=0)
    chunks = pieces(packed, 1 << 13)
    largest = max(len(piece) for piece in packing_of(".gz").unpacked(chunks))
    assert largest < 10 << 20


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_lines_before_the_damage_are_given(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"items.jsonl{suffix}"
    file.write_bytes(pack(TEXT, suffix) + pack(TEXT, suffix)[:-4])
    origin = Source(str(file))
    lines = [line for batch in origin.batches() for line in batch]
    assert len(lines) >= 500
    assert lines == (TEXT + TEXT).splitlines(keepends=True)[: len(lines)]
    assert origin.damage == f"the {kind(suffix)} data ends early: the file is cut off"
    with pytest.raises(InputError, match=r"items.jsonl\.\w+: the \w+ data ends early"):
        origin.read()
