from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import pytest
from pydantic import BaseModel, ConfigDict, Field

from voxint import errors
from voxint.errors import ContractError, InputError, RecordFault, VersionError
from voxint.io import read
from voxint.io.read import Rows, document, document_places, rows

LATIN_1 = (
    "byte 0xe9 is not UTF-8: it looks like Latin-1 (Windows-1252); "
    "convert it, for example with iconv -f CP1252 -t UTF-8"
)


class Base(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", allow_inf_nan=False)


class Item(Base):
    schema_version: Annotated[int, Field(ge=1, le=1)] | None = None
    item_id: str
    slots: dict[str, float] = {}


class Broken(NamedTuple):
    path: errors.Path
    message: str


def not_b(item: Item) -> Iterator[Broken]:
    if item.item_id == "b":
        yield Broken(("item_id",), "must not be b")


def line(item_id: str, slots: str = "{}") -> bytes:
    return f'{{"item_id": "{item_id}", "slots": {slots}}}\n'.encode()


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def put(*lines: bytes, name: str = "items.jsonl") -> Rows[Item]:
    Path(name).write_bytes(b"".join(lines))
    return rows(name, Item)


def ids(records: Rows[Item]) -> list[str]:
    return [item.item_id for item in records]


def told(records: Rows[Item]) -> list[str]:
    with pytest.raises(ContractError) as caught:
        list(records)
    return list(caught.value.lines())


def give_stdin(monkeypatch: pytest.MonkeyPatch, *lines: bytes) -> Rows[Item]:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"".join(lines))))
    return rows("-", Item)


def test_records_come_in_order_and_again() -> None:
    records = put(*(line(str(n)) for n in range(5000)))
    assert ids(records) == [str(n) for n in range(5000)]
    assert records.n_records == 5000
    assert ids(records)[-1] == "4999"
    assert records.n_records == 5000
    assert records.file == "items.jsonl"


def test_blank_lines_and_carriage_returns_are_no_records() -> None:
    records = put(b"\n \t\r\n", line("a")[:-1] + b"\r\n", b"\n", line("b\u2028"), b"   ")
    assert ids(records) == ["a", "b\u2028"]
    assert records.n_records == 2


@pytest.mark.parametrize("content", [b"", b"\n", b"\xef\xbb\xbf", b" \r\n\n"])
def test_a_file_without_records_yields_none(content: bytes) -> None:
    records = put(content)
    assert ids(records) == []
    assert records.n_records == 0


def test_only_white_space_of_json_is_blank() -> None:
    assert told(put(line("a"), b"\x0c\n", "\u00a0\n".encode())) == [
        'items.jsonl:2:1: $: "\\u000c" is not JSON',
        'items.jsonl:3:1: $: "\\u00a0" is not JSON',
    ]


def test_every_fault_of_the_file_is_told_with_its_line() -> None:
    records = put(
        line("a"), b"\n", b'{"item_id": 3}\n', line("b"), b'\xc3\xa9\n{"item_id": "\xc3\xa9", "slots": {"S": "x"}}'
    )
    assert told(records) == [
        "items.jsonl:3:13: $.item_id: must be a string, not 3",
        'items.jsonl:5:1: $: "é" is not JSON',
        'items.jsonl:6:33: $.slots.S: must be a number, not "x"',
    ]


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ('{"item_id": "é", "slots": {"S": NaN}}', "33: $.slots.S: NaN is not JSON"),
        ('{"item_id": "é", "note": [-Infinity]}', "27: $.note[0]: -Infinity is not JSON"),
        ('{"item_id": "é", "slots": {"S": 1e400}}', "33: $.slots.S: must be a finite number, not 1e400"),
        (
            f'{{"item_id": "é", "slots": {{"S": {"7" * 400}}}}}',
            f"33: $.slots.S: must be a finite number, not {'7' * 59}…",
        ),
        (f'{{"item_id": "é", "note": {"7" * 5000}}}', "26: $.note: has 5000 digits; at most 4300 are read"),
        ('{"item_id": "é", "note": ' + "[" * 10**5, "226: $.note: is nested deeper than 200 levels"),
        ('{"item_id": "é\\ud83d"}', r"15: $.item_id: \ud83d is half of a surrogate pair, not a character"),
        ('{"item_id": "é\x01"}', "15: $.item_id: the control character U+0001 must be escaped"),
        ('{"item_id": "é",}', "16: $: trailing comma"),
        ('{"item_id": "é"} {}', "18: $: unexpected text after the end of the JSON value"),
        ('{"item_id": "é', "13: $.item_id: the string that starts here is not closed"),
        ("[]", "1: $: must be an object, not an array"),
        ('{"schema_version": 2}', "20: $.schema_version: must be 1, the version this reader implements, not 2"),
    ],
)
def test_each_kind_of_trouble_is_one_fault(record: str, said: str) -> None:
    assert told(put(line("a"), record.encode())) == [f"items.jsonl:2:{said}"]


def test_no_models_come_after_the_first_fault() -> None:
    many = [line(str(n)) for n in range(2000)]
    records = put(*many, b"[]\n", *many)
    seen: list[str] = []
    with pytest.raises(ContractError, match=r"^items.jsonl:2001:1: \$: must be an object, not an array$"):
        seen.extend(item.item_id for item in records)
    assert seen == [str(n) for n in range(len(seen))]
    assert 1000 < len(seen) <= 2000
    assert records.n_records == len(seen)


def test_twenty_faults_are_told_and_the_rest_counted() -> None:
    records = put(*(b'{"item_id": 3, "slots": {"S": NaN}}\n{"item_id": 4, "slots": 5}\n' for _ in range(30)))
    lines = told(records)
    assert lines[18:] == [
        "items.jsonl:10:13: $.item_id: must be a string, not 4",
        "items.jsonl:10:25: $.slots: must be an object, not 5",
        "items.jsonl: 100 more faults not shown",
    ]


def test_rules_hold_for_records() -> None:
    put(line("a"), line("b"), line("c"))
    with pytest.raises(ContractError, match=r"^items.jsonl:2:13: \$.item_id: must not be b$"):
        list(rows("items.jsonl", Item, rules=[not_b]))
    put(line("a"), line("c"))
    assert ids(rows("items.jsonl", Item, rules=[not_b])) == ["a", "c"]


def test_another_encoding_is_one_fault_and_others_are_told_too() -> None:
    latin = '{"item_id": "José"}\n'.encode("latin-1")
    assert told(put(line("a"), latin, b"[]\n", latin)) == [
        f"items.jsonl:2:17: {LATIN_1}",
        "items.jsonl:3:1: $: must be an object, not an array",
    ]


def test_a_cut_archive_is_a_fault_after_those_of_its_lines() -> None:
    content = line("a") + b"[]\n" + b"".join(line(str(n)) for n in range(3000))
    records = put(gzip.compress(content)[:-9], name="items.jsonl.gz")
    first, last = told(records)
    assert first == "items.jsonl.gz:2:1: $: must be an object, not an array"
    assert last.startswith("items.jsonl.gz:30")
    assert last.endswith(": the gzip data ends early: the file is cut off")
    assert ids(put(gzip.compress(content[len(line("a")) + 3 :]), name="good.jsonl.gz"))[:2] == ["0", "1"]


def test_what_cannot_be_opened_is_no_contract_error() -> None:
    with pytest.raises(InputError) as caught:
        list(rows("missing.jsonl", Item))
    assert type(caught.value) is InputError
    assert str(caught.value) == "missing.jsonl: cannot be read: No such file or directory"


def test_progress_is_heard_while_reading() -> None:
    put(*(line(str(n)) for n in range(100)))
    heard: list[int] = []
    assert len(list(rows("items.jsonl", Item, on_bytes=heard.append))) == 100
    assert sum(heard) == Path("items.jsonl").stat().st_size


def test_records_are_located_over_blank_lines() -> None:
    records = put(b"\n", line("a"), b" \r\n\n", line("é", '{"x": 1, "y": 2}'), line("c"))
    assert ids(records) == ["a", "é", "c"]
    assert str(records.locate(0)) == "items.jsonl:2"
    assert str(records.locate(1, ("slots", "y"))) == "items.jsonl:5:41: $.slots.y"
    assert str(records.locate(1, ("slots", "z"))) == "items.jsonl:5:27: $.slots.z"
    assert str(records.locate(2, ())) == "items.jsonl:6:1: $"
    assert str(records.locate(9, ("slots",))) == "items.jsonl: $.slots"


def test_many_records_are_located_in_one_pass() -> None:
    records = put(line("a"), b"\n", line("b"))
    found = records.places(
        [
            RecordFault("items", 1, "is there twice", ("item_id",)),
            RecordFault("items", 0, "is odd"),
            RecordFault("items", None, "are too few"),
        ]
    )
    assert list(map(str, found)) == [
        "items.jsonl:3:13: $.item_id: is there twice",
        "items.jsonl:1: is odd",
        "items.jsonl: are too few",
    ]


def test_records_of_a_stream_are_located_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    records = give_stdin(monkeypatch, b"\n", line("a"), b"\n\n", *(line(str(n)) for n in range(1000)), b"\n", line("z"))
    assert len(ids(records)) == 1002
    expected = [(0, 2), (1, 5), (500, 504), (1000, 1004), (1001, 1006), (1002, None)]
    assert [(index, records.locate(index, ("slots",)).line) for index, _ in expected] == expected
    assert records.locate(1, ("slots",)).column is None
    with pytest.raises(InputError, match=r"^<stdin>: was read already"):
        ids(records)


def test_gaps_of_a_stream_are_remembered_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "_MOST_GAPS", 4)
    records = give_stdin(monkeypatch, *(b"\n" + line(str(n)) for n in range(10)))
    assert len(ids(records)) == 10
    assert [records.locate(index).line for index in range(10)] == [2, 4] + [None] * 8


def test_faults_of_a_stream_have_their_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(give_stdin(monkeypatch, b"\n", b'{"item_id": 3}')) == [
        "<stdin>:2:13: $.item_id: must be a string, not 3"
    ]


def test_document_is_one_model() -> None:
    Path("a.json").write_bytes(b'\xef\xbb\xbf\n{"item_id":\r\n "a"}\n\n')
    assert document("a.json", Item).item_id == "a"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "a.json: is empty: a JSON document is due"),
        (b" \n\r\n", "a.json: is empty: a JSON document is due"),
        (b'{"item_id":\n  3}', "a.json:2:3: $.item_id: must be a string, not 3"),
        (b'{"item_id": "a"}\n{}', "a.json:2:1: $: unexpected text after the end of the JSON value"),
        (
            b'{"item_id":\n"\xe9"}',
            f"a.json:2:2: {LATIN_1}",
        ),
        (
            b'{"item_id": "a",\n "item_id": "b"}',
            'a.json:2:2: $: duplicate key "item_id"',
        ),
        (b'{"item_id": "a"', "a.json:1:16: $.item_id: the JSON text ends early; is it cut off?"),
        (b'{"item_id": "b"}', "a.json:1:13: $.item_id: must not be b"),
        (
            '{"item_id": "a"}'.encode("utf-16"),
            "a.json: looks like UTF-16, not UTF-8: convert it, for example with iconv -f UTF-16 -t UTF-8",
        ),
    ],
)
def test_document_faults(content: bytes, said: str) -> None:
    Path("a.json").write_bytes(content)
    with pytest.raises(InputError) as caught:
        document("a.json", Item, rules=[not_b])
    assert str(caught.value) == said


def test_document_of_another_version_is_a_version_error() -> None:
    Path("a.json").write_bytes(b'{"schema_version": 2, "new": []}')
    with pytest.raises(VersionError, match="must be 1, the version this reader implements, not 2"):
        document("a.json", Item)


def test_document_faults_are_limited_and_counted() -> None:
    Path("a.json").write_bytes(b'{"item_id": "a", "slots": {' + b",".join(b'"%d": ""' % n for n in range(50)) + b"}}")
    with pytest.raises(ContractError) as caught:
        document("a.json", Item)
    assert (len(caught.value.faults), caught.value.n_faults) == (20, 50)


def test_places_in_a_document() -> None:
    Path("a.json").write_bytes(b'{"item_id": "a",\n "slots": {"x": 1}}')
    found = document_places("a.json", [RecordFault("a", None, "is odd", ("slots", "x")), RecordFault("a", None, "?")])
    assert list(map(str, found)) == ["a.json:2:17: $.slots.x: is odd", "a.json: ?"]
