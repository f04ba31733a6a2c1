"""The words of JSON: strings and numbers as strict JSON has them, and what is wrong with those it has not."""

from __future__ import annotations

import re

from voxint.errors import quoted

MAX_DIGITS = 4300

BLANK = " \t\r\n"
# No possessive quantifiers: nested ones are misread by early releases of Python 3.11. Nothing here needs them, since
# each pattern may end after any of its steps.
SPACE = re.compile(r"[ \t\r\n]*")
WORD = re.compile(r'[^ \t\r\n,:\[\]{}"]+')
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
PLAIN_NUMBERS = re.compile(
    r"(?:[ \t\r\n]{0,99}-?(?:0|[1-9][0-9]{0,99})(?:\.[0-9]{1,99})?(?:[eE][+-]?[0-9]{1,9})?[ \t\r\n]{0,99},){0,500}"
)
"""A run of array elements that are short numbers, with their commas."""

_STRING = re.compile(r'(?:[^"\\\x00-\x1f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){0,500}')
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)
_HINTS = {
    "True": "; write true",
    "False": "; write false",
    "None": "; write null",
    "\ufeff": "; a byte order mark may only start the file",
}


def string_end(text: str, start: int) -> int:
    """Where the string that starts with the quote at `start` ends; -1 if it is no JSON string."""
    end = _contents_end(text, start)
    if text[end : end + 1] != '"' or _half_pair(text[start : end + 1]):
        return -1
    return end + 1


def _contents_end(text: str, start: int) -> int:
    """Where the well-formed part of the string ends; taken in pieces, since a pattern remembers each step of one."""
    match = _STRING.match(text, start + 1)
    end = start + 1
    while match and match.end() > end:
        end = match.end()
        match = _STRING.match(text, end)
    return end


def string_problem(text: str, start: int) -> tuple[int, str]:
    """Where in a wrong string the trouble is, and what it is."""
    end = _contents_end(text, start)
    half = _half_pair(text[start:end])
    if half:
        return start + half.start(), f"\\{half[1]} is half of a surrogate pair, not a character"
    if end == len(text) or (text[end] == "\\" and '"' not in text[end:]):
        return start, "the string that starts here is not closed"
    if text[end] == "\\":
        return end, f"{_as_is(text[end : end + 2])} is no JSON escape"
    return end, f"the control character U+{ord(text[end]):04X} must be escaped"


def word_problem(word: str) -> str:
    """What is wrong with a bare word that JSON has not."""
    return f"{_as_is(word)} is not JSON{_HINTS.get(word, '')}"


def _as_is(word: str) -> str:
    return word if word.isascii() and word.isprintable() and len(word) < 40 else quoted(word)


def _half_pair(raw: str) -> re.Match[str] | None:
    if "\\u" not in raw:
        return None
    return next((match for match in _ESCAPE.finditer(raw) if match[1]), None)
