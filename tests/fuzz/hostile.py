"""Hostile bytes from good ones: a document with one thing wrong, and text with some bytes wrong.

Everything is drawn from the `random.Random` that is handed in, so that a seed names an input.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import zstandard

Place = tuple[Any, Any]
"""A container and the key or index of one of its values."""

_DEEP = '{"a":' * 500 + "1" + "}" * 500
RAW_VALUES = (
    "NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1e-400", "-0", "-0.0", "9" * 5000, "1" + "0" * 400 + ".5",
    "9007199254740993", "2147483648", "-2147483649", "0.1e1", "01", "+1", "1.", ".5", "0x10", "1_000",
    "tru", "True", "None", "undefined", "'a'", '"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\\x41"', '"\t"',
    '"' + "k" * 70_000 + '"', "[" * 300 + "]" * 300, "[" * 100_000, _DEEP, "[[[[]]]", "{}}", "", "/* */1", '"a" "b"',
)  # fmt: skip
PLAIN_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 0.5, 1.0, 1e308, 5e-324, 2**31, 2**53 + 1, -(2**63), 10**30,
    "", " ", "\u200b", "\u2028", "\ufeff", "e\u0301", "é", "__ABSTAIN__", "__NEITHER_DETERMINABLE__", "null", "NaN",
    "../../etc/passwd", "\u202egnp.exe", "😀" * 50, "a\u0000b", [], {}, [[]], [None], {"": None}, [0.0] * 3,
)  # fmt: skip
LINE_PARTS = (
    b"SPEAKER", b"SPKR-INFO", b";;", b"<NA>", b"nan", b"inf", b"-1", b"1e9", b"1e10", b"0x1p3", b"\x85", b"\xc2\xa0",
    b"\xe2\x80\xa8", b"\r", b"\x00", b"\xff", b"\t", b"  ", b"\n\n", b"1e-400", b"9" * 700, b"<", b"&#0;", b"&lol;",
    b"<!DOCTYPE r [<!ENTITY a 'b'>]>", b"]]>", b"<?xml version='1.1'?>", b"xmlns:x='y'", b'"', b"{", b"}", b",", b":",
)  # fmt: skip


def document(rng: random.Random, value: Any) -> bytes:
    """The JSON text of a value with up to three faults, which may cancel out."""
    value = json.loads(json.dumps(value))
    marks: dict[str, str] = {}
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
        places = _places(value)
        if places:
            _spoil(rng, *rng.choice(places), marks)
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5)
    for mark, raw in marks.items():
        text = text.replace(f'"{mark}"', raw)
    return text.encode("utf-8", "surrogatepass")


def lines(rng: random.Random, data: bytes) -> bytes:
    """The bytes with up to eight of them cut, doubled, replaced, moved or joined by telling ones."""
    for _ in range(rng.randint(1, 8)):
        data = rng.choice(_EDITS)(rng, data)
    return data


def wrapped(rng: random.Random, data: bytes) -> tuple[str, bytes]:
    """A file ending and the bytes as another writer, another packer or a broken disk leaves them."""
    return rng.choice(_WRAPPERS)(rng, data)


def _places(value: Any) -> list[Place]:
    found: list[Place] = []
    waiting = [value]
    while waiting and len(found) < 4000:
        each = waiting.pop()
        entries = each.items() if isinstance(each, dict) else enumerate(each) if isinstance(each, list) else ()
        for key, inner in entries:
            found.append((each, key))
            waiting.append(inner)
    return found


def _spoil(rng: random.Random, holder: Any, key: Any, marks: dict[str, str]) -> None:
    kind = rng.randrange(7)
    if kind == 0:
        marks[f"@raw{len(marks)}@"] = rng.choice(RAW_VALUES)
        holder[key] = f"@raw{len(marks) - 1}@"
    elif kind == 1:
        holder.pop(key)
    elif kind == 2 and isinstance(holder, dict):
        holder[rng.choice(("", "extra", str(key).upper(), f"{key} ", "__proto__", "k" * 3000))] = deepcopy(holder[key])
    elif kind == 3 and isinstance(holder, dict):
        marks[f"@twice{len(marks)}@"] = f"{json.dumps(holder[key])},{json.dumps(key)}:{json.dumps(holder[key])}"
        holder[key] = f"@twice{len(marks) - 1}@"
    elif kind == 4 and isinstance(holder, list):
        holder.insert(key, deepcopy(rng.choice(holder)))
    elif kind == 5:
        holder[key] = [holder[key]]
    else:
        holder[key] = deepcopy(rng.choice(PLAIN_VALUES))


def _cut(rng: random.Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + data[min(len(data), at + rng.choice((1, 1, 2, 7, 100))) :]


def _doubled(rng: random.Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + data[at : at + rng.choice((1, 3, 40))] * 2 + data[at + 40 :]


def _flipped(rng: random.Random, data: bytes) -> bytes:
    if not data:
        return b"\x00"
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def _joined(rng: random.Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.choice(LINE_PARTS) + data[at:]


def _ended(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randint(0, len(data))]


_EDITS: tuple[Callable[[random.Random, bytes], bytes], ...] = (_cut, _doubled, _flipped, _joined, _joined, _ended)


def _plain(_: random.Random, data: bytes) -> tuple[str, bytes]:
    return "", data


def _marked(_: random.Random, data: bytes) -> tuple[str, bytes]:
    return "", b"\xef\xbb\xbf" + data


def _crlf(_: random.Random, data: bytes) -> tuple[str, bytes]:
    return "", data.replace(b"\n", b"\r\n") + b"\r\n"


def _utf16(_: random.Random, data: bytes) -> tuple[str, bytes]:
    return "", data.decode("utf-8", "replace").encode("utf-16")


def _gzip(rng: random.Random, data: bytes) -> tuple[str, bytes]:
    packed = gzip.compress(data, mtime=0)
    return ".gz", rng.choice((packed, packed + packed, lines(rng, packed), packed[:-4], packed + b"\0" * 9, data))


def _zstd(rng: random.Random, data: bytes) -> tuple[str, bytes]:
    packed = zstandard.compress(data)
    return ".zst", rng.choice((packed, packed + packed, lines(rng, packed), packed[:-4], packed + b"more", data))


_WRAPPERS: tuple[Callable[[random.Random, bytes], tuple[str, bytes]], ...] = (
    _plain, _plain, _plain, _plain, _plain, _marked, _crlf, _utf16, _gzip, _zstd,
)  # fmt: skip
