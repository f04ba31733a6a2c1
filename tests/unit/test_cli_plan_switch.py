"""A switch is a flag without a value: off when it is left out."""

from __future__ import annotations

import pytest

from voxint.cli.help import command_help
from voxint.cli.plan import plan
from voxint.errors import UsageError

JUDGE = ["rate", "judge", "script.json", "--model", "openai:x"]


@pytest.mark.parametrize(
    "words",
    [
        [*JUDGE, "--refresh"],
        ["rate", "judge", "--refresh", "script.json", "--model", "openai:x"],
        ["rate", "judge", "script.json", "--refresh", "--model", "openai:x"],
    ],
)
def test_a_switch_takes_no_word_away(words: list[str]) -> None:
    found = plan(words).values
    assert found["refresh"] is True
    assert (found["script"], found["model"]) == ("script.json", "openai:x")


def test_a_switch_that_is_left_out_is_off() -> None:
    assert "refresh" not in plan(JUDGE).values


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--refresh=yes"], '--refresh: is given or left out, and takes no value: "yes"'),
        (["--refresh=True"], "--refresh: is given or left out"),
        (["--refresh="], "--refresh needs a value"),
        (["--refresh", "--refresh"], "--refresh is given twice"),
        (["--refresh", "yes"], "yes"),
        (["--norefresh"], 'unknown flag "--norefresh"'),
        (["--seed", "--refresh"], "--seed needs a value"),
    ],
)
def test_what_a_switch_is_not(more: list[str], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        plan([*JUDGE, *more])
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "\x00" not in str(caught.value)


def test_help_shows_it_alone() -> None:
    text = command_help(plan(JUDGE).spec)
    assert "[--refresh]" in text
    assert "  --refresh                 Ask again" in text
