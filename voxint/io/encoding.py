"""Which bytes are not UTF-8 text, and what they look like instead."""

from __future__ import annotations

from voxint.errors import Fault

_PACKED = ((b"\x1f\x8b", "gzip", ".gz", "gzip -dc"), (b"\x28\xb5\x2f\xfd", "zstd", ".zst", "zstd -dc"))
_OTHER_PACKED = ((b"BZh", "bzip2"), (b"\xfd7zXZ\0", "xz"), (b"PK\x03\x04", "zip"))
_MARKS = (
    (b"\xff\xfe\0\0", "UTF-32"),
    (b"\0\0\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_ZEROS = {"1110": "UTF-32", "0111": "UTF-32", "1010": "UTF-16", "0101": "UTF-16"}


def foreign_content(head: bytes, name: str) -> str | None:
    """What the first 8 bytes of a file say that it is, and the way out; None if it may be UTF-8 text."""
    for magic, kind, suffix, tool in _PACKED:
        if head.startswith(magic):
            way_out = f"unpack it first with {tool}" if name == "-" else f"rename it to {name}{suffix}"
            return f"holds {kind} data: {way_out}"
    for magic, kind in _OTHER_PACKED:
        if head.startswith(magic):
            return f"holds {kind} data, which is not read: unpack it first"
    encoding = next((kind for mark, kind in _MARKS if head.startswith(mark)), None)
    encoding = encoding or _ZEROS.get("".join("1" if byte == 0 else "0" for byte in head[:4]))
    if encoding:
        return f"looks like {encoding}, not UTF-8: convert it, for example with iconv -f {encoding} -t UTF-8"
    return None


def encoding_fault(data: bytes, file: str, line: int = 1) -> Fault | None:
    """The first place where `data`, which starts on `line`, is not UTF-8; None if it is."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        column = len(before) - before.rfind("\n")
        return Fault(_guess(data, error), file, line + before.count("\n"), column)
    return None


def _guess(data: bytes, error: UnicodeDecodeError) -> str:
    wrong = f"byte 0x{data[error.start]:02x} is not UTF-8"
    if error.reason == "unexpected end of data":
        return f"{wrong}: the text ends inside a character; is it cut off?"
    if data[error.start] == 0xED and data[error.start + 1 : error.start + 2] >= b"\xa0":
        return f"{wrong}: it is half of a surrogate pair, not a character"
    try:
        data.decode("cp1252")
    except UnicodeDecodeError:
        return f"{wrong}: the text is in another encoding, or damaged"
    way_out = "convert it, for example with iconv -f CP1252 -t UTF-8"
    return f"{wrong}: it looks like Latin-1 (Windows-1252); {way_out}"
