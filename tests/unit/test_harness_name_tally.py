"""Tallies add: any split of the items, in any order of adding, gives the same numbers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from voxint_contracts.name_accuracy import v1 as contract

from voxint.errors import RecordError
from voxint.harness import name_tally
from voxint.harness.name_tally import CODES, Judge, NameTally, tally, truth_digest

V = contract.SlotVerdict


def slot(shown: str | None, truth: str | None, **more: Any) -> contract.NameSlot:
    return contract.NameSlot(assigned_name=shown, truth=truth, **more)


def some(n: int, start: int = 0) -> list[contract.NameAccuracyItem]:
    return [
        contract.NameAccuracyItem(
            item_id=f"i{k}",
            slots={
                "b": slot("Dana Fox", "Dana Fox" if k % 3 else "Mei Lindqvist", confidence=k % 5 / 5, duration=k / 7),
                "a": slot(None, "__ABSTAIN__" if k % 2 else None),
            },
        )
        for k in range(start, start + n)
    ]


def shown(counted: NameTally) -> tuple[Any, ...]:
    groups = counted.confidences
    curve = (groups.thresholds.tolist(), groups.n.tolist(), groups.n_correct.tolist())
    return counted.n_items, counted.counts, counted.microseconds, curve, list(counted.runs.merged())


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 40), st.integers(0, 40), st.integers(1, 30))
def test_a_split_changes_nothing(n: int, cut: int, block: int) -> None:
    cut = min(cut, n)
    whole = shown(tally(some(n), Judge(None, paired=True)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(name_tally, "_SLOTS_AT_ONCE", block)
        first = tally(some(cut), Judge(None, paired=True))
        second = tally(some(n - cut, cut), Judge(None, paired=True))
    assert shown(first + second) == whole


def test_adding_leaves_both_sides_as_they_were() -> None:
    first, second = tally(some(3), Judge(None, paired=False)), tally(some(2, 3), Judge(None, paired=False))
    before = shown(first), shown(second)
    assert first + second is not first
    assert (shown(first), shown(second)) == before


def test_a_full_memory_of_pairs_is_emptied_not_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = shown(tally(some(30), Judge(None, paired=False)))
    monkeypatch.setattr(name_tally, "_CACHED_PAIRS", 1)
    assert shown(tally(some(30), Judge(None, paired=False))) == wanted


def test_an_id_is_not_remembered_with_its_names() -> None:
    judge = Judge(None, paired=False)
    same = slot("D. F.", "Dana Fox", assigned_id="7", truth_id="7")
    other = slot("D. F.", "Dana Fox", assigned_id="7", truth_id="8")
    codes = [entry[0] for entry in judge.entries([other, same, other, slot("D. F.", "Dana Fox")])]
    assert codes == [CODES[V.FP_WRONG], CODES[V.TP], CODES[V.FP_WRONG], CODES[V.FP_WRONG]]


def test_null_and_neither_are_the_same_truth_and_names_are_not() -> None:
    assert truth_digest(None) == truth_digest("__NEITHER_DETERMINABLE__")
    assert len({truth_digest(t) for t in (None, "__ABSTAIN__", "Dana Fox", "dana fox")}) == 4


def test_a_bad_truth_names_its_record() -> None:
    bad = contract.NameAccuracyItem(item_id="x", slots={"s": slot("Dana Fox", "__abstain__")})
    with pytest.raises(RecordError) as caught:
        tally([*some(2), bad], Judge(None, paired=False), "baseline")
    (fault,) = caught.value.records
    assert (fault.parameter, fault.index, fault.path) == ("baseline", 2, ("slots", "s", "truth"))
