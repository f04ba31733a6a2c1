from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from voxint.io import words


class Verdict(StrEnum):
    TP = "TP"
    FN = "FN"


class Part(BaseModel):
    x: int


class Everything(BaseModel):
    model_config = ConfigDict(strict=True, allow_inf_nan=False)
    schema_version: Annotated[int, Field(ge=2, le=2)] | None = None
    part: Part | None = None
    named: dict[Annotated[str, Field(min_length=1)], int] = {}
    text: Annotated[str, Field(min_length=1, max_length=3, pattern="^[a-z]*$")] = "a"
    long: Annotated[str, Field(min_length=2)] = "aa"
    whole: Annotated[int, Field(gt=0, lt=2147483647, multiple_of=3)] = 3
    number: Annotated[float, Field(ge=0, le=0.5)] = 0.0
    flag: bool = True
    verdict: Verdict = Verdict.TP
    kind: Literal["report"] = "report"
    choice: Literal[1, 2] = 1
    pair: Annotated[list[int], Field(min_length=2, max_length=2)] = [1, 2]
    some: Annotated[list[int], Field(min_length=1)] = [1]
    nothing: None = None
    odd: str = "odd"

    @field_validator("odd")
    @classmethod
    def _odd(cls, value: str) -> str:
        if value == "even":
            raise ValueError("is even")
        return value


@pytest.mark.parametrize(
    ("text", "got", "said"),
    [
        ('{"part": 5}', "5", "must be an object, not 5"),
        ('{"part": {}}', "an object", "is required"),
        ('{"named": []}', "an array", "must be an object, not an array"),
        ('{"pair": {}}', "an object", "must be an array, not an object"),
        ('{"pair": []}', "an array", "must not be empty"),
        ('{"pair": [1]}', "an array", "must hold at least 2, not 1"),
        ('{"pair": [1, 2, 3]}', "an array", "must hold at most 2, not 3"),
        ('{"some": []}', "an array", "must not be empty"),
        ('{"text": 3}', "3", "must be a string, not 3"),
        ('{"text": ""}', '""', "must not be empty"),
        ('{"text": "abcd"}', '"abcd"', 'must have at most 3 characters, not "abcd"'),
        ('{"text": "A"}', '"A"', 'must match ^[a-z]*$, not "A"'),
        ('{"long": "a"}', '"a"', 'must have at least 2 characters, not "a"'),
        ('{"whole": 6.0}', "6.0", "must be a whole number, not 6.0"),
        ('{"whole": "6"}', '"6"', 'must be a whole number, not "6"'),
        ('{"whole": true}', "true", "must be a whole number, not true"),
        ('{"whole": 0}', "0", "must be greater than 0, not 0"),
        ('{"whole": 2147483649}', "2147483649", "must be less than 2147483647, not 2147483649"),
        ('{"whole": 4}', "4", "must be a multiple of 3, not 4"),
        ('{"number": "x"}', '"x"', 'must be a number, not "x"'),
        ('{"number": false}', "false", "must be a number, not false"),
        ('{"number": -3}', "-3", "must be at least 0, not -3"),
        ('{"number": 0.75}', "0.75", "must be at most 0.5, not 0.75"),
        ('{"number": 1e400}', "1e400", "must be a finite number, not 1e400"),
        ('{"number": NaN}', "NaN", "must be a finite number, not NaN"),
        ('{"flag": 1}', "1", "must be true or false, not 1"),
        ('{"verdict": "XX"}', '"XX"', 'must be one of TP, FN, not "XX"'),
        ('{"kind": "other"}', '"other"', 'must be report, not "other"'),
        ('{"choice": 3}', "3", "must be one of 1, 2, not 3"),
        ('{"nothing": 0}', "0", "must be null, not 0"),
        ('{"odd": "even"}', '"even"', "is even"),
        ('{"schema_version": 3}', "3", "must be 2, the version this reader implements, not 3"),
        ('{"schema_version": 1}', "1", "must be 2, the version this reader implements, not 1"),
        ('{"schema_version": "2"}', '"2"', 'must be a whole number, not "2"'),
        ("[]", "an array", "must be an object, not an array"),
    ],
)
def test_each_kind_of_error_has_its_words(text: str, got: str, said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Everything.model_validate_json(text)
    assert [words.message(error, got) for error in caught.value.errors()] == [said]


def test_unknown_kinds_keep_their_own_words() -> None:
    def error(kind: str, text: str) -> Any:
        return {"type": kind, "loc": ("a",), "msg": text, "input": None}

    assert words.message(error("date_type", "Input should be a valid date"), "3") == "must be a valid date, not 3"
    assert words.message(error("custom", "Something else"), "3") == "Something else"


def test_only_the_version_of_the_record_itself_counts() -> None:
    class Holder(BaseModel):
        inner: Everything

    for text, is_wrong in [('{"inner": {"schema_version": 3}}', False), ('{"schema_version": 3}', True)]:
        model = Everything if is_wrong else Holder
        with pytest.raises(ValidationError) as caught:
            model.model_validate_json(text)
        assert words.is_wrong_version(caught.value.errors()[0]) is is_wrong


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ('"x\\u0041\\n"', '"xA\\u000a"'),
        ('"' + "é" * 100 + '"', '"' + "é" * 59 + '…"'),
        ("{", "an object"),
        ("[", "an array"),
        ("1e400", "1e400"),
        ("null", "null"),
        ("9" * 100, "9" * 59 + "…"),
    ],
)
def test_values_are_shown_short(raw: str, shown: str) -> None:
    assert words.shown(raw) == shown
