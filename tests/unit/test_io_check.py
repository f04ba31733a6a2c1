from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from voxint.errors import Path
from voxint.io.check import Check


class Base(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", allow_inf_nan=False)


class Slot(Base):
    name: str | None
    weight: Annotated[float, Field(ge=0)] | None = None
    vector: list[float] = []


class Item(Base):
    schema_version: Annotated[int, Field(ge=1, le=1)] | None = None
    item_id: Annotated[str, Field(min_length=1)]
    slots: Annotated[dict[str, Slot], Field(min_length=1)]


class Broken(NamedTuple):
    path: Path
    message: str


def named_after_item(item: Item) -> Iterator[Broken]:
    for label, slot in item.slots.items():
        if slot.name == item.item_id:
            yield Broken(("slots", label, "name"), "must not be the item")


def short(item: Item) -> list[Broken]:
    return [Broken(("slots",), "must be one")] if len(item.slots) > 1 else []


JSON = json.JSONEncoder()
CHECK = Check(Item, [named_after_item, short])


def test_json_that_is_broken_after_other_trouble_has_one_fault() -> None:
    assert faults('{"a": NaN, "a": 1,}') == ["f:1:18: $: trailing comma"]


def faults(text: str, line: int = 1) -> list[str]:
    found, n = CHECK.faults(text.encode(), "f", line)
    assert n == len(found) == CHECK.n_faults(text.encode())
    assert CHECK.models([text.encode()]) is None
    return [str(fault) for fault in found]


def test_good_texts_become_models_in_order() -> None:
    texts = [f'{{"item_id": "{n}", "slots": {{"S": {{"name": null}}}}}}\r\n'.encode() for n in "abc"]
    models = CHECK.models(texts)
    assert models is not None
    assert [model.item_id for model in models] == ["a", "b", "c"]
    assert CHECK.models([]) == []
    assert CHECK.models([*texts, b"{}"]) is None


def test_all_faults_of_a_record_come_in_the_order_of_its_text() -> None:
    text = '{"slots": {"S é": {"weight": -1, "vector": [1, "x", null]}, "T": 5}, "item_id": ""}'
    assert faults(text, 3) == [
        'f:3:19: $.slots["S é"].name: is required',
        'f:3:30: $.slots["S é"].weight: must be at least 0, not -1',
        'f:3:48: $.slots["S é"].vector[1]: must be a number, not "x"',
        'f:3:53: $.slots["S é"].vector[2]: must be a number, not null',
        "f:3:66: $.slots.T: must be an object, not 5",
        "f:3:81: $.item_id: must not be empty",
    ]


def test_lines_of_a_document_are_counted() -> None:
    text = '{\n  "item_id": "a",\n  "slots": {\r\n\t"é": {"name": 3},\n "T": {}\n}}\n'
    assert faults(text) == [
        "f:4:16: $.slots.é.name: must be a string, not 3",
        "f:5:7: $.slots.T.name: is required",
    ]


def test_repeated_keys_join_the_other_faults() -> None:
    text = '{"item_id": "a", "item_id": 5, "slots": {"S": {"name": "x", '
    text += '"name": "y", "weight": ""}}, "z": [{"q": 1, "q": 2}]}'
    assert faults(text) == [
        'f:1:18: $: duplicate key "item_id"',
        'f:1:61: $.slots.S: duplicate key "name"',
        'f:1:84: $.slots.S.weight: must be a number, not ""',
        'f:1:105: $.z[0]: duplicate key "q"',
    ]


def test_nan_is_told_once_also_where_a_field_reads_it() -> None:
    text = '{"item_id": "a", "slots": {"S": {"name": "x", "weight": NaN}}, "note": -Infinity}'
    assert faults(text) == [
        "f:1:57: $.slots.S.weight: NaN is not JSON",
        "f:1:72: $.note: -Infinity is not JSON",
    ]


def test_text_that_is_not_json_has_one_fault() -> None:
    assert faults('{"item_id": "", "slots": {"S": 3}') == ["f:1:34: $.slots: the JSON text ends early; is it cut off?"]
    assert faults("[1, 2") == ["f:1:6: $[1]: the JSON text ends early; is it cut off?"]
    assert faults('"text"') == ['f:1:1: $: must be an object, not "text"']


def test_another_version_has_one_fault_whatever_else_differs() -> None:
    text = '{"schema_version": 2, "items": []}'
    assert faults(text) == ["f:1:20: $.schema_version: must be 1, the version this reader implements, not 2"]
    assert CHECK.is_other_version(text.encode())
    assert not CHECK.is_other_version(b'{"schema_version": 1, "items": []}')
    assert not CHECK.is_other_version(b'{"schema_version": true, "items": []}')


def test_broken_rules_are_placed_like_other_faults() -> None:
    text = '{"item_id": "a", "slots": {"S": {"name": "a"}, "T": {"name": "a"}}}'
    assert faults(text) == [
        "f:1:27: $.slots: must be one",
        "f:1:42: $.slots.S.name: must not be the item",
        "f:1:62: $.slots.T.name: must not be the item",
    ]


def test_rules_and_repeated_keys_come_together() -> None:
    text = '{"item_id": "a", "slots": {"S": {"name": "a"}}, "x": 1, "x": 1}'
    assert faults(text) == ["f:1:42: $.slots.S.name: must not be the item", 'f:1:57: $: duplicate key "x"']


def test_only_the_first_faults_are_placed_and_all_are_counted() -> None:
    text = '{"item_id": "a", "slots": {"S": {"name": "a", "vector": [' + '"x",' * 99 + '"x"]}}}'
    found, n = CHECK.faults(text.encode(), "f")
    assert (len(found), n, CHECK.n_faults(text.encode())) == (20, 100, 100)
    assert found[19].path == ("slots", "S", "vector", 19)


@pytest.mark.parametrize(
    "text",
    [
        '{"item_id": "a", "slots": {"S": {"name": "x"}}, "n": 1e400}',
        '{"item_id": "a", "slots": {"S": {"name": "x"}}, "n": 1' + "0" * 4000 + "}",
    ],
)
def test_numbers_too_large_for_anything_are_harmless_where_no_field_reads_them(text: str) -> None:
    assert CHECK.models([text.encode()]) is not None


BLANK = st.text(alphabet=" \t\r\n", max_size=2)


@st.composite
def objects(draw: st.DrawFn, keys: tuple[str, ...], value: Any) -> str:
    """The text of an object with blanks anywhere, keys perhaps escaped or repeated."""
    parts = []
    for key in keys:
        name = draw(st.sampled_from([JSON.encode(key), f'"\\u{ord(key[0]):04x}{key[1:]}"']))
        parts.append(f"{draw(BLANK)}{name}{draw(BLANK)}:{draw(BLANK)}{draw(value(key))}{draw(BLANK)}")
    return "{" + ",".join(parts) + "}"


def repeated(keys: tuple[str, ...], *others: str) -> st.SearchStrategy[tuple[str, ...]]:
    extra = st.lists(st.sampled_from([*keys, *others]), max_size=1)
    return st.tuples(st.permutations(keys), extra).map(lambda pair: (*pair[0], *pair[1]))


def slot_value(key: str) -> st.SearchStrategy[str]:
    return st.sampled_from({"name": ['"x"', '":"', '"\\":"', '" :"', "null"], "weight": ["1.5", "0"]}.get(key, ["3"]))


def slots() -> st.SearchStrategy[str]:
    return repeated(("name", "weight"), "zz").flatmap(lambda keys: objects(keys, slot_value))


def record_value(key: str) -> st.SearchStrategy[str]:
    if key == "slots":
        return repeated(("S", "T:")).flatmap(lambda keys: objects(keys, lambda _: slots()))
    return st.just('"a"') if key == "item_id" else st.just('[{"k": 1}, {"k" : 1}]') | st.just('{"k": 1, "k": 2}')


RECORDS = repeated(("item_id", "slots"), "note").flatmap(lambda keys: objects(keys, record_value))


def has_repeated_keys(text: str) -> bool:
    found = []

    def note(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found.append(len(pairs) != len(dict(pairs)))
        return dict(pairs)

    json.loads(text, object_pairs_hook=note)
    return any(found)


@settings(deadline=None)
@given(st.lists(RECORDS, min_size=1, max_size=3))
def test_repeated_keys_are_noticed_just_where_a_naive_parser_sees_them(texts: list[str]) -> None:
    models = Check(Item, []).models([text.encode() for text in texts])
    assert (models is None) == any(map(has_repeated_keys, texts))
    for text in texts:
        found, _ = Check(Item, []).faults(text.encode(), "f")
        assert bool(found) == has_repeated_keys(text)


def any_value(key: str) -> st.SearchStrategy[str]:
    if key == "slots":
        return repeated(("S", "T")).flatmap(lambda keys: objects(keys, lambda _: wrong_slots()))
    return st.sampled_from(['"a"', "3", "NaN", '""', "[]", "1e400", "-Infinity", "null", '{"k": NaN, "k": []}'])


def wrong_slots() -> st.SearchStrategy[str]:
    keys = repeated(("name", "weight", "vector"), "zz").flatmap(lambda keys: objects(keys, any_value))
    return keys | st.sampled_from(["NaN", "5", "{}"])


ANY_RECORDS = repeated(("item_id", "slots"), "note", "schema_version").flatmap(lambda keys: objects(keys, any_value))


@settings(deadline=None, max_examples=150)
@given(ANY_RECORDS, st.booleans())
def test_faults_are_counted_as_they_are_listed(text: str, is_cut: bool) -> None:
    data = (text[:-1] if is_cut else text).encode()
    found, n = CHECK.faults(data, "f")
    assert n == CHECK.n_faults(data)
    assert len(found) == min(n, 20)
    assert (n == 0) == (CHECK.models([data]) is not None)
    assert [(fault.line, fault.column) for fault in found] == sorted((fault.line, fault.column) for fault in found)


@pytest.mark.parametrize(
    ("text", "is_json", "ends_early"),
    [
        (b"{}", True, False),
        (b'{"a": NaN}', True, False),
        (b"[", False, True),
        (b'{"a": "b', False, True),
        (b"", False, False),
        (b" ", False, False),
        (b"{} {}", False, False),
        (b"no", False, False),
    ],
)
def test_no_json_and_half_of_it(text: bytes, is_json: bool, ends_early: bool) -> None:
    check = Check(Item, ())
    assert (check.is_json(text), check.ends_early(text)) == (is_json, ends_early)
