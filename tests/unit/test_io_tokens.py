from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voxint.io import tokens


def is_json_string(text: str) -> bool:
    try:
        value, end = json.JSONDecoder().raw_decode(text)
        value.encode()
    except ValueError:
        return False
    return isinstance(value, str) and end == len(text)


@settings(deadline=None)
@given(st.text(alphabet='"\\u/bndD8c0Zé\x01\x1f\x7f 😀', max_size=12))
def test_string_end_agrees_with_the_json_module(inner: str) -> None:
    text = f'"{inner}"'
    end = tokens.string_end(text, 0)
    whole = end == len(text)
    assert whole == is_json_string(text)
    if end == -1:
        at, said = tokens.string_problem(text, 0)
        assert 0 <= at < len(text)
        assert said


@pytest.mark.parametrize(
    ("raw", "at", "said"),
    [
        (r'"ab\ud83d"', 3, r"\ud83d is half of a surrogate pair, not a character"),
        (r'"\ud83d\ude00\uDE00"', 13, r"\uDE00 is half of a surrogate pair, not a character"),
        (r'"\\ud83d\ud83dx"', 8, r"\ud83d is half of a surrogate pair, not a character"),
        (r'"a\x"', 2, r"\x is no JSON escape"),
        (r'"a\u12g4"', 2, r"\u is no JSON escape"),
        ('"a\tb"', 2, "the control character U+0009 must be escaped"),
        ('"a\x00"', 2, "the control character U+0000 must be escaped"),
        ('"abc', 0, "the string that starts here is not closed"),
        ('"abc\\', 0, "the string that starts here is not closed"),
        ('"abc\\u12', 0, "the string that starts here is not closed"),
    ],
)
def test_trouble_in_a_string_is_placed(raw: str, at: int, said: str) -> None:
    assert tokens.string_end("xx" + raw, 2) == -1
    assert tokens.string_problem("xx" + raw, 2) == (at + 2, said)


def test_escaped_backslash_before_u_is_no_escape() -> None:
    assert tokens.string_end(r'"\\ud83d"', 0) == 9


def test_long_strings_of_escapes_need_no_stack() -> None:
    raw = '"' + "\\n" * 300_000 + '"'
    assert tokens.string_end(raw, 0) == len(raw)


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("NaN", "NaN is not JSON"),
        ("True", "True is not JSON; write true"),
        ("None", "None is not JSON; write null"),
        ("01", "01 is not JSON"),
        ("\ufeff", '"\\ufeff" is not JSON; a byte order mark may only start the file'),
        ("x" * 100, '"' + "x" * 59 + '…" is not JSON'),
    ],
)
def test_words_that_json_has_not(word: str, said: str) -> None:
    assert tokens.word_problem(word) == said


@pytest.mark.parametrize(
    ("text", "is_number"),
    [
        ("0", True),
        ("-0", True),
        ("10", True),
        ("1.50", True),
        ("1e5", True),
        ("-1.0E-07", True),
        ("01", False),
        ("1.", False),
        (".5", False),
        ("+1", False),
        ("-", False),
        ("1e", False),
        ("1e+", False),
        ("٣", False),
        ("0x1", False),
        ("1_0", False),
    ],
)
def test_numbers_are_those_of_json(text: str, is_number: bool) -> None:
    assert bool(tokens.NUMBER.fullmatch(text)) == is_number


def test_runs_of_numbers_end_before_the_last_and_before_anything_else() -> None:
    found = tokens.PLAIN_NUMBERS.match(' 1 ,\n-2.5e3,"x",4,')
    assert found is not None
    assert found.group() == " 1 ,\n-2.5e3,"


@pytest.mark.parametrize("n", [499, 500, 501, 1499, 100_000])
def test_long_strings_end_where_they_end(n: int) -> None:
    for piece in ("\\n", "\\u00e9", "x\\\\"):
        text = f'"{piece * n}"'
        assert tokens.string_end(text, 0) == len(text)
        assert tokens.string_end(text[:-1], 0) == -1
