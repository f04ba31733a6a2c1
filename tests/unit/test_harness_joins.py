"""Joining two sorted streams, and what is said of records that do not fit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxint.errors import RecordError, RecordFault
from voxint.harness.joins import (
    FaultLog,
    Offenders,
    Spellings,
    check_distinct,
    distinct,
    first_five,
    outer_join,
    raise_any,
)
from voxint.harness.packed import RunBuilder, Runs

keys = st.lists(st.text("abé", min_size=1, max_size=2), max_size=12)


def runs(names: list[str]) -> Runs:
    builder = RunBuilder()
    for index, name in enumerate(names):
        builder.add(name, index, (), b"")
    return builder.build()


@given(keys, keys)
def test_an_outer_join_has_every_key_of_either_side_once_and_in_order(left: list[str], right: list[str]) -> None:
    log = FaultLog("x")
    joined = list(outer_join(distinct(runs(left), log), distinct(runs(right), log)))
    pairs = [(a and a[0].decode(), b and b[0].decode()) for a, b in joined]
    assert pairs == [(key if key in left else None, key if key in right else None) for key in sorted({*left, *right})]
    assert log.n_faults == len(left) - len(set(left)) + len(right) - len(set(right))


def test_a_repeated_id_points_at_the_first() -> None:
    with pytest.raises(RecordError) as caught:
        check_distinct(runs(["b", "a", "b"]), "rows")
    (fault,) = caught.value.records
    assert (fault.index, fault.message, fault.other) == (2, 'duplicate item_id "b"', ("rows", 0))
    check_distinct(runs(["b", "a"]), "rows")


def test_a_log_counts_all_and_keeps_the_first_by_record() -> None:
    log = FaultLog("x")
    for index in reversed(range(3000)):
        log.add(RecordFault("x", index, "m"))
    assert log.n_faults == 3000
    assert [fault.index for fault in log.first()] == list(range(20))
    short = first_five(log)
    assert ([fault.index for fault in short.first()], short.n_faults) == ([0, 1, 2, 3, 4], 3000)
    with pytest.raises(RecordError) as caught:
        raise_any(FaultLog("y"), short)
    assert (len(caught.value.records), caught.value.n_faults) == (5, 3000)
    raise_any(FaultLog("x"), FaultLog("y"))


def test_offenders_are_named_up_to_five() -> None:
    offenders = Offenders("a", "b")
    assert offenders.log().n_faults == 0
    for entry in runs(list("abcdef")).merged():
        offenders.add(entry)
    assert offenders.log().first()[0].message == 'lacks 6 item_ids of a: "a", "b", "c", "d", "e" and 1 more'


def test_an_id_stands_once_and_in_one_spelling() -> None:
    seen = Spellings("item_id")
    assert seen.add("caf\u00e9", 3) is None
    assert seen.add("tea", 4) is None
    assert seen.add("tea", 9) == ('duplicate item_id "tea"', 4)
    message, first = seen.add("cafe\u0301", 7) or ("", -1)
    assert (first, message.startswith("item_id ")) == (3, True)
