"""Packed runs give back what was put in, in key order, whatever the run length."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxint.harness import packed
from voxint.harness.packed import RunBuilder, Runs, Strings, StringsBuilder, pack_labels, unpack_labels

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
records = st.lists(
    st.tuples(texts, st.lists(texts, unique=True, max_size=3).map(tuple), st.binary(max_size=4)), max_size=30
)


def build(rows: list[tuple[str, tuple[str, ...], bytes]], first: int = 0) -> Runs:
    builder = RunBuilder()
    for index, (key, labels, payload) in enumerate(rows, first):
        builder.add(key, index, labels, payload)
    return builder.build()


@given(st.lists(texts))
def test_labels_survive_packing_and_differ_when_they_differ(labels: list[str]) -> None:
    assert unpack_labels(pack_labels(labels)) == tuple(labels)
    assert pack_labels([*labels, ""]) != pack_labels(labels)


@given(st.lists(st.binary(max_size=5)))
def test_strings_are_a_list_of_bytes(items: list[bytes]) -> None:
    builder = StringsBuilder()
    for each in items:
        builder.add(each)
    for strings in (Strings(items), builder.build()):
        assert list(strings) == items
        assert [strings[i] for i in range(len(strings))] == items


@given(records, st.integers(1, 9))
def test_merged_is_sorted_by_key_then_index(rows: list[tuple[str, tuple[str, ...], bytes]], length: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packed, "RUN_LENGTH", length)
        merged = list(build(rows).merged())
    expected = sorted((key.encode(), i, pack_labels(labels), payload) for i, (key, labels, payload) in enumerate(rows))
    assert merged == expected


@given(records, records)
def test_added_runs_number_the_second_after_the_first(
    left: list[tuple[str, tuple[str, ...], bytes]], right: list[tuple[str, tuple[str, ...], bytes]]
) -> None:
    assert list((build(left) + build(right)).merged()) == list(build(left + right).merged())


def test_code_point_order_is_byte_order() -> None:
    keys = ["\U0001f600", "\uffff", "é", "z", "a\0b", "a", "ab"]
    merged = [key.decode() for key, *_ in build([(key, (), b"") for key in keys]).merged()]
    assert merged == sorted(keys)
