from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, model_validator

from voxint.io.keys import all_keys_known, key_counter


class Base(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", allow_inf_nan=False)


class Kind(StrEnum):
    NEW = "NEW"


class Leaf(Base):
    name: str | None
    weight: Annotated[float, Field(ge=0)] | None = None
    kind: Kind | None = None


class Record(Base):
    version: Literal[1] = 1
    vector: list[list[float]] = []
    best: Leaf | None = None
    leaves: list[Leaf] = []
    slots: dict[str, Leaf]
    groups: dict[str, list[str]] | None = None


LEAF = st.dictionaries(st.sampled_from(["name", "weight", "kind"]), st.none()).map(lambda d: {"name": ":", **d})
RECORD = st.fixed_dictionaries(
    {"slots": st.dictionaries(st.text(max_size=3), LEAF, max_size=3)},
    optional={
        "version": st.just(1),
        "vector": st.just([[1.0, 2.0], []]),
        "best": st.none() | LEAF,
        "leaves": st.lists(LEAF, max_size=3),
        "groups": st.none() | st.dictionaries(st.text(max_size=3), st.just(["x:y"]), max_size=2),
    },
)


def n_keys(value: object) -> int:
    if isinstance(value, dict):
        return len(value) + sum(map(n_keys, value.values()))
    return sum(map(n_keys, value)) if isinstance(value, list) else 0


@settings(deadline=None)
@given(st.lists(RECORD, max_size=4))
def test_all_keys_of_all_records_are_counted(records: list[dict[str, Any]]) -> None:
    count = key_counter(Record)
    assert count is not None
    models = [Record.model_validate_json(json.JSONEncoder().encode(record)) for record in records]
    assert count(models) == sum(map(n_keys, records))


def test_ignored_and_repeated_keys_are_not_counted() -> None:
    count = key_counter(Record)
    assert count is not None
    text = '{"slots": {"S": {"name": null, "name": "x"}, "S": {"name": null}}, "note": {"a": 1}, "slots": {}}'
    assert count([Record.model_validate_json(text)]) == 1


class FreeForm(Base):
    note: Any


class FreeDict(Base):
    notes: dict[str, Any]


class FreeList(Base):
    notes: list[Any]


class NumberKeys(Base):
    counts: dict[int, int]


class OneOf(Base):
    value: Leaf | Record


class Filled(Base):
    names: dict[str, str] = {"a": "b"}


class Made(Base):
    names: dict[str, str] = Field(default_factory=lambda: {"a": "b"})


class Renamed(Base):
    name: str = Field(alias="other")


class Open(Base):
    model_config = ConfigDict(extra="allow")
    name: str


class Judged(Base):
    name: str

    @model_validator(mode="after")
    def _judge(self) -> Judged:
        return self


class Within(Base):
    judged: list[Judged]


class Nested(Base):
    inner: Nested | None = None


@pytest.mark.parametrize(
    "model",
    [FreeForm, FreeDict, FreeList, NumberKeys, OneOf, Filled, Made, Renamed, Open, Judged, Within, Nested],
)
def test_nothing_is_promised_where_keys_cannot_be_known(model: type[BaseModel]) -> None:
    model.model_rebuild()
    assert key_counter(model) is None


class Twice(Base):
    first: Leaf
    second: Leaf


def test_shared_definitions_are_followed() -> None:
    count = key_counter(Twice)
    assert count is not None
    assert count([Twice.model_validate_json('{"first": {"name": null}, "second": {"name": "", "weight": 1}}')]) == 5


@pytest.mark.parametrize(
    ("text", "n", "known"),
    [
        (b'{"a":1,"b" : 2}', 2, True),
        (b'{"a" : 1, "a": 2}', 1, False),
        (b'{"a":"12:30"}', 1, True),
        (b'{"a":"12:30","b" \t\r\n: "x:y"}', 2, True),
        (b'{"a":":x"}', 1, False),
        (b'{"a":"x\\":"}', 1, False),
        (b'{"a":"\\" :"}', 1, False),
        (b'{"a":1,"x":NaN}', 1, False),
        (b"{}", 0, True),
    ],
)
def test_colons_prove_the_number_of_keys_or_nothing(text: bytes, n: int, *, known: bool) -> None:
    assert all_keys_known(text, n) is known
