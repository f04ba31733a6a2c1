"""Nothing runs before every argument is accepted, and no text becomes anything but what its parameter says."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxint.cli.plan import convert, plan
from voxint.cli.spec import NUMBER, TEXT, WHOLE, Parameter
from voxint.errors import UsageError

SCORE = ["score", "name-accuracy"]


def refused(*words: str) -> str:
    with pytest.raises(UsageError) as caught:
        plan(list(words))
    return str(caught.value)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "a group is missing"),
        (["scor"], "did you mean score?"),
        (["score"], "a command is missing"),
        (["score", "name-acuracy"], "did you mean name-accuracy?"),
        (SCORE, "ITEMS is required"),
        ([*SCORE, "a", "b"], 'unexpected word "b"'),
        ([*SCORE, "a", "--sed", "3"], 'unknown flag "--sed", did you mean --seed?'),
        ([*SCORE, "a", "-s", "3"], 'unknown flag "-s"'),
        ([*SCORE, "a", "--", "--seed", "3"], 'unknown flag "--"'),
        ([*SCORE, "a", "--seed", "3", "--seed=4"], "--seed is given twice"),
        ([*SCORE, "a", "--n-boot", "3", "--n_boot", "4"], "--n-boot is given twice"),
        ([*SCORE, "a", "--out"], "--out needs a value"),
        ([*SCORE, "a", "--out", "--seed", "3"], "--out needs a value"),
        ([*SCORE, "a", "--out="], "--out needs a value"),
        ([*SCORE, "a", "--format", "jsn"], 'must be one of json, table, md, not "jsn"'),
        ([*SCORE, "a", "run"], 'unexpected word "run"'),
        ([*SCORE, "a", "__class__"], "__class__"),
        ([*SCORE, "a", "__doc__"], "__doc__"),
        ([*SCORE, "a", "--seed", "-1"], "--seed: must be at least 0, not -1"),
        ([*SCORE, "a", "--seed", "4294967296"], "--seed: must be at most 4294967295"),
        ([*SCORE, "a", "--seed", "1e3"], 'must be a whole number, not "1e3"'),
        ([*SCORE, "a", "--seed", "3.0"], "must be a whole number"),
        ([*SCORE, "a", "--target-accuracy", "nan"], "must be a finite number"),
        ([*SCORE, "a", "--target-accuracy", "1e999"], "must be a finite number"),
        ([*SCORE, "a", "--target-accuracy", "0"], "must be above 0, not 0"),
        ([*SCORE, "a", "--target-accuracy", "1.01"], "must be at most 1, not 1.01"),
        ([*SCORE, "a", "--target-accuracy", "True"], "must be a finite number"),
    ],
)
def test_a_wrong_command_line_is_refused_in_one_line(words: list[str], said: str) -> None:
    message = refused(*words)
    assert said in message
    assert "\n" not in message


def test_values_are_converted_by_their_parameter() -> None:
    words = [*SCORE, "a,b.jsonl", "--aliases", "None", "--seed", "007", "--out", "1e3", "--target_accuracy=.5"]
    assert plan(words).values == {
        "items": "a,b.jsonl",
        "aliases": "None",
        "seed": 7,
        "out": "1e3",
        "target_accuracy": 0.5,
    }


def test_stdin_is_a_value_and_not_fires_separator() -> None:
    assert plan([*SCORE, "-"]).values == {"items": "-"}
    assert plan([*SCORE, "--baseline", "-", "x"]).values == {"items": "x", "baseline": "-"}


def test_a_positional_may_be_named() -> None:
    assert plan([*SCORE, "--baseline", "b", "--items", "a"]).values == {"items": "a", "baseline": "b"}


def test_a_command_without_arguments_is_a_plan_too() -> None:
    assert plan(["contract", "list"]).values == {}


def test_fire_says_nothing_of_its_own(capfd: pytest.CaptureFixture[str]) -> None:
    refused(*SCORE)
    plan([*SCORE, "a"])
    assert capfd.readouterr() == ("", "")


@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1).filter(
        lambda t: not t.startswith("-")
    )
)
def test_any_text_arrives_as_it_was_typed(text: str) -> None:
    assert plan([*SCORE, "x", "--baseline", text]).values["baseline"] == text
    assert plan([*SCORE, text]).values["items"] == text


@pytest.mark.parametrize("text", ["1_000", " 5", "5 ", "٣", "0x10", "infinity", "", "+-3", "1e", "--5"])
def test_only_plain_decimal_numbers_are_numbers(text: str) -> None:
    for kind in (NUMBER, WHOLE):
        with pytest.raises(UsageError):
            convert(Parameter("n", kind, ""), text)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (NUMBER, "-2.5e-3", -0.0025),
        (NUMBER, "+1", 1.0),
        (WHOLE, "-0", 0),
        (WHOLE, "9" * 40, int("9" * 40)),
        (TEXT, "1", "1"),
    ],
)
def test_convert_keeps_the_value(kind: str, text: str, value: Any) -> None:
    converted = convert(Parameter("n", kind, ""), text)
    assert converted == value
    assert type(converted) is type(value)


def test_planning_imports_no_scorer() -> None:
    held = {name: sys.modules.pop(name) for name in list(sys.modules) if name.startswith("voxint.harness")}
    try:
        plan([*SCORE, "a", "--seed", "1"])
        assert not [name for name in sys.modules if name.startswith("voxint.harness")]
    finally:
        sys.modules.update(held)
