from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from voxint.io.canonical import digest, digest_of, encode, stream


class Base(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", allow_inf_nan=False)


class Verdict(StrEnum):
    TP = "TP"


class Part(Base):
    zeta: str | None
    alpha: float | None = None


class Report(Base):
    verdict: Verdict = Verdict.TP
    items: list[Any] = []
    rate: float | None
    note: str | None = None
    part: Part | None = None
    parts: dict[str, Part] = {}
    more: list[Any] = []


TEXT = st.text(alphabet='aé\u2028"\\\n\x7f😀', max_size=4)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
PARTS = st.builds(Part, zeta=st.none() | TEXT, alpha=st.none() | NUMBERS)
REPORTS = st.builds(
    Report,
    rate=st.none() | NUMBERS | st.sampled_from([-0.0, 1e-05, 1e16, 5e-324]),
    note=st.none() | TEXT,
    part=st.none() | PARTS,
    parts=st.dictionaries(TEXT, PARTS, max_size=3),
    items=st.lists(st.none() | st.integers() | NUMBERS | TEXT | PARTS, max_size=3),
)


def plain(value: Any) -> Any:
    """The definition: every field, but optional ones (those with a default) only if they are neither None nor empty."""
    if isinstance(value, BaseModel):
        every = {name: getattr(value, name) for name in type(value).model_fields}
        optional = {name for name, field in type(value).model_fields.items() if not field.is_required()}
        return {k: plain(v) for k, v in every.items() if v not in (None, [], {}) or k not in optional}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def defined(model: BaseModel) -> bytes:
    encoder = json.JSONEncoder(sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return encoder.encode(plain(model)).encode() + b"\n"


@settings(deadline=None)
@given(REPORTS)
def test_bytes_are_those_of_the_definition(report: Report) -> None:
    line = encode(report)
    assert line == defined(report)
    assert line.count(b"\n") == 1
    assert digest(report) == hashlib.sha256(line[:-1]).hexdigest()


def test_bytes_by_hand() -> None:
    report = Report(
        rate=-0.0, part=Part(zeta=None), parts={"b": Part(zeta="é\u2028", alpha=1e-05), "B": Part(zeta="", alpha=None)}
    )
    assert encode(report).decode() == (
        '{"part":{"zeta":null},"parts":{"B":{"zeta":""},'
        '"b":{"alpha":1e-05,"zeta":"é\u2028"}},"rate":-0.0,"verdict":"TP"}\n'
    )


def test_digest_by_hand() -> None:
    assert digest(Part(zeta="x")) == hashlib.sha256(b'{"zeta":"x"}').hexdigest()


@settings(deadline=None)
@given(REPORTS, st.lists(st.one_of(PARTS, NUMBERS, TEXT, st.lists(st.none())), max_size=5), st.integers(0, 1))
def test_stream_writes_what_encode_writes(report: Report, values: list[Any], repeat: int) -> None:
    values = values * (1 + 700 * repeat)
    whole = report.model_copy(update={"items": [0, *values], "more": [1]})
    assert b"".join(stream(report, {"more": iter([1]), "items": iter([0, *values])})) == encode(whole)
    assert b"".join(stream(report, {})) == encode(report)


def test_stream_writes_a_list_that_it_was_given_even_if_it_is_empty() -> None:
    assert b"".join(stream(Report(rate=None), {"more": iter([])})) == b'{"more":[],"rate":null,"verdict":"TP"}\n'


def test_stream_reads_a_thousand_elements_at_a_time() -> None:
    drawn: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(2500):
            drawn.append(number)
            yield number

    pieces = stream(Report(rate=None), {"items": numbers()})
    assert next(pieces) == b'{"items":['
    assert drawn == []
    assert next(pieces).startswith(b"0,1,2,")
    assert len(drawn) == 1000
    assert json.loads(b'{"items":[' + b"0" + b"".join(pieces))["items"][-1] == 2499


def test_stream_of_an_optional_field_that_the_model_lacks() -> None:
    class Listed(Base):
        names: list[str] | None = None

    assert b"".join(stream(Listed(), {"names": ["x"]})) == b'{"names":["x"]}\n'
    assert b"".join(stream(Listed(), {})) == encode(Listed()) == b"{}\n"


def test_parts_must_be_fields() -> None:
    with pytest.raises(ValueError, match=r'^Report has no field "itmes"$'):
        stream(Report(rate=None), {"itmes": []})


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_numbers_that_are_not_finite_are_refused(number: float) -> None:
    part = Part.model_construct(zeta=None, alpha=number)
    with pytest.raises(ValueError, match="Out of range float"):
        encode(part)
    pieces = stream(Report(rate=None), {"items": [part]})
    assert next(pieces) == b'{"items":['
    with pytest.raises(ValueError, match="Out of range float"):
        next(pieces)


def test_half_of_a_surrogate_pair_is_refused_with_its_place() -> None:
    with pytest.raises(ValueError, match=r'^half of a surrogate pair cannot be written: ".*clip-\\ud83d"$'):
        encode(Part.model_construct(zeta="clip-\ud83d!"))


def test_what_has_no_json_form_is_refused() -> None:
    with pytest.raises(TypeError, match="set has no JSON form"):
        encode(Part.model_construct(zeta={1}))


def test_the_digest_of_plain_values_is_that_of_their_canonical_text() -> None:
    expected = hashlib.sha256(b'{"a":[1,null],"b":"\xc3\xa9"}').hexdigest()
    assert digest_of({"b": "é", "a": [1, None]}) == expected
    with pytest.raises(ValueError, match="not JSON compliant"):
        digest_of({"a": float("nan")})
