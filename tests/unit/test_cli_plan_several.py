"""A flag of several files takes every word up to the next flag."""

from __future__ import annotations

import pytest

from voxint.cli.plan import plan
from voxint.errors import UsageError

WORDS = ["attribution", "report"]


@pytest.mark.parametrize(
    ("words", "runs"),
    [
        (["--run", "a.json", "--date", "d"], ("a.json",)),
        (["--run", "a.json", "b.json", "c.json", "--date", "d"], ("a.json", "b.json", "c.json")),
        (["--date", "d", "--run", "a.json", "b.json"], ("a.json", "b.json")),
        (["--run=a.json", "b.json", "--date", "d"], ("a.json", "b.json")),
        (["--run", "-", "a,b.json", "(1, 2)", "--date", "d"], ("-", "a,b.json", "(1, 2)")),
        (["--date=d", "--run", "a b.json", "1e3"], ("a b.json", "1e3")),
    ],
)
def test_words_are_gathered(words: list[str], runs: tuple[str, ...]) -> None:
    accepted = plan([*WORDS, *words])
    assert (accepted.values["run"], accepted.values["date"]) == (runs, "d")


def test_two_flags_of_several_files() -> None:
    accepted = plan([*WORDS, "--run", "a", "b", "--trials", "c", "d", "--date", "e", "--out", "f"])
    assert [accepted.values[name] for name in ("run", "trials", "date", "out")] == [("a", "b"), ("c", "d"), "e", "f"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--date", "d"], "--run is required"),
        (["--run", "--date", "d"], "--run needs a value"),
        (["--run", "a", "--run", "b", "--date", "d"], "--run is given twice"),
        (["--run", "a", "--date", "d", "e"], "unexpected word"),
        (["--run", "a", "--date", "d", "--format", "pdf"], "must be one of md, html, table, json"),
    ],
)
def test_what_is_wrong_is_said(words: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        plan([*WORDS, *words])
    assert message in str(caught.value)


def test_a_flag_of_one_file_takes_one_word() -> None:
    with pytest.raises(UsageError, match="unexpected word"):
        plan(["calibrate", "sweep", "--trials", "a.json", "b.json"])
