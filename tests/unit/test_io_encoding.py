from __future__ import annotations

import codecs

import pytest

from voxint.io.encoding import encoding_fault, foreign_content

TEXT = '{"item_id": "José"}\n'


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), "looks like UTF-16, not UTF-8"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "looks like UTF-16, not UTF-8"),
        (TEXT.encode("utf-16-le"), "looks like UTF-16, not UTF-8"),
        (TEXT.encode("utf-16-be"), "looks like UTF-16, not UTF-8"),
        (codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"), "looks like UTF-32, not UTF-8"),
        (codecs.BOM_UTF32_BE + TEXT.encode("utf-32-be"), "looks like UTF-32, not UTF-8"),
        (TEXT.encode("utf-32-le"), "looks like UTF-32, not UTF-8"),
        (TEXT.encode("utf-32-be"), "looks like UTF-32, not UTF-8"),
        (b"\x1f\x8b\x08\0", "holds gzip data: rename it to a.json.gz"),
        (b"\x28\xb5\x2f\xfd\0", "holds zstd data: rename it to a.json.zst"),
        (b"BZh91AY", "holds bzip2 data, which is not read: unpack it first"),
        (b"\xfd7zXZ\0", "holds xz data, which is not read: unpack it first"),
        (b"PK\x03\x04", "holds zip data, which is not read: unpack it first"),
    ],
)
def test_foreign_content_is_named(head: bytes, said: str) -> None:
    found = foreign_content(head[:8], "a.json")
    assert found is not None
    assert found.startswith(said)


def test_stdin_cannot_be_renamed() -> None:
    assert foreign_content(b"\x1f\x8b\x08\0", "-") == "holds gzip data: unpack it first with gzip -dc"


@pytest.mark.parametrize("head", [b"", b"{", b'{"a"', b"\xef\xbb\xbf{", b"[1,2", b"\n\n\n\n", b"(((("])
def test_text_is_left_alone(head: bytes) -> None:
    assert foreign_content(head, "a.json") is None


@pytest.mark.parametrize(
    ("data", "line", "column", "said"),
    [
        ('{"a": "José"}'.encode("latin-1"), 7, 11, "byte 0xe9 is not UTF-8: it looks like Latin-1"),
        ("é\né\n€".encode() + b"\x92", 9, 2, "byte 0x92 is not UTF-8: it looks like Latin-1"),
        (b'{"a": "\x81\x8d"}', 7, 8, "byte 0x81 is not UTF-8: the text is in another encoding"),
        ('{"a": "名'.encode()[:-1], 7, 8, "byte 0xe5 is not UTF-8: the text ends inside a character"),
        (b'"\xed\xa0\xbd"', 7, 2, "byte 0xed is not UTF-8: it is half of a surrogate pair"),
    ],
)
def test_first_wrong_byte_is_placed_by_characters(data: bytes, line: int, column: int, said: str) -> None:
    fault = encoding_fault(data, "a.json", 7)
    assert fault is not None
    assert (fault.file, fault.line, fault.column) == ("a.json", line, column)
    assert fault.message.startswith(said)


def test_utf8_is_no_fault() -> None:
    assert encoding_fault("José \U0001f600 \x00".encode(), "a.json") is None
