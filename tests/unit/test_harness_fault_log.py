"""Faults are counted, and the first ones kept, in whatever order they come."""

from __future__ import annotations

import random

import pytest

from voxint.errors import RecordError, RecordFault
from voxint.harness.fault_log import FaultLog, raise_any


def test_the_first_twenty_by_record_are_kept_and_all_are_counted() -> None:
    log = FaultLog("slots")
    numbers = random.Random(7).sample(range(5000), 5000)
    for number in numbers:
        log.add(RecordFault("slots", number, "wrong"))
    assert log.n_faults == 5000
    assert [fault.index for fault in log.first()] == list(range(20))


def test_a_fault_of_the_whole_file_comes_first() -> None:
    log = FaultLog("slots")
    log.add(RecordFault("slots", 0, "wrong"))
    log.add(RecordFault("slots", None, "lacks"))
    assert [fault.index for fault in log.first()] == [None, 0]


def test_logs_are_raised_together_or_not_at_all() -> None:
    empty, one, other = FaultLog("items"), FaultLog("items"), FaultLog("baseline")
    raise_any(empty)
    one.add(RecordFault("items", 3, "a"))
    other.add(RecordFault("baseline", 1, "b"))
    with pytest.raises(RecordError) as caught:
        raise_any(empty, one, other)
    assert ([fault.message for fault in caught.value.records], caught.value.n_faults) == (["a", "b"], 2)
