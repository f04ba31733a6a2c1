"""Two runs that do not cover the same slots with the same truth are refused, with up to five offenders a side."""

from __future__ import annotations

import pytest
from voxint_contracts.name_accuracy import v1 as contract

from voxint.errors import RecordError
from voxint.harness import name_pairs
from voxint.harness.name_accuracy import score
from voxint.harness.name_pairs import pair
from voxint.harness.name_tally import Judge, tally
from voxint.harness.packed import Runs


def run(items: dict[str, dict[str, tuple[str | None, str | None]]]) -> list[contract.NameAccuracyItem]:
    return [
        contract.NameAccuracyItem(
            item_id=key, slots={s: contract.NameSlot(assigned_name=a, truth=t) for s, (a, t) in slots.items()}
        )
        for key, slots in items.items()
    ]


def packed(items: dict[str, dict[str, tuple[str | None, str | None]]]) -> Runs:
    return tally(run(items), Judge(None, paired=True)).runs


DANA = {"s": ("Dana Fox", "Dana Fox")}


def messages(candidate: list[contract.NameAccuracyItem], baseline: list[contract.NameAccuracyItem]) -> list[str]:
    with pytest.raises(RecordError) as caught:
        score(candidate, baseline=baseline)
    return [f"{r.parameter}: {r.message}" for r in caught.value.records]


def test_counts_by_hand() -> None:
    # a: right -> wrong; b: wrong -> right, and right on both sides; c: excluded; so 3 slots in 2 items, net 0.
    candidate = packed(
        {
            "a": {"s": ("X Y", "Dana Fox")},
            "b": {"s": ("Dana Fox", "Dana Fox"), "t": (None, "__ABSTAIN__")},
            "c": {"s": ("Dana Fox", None)},
        }
    )
    baseline = packed(
        {
            "c": {"s": (None, "__NEITHER_DETERMINABLE__")},
            "a": DANA,
            "b": {"t": (None, "__ABSTAIN__"), "s": (None, "Dana Fox")},
        }
    )
    found = pair(candidate, baseline)
    assert (found.lost, found.gained, found.n_slots) == (1, 1, 3)
    assert dict(found.clusters) == {(-1, 1): 1, (1, 2): 1}


def test_missing_items_are_counted_and_five_are_named() -> None:
    candidate = run({f"i{k}": DANA for k in range(9)})
    assert messages(candidate, run({"i0": DANA, "z": DANA})) == [
        'baseline: lacks 8 item_ids of items: "i1", "i2", "i3", "i4", "i5" and 3 more',
        'items: lacks 1 item_id of baseline: "z"',
    ]


def test_other_labels_are_named() -> None:
    found = messages(
        run({"a": {"s": (None, None), "t": (None, None)}}), run({"a": {"s": (None, None), "u": (None, None)}})
    )
    assert found == ['items: slot labels differ from the baseline\'s: only here "t"; only there "u"']


def test_another_truth_names_the_slot_and_the_other_record() -> None:
    with pytest.raises(RecordError) as caught:
        score(
            run({"b": DANA, "a": {"s": (None, None), "t": (None, "Dana Fox")}}),
            baseline=run({"a": {"t": (None, "Mei Lindqvist"), "s": (None, None)}, "b": DANA}),
        )
    (fault,) = caught.value.records
    assert (fault.index, fault.path, fault.other) == (1, ("slots", "t", "truth"), ("baseline", 0))


def test_five_mismatches_are_shown_and_all_are_counted() -> None:
    with pytest.raises(RecordError) as caught:
        score(
            run({f"i{k}": DANA for k in range(7)}),
            baseline=run({f"i{k}": {"s": (None, "Mei Lindqvist")} for k in range(7)}),
        )
    assert (len(caught.value.records), caught.value.n_faults) == (5, 7)
    assert "2 more faults not shown" in str(caught.value)


def test_each_kind_of_mismatch_shows_its_own_five() -> None:
    truths = {f"t{k}": DANA for k in range(8)}
    labels = {f"l{k}": DANA for k in range(8)}
    other = {k: {"s": ("Dana Fox", "Mei Lindqvist")} for k in truths} | {
        k: {"u": ("Dana Fox", "Dana Fox")} for k in labels
    }
    found = messages(run(labels | truths), run(other))
    assert len([text for text in found if "labels differ" in text]) == 5
    assert len([text for text in found if "truth differs" in text]) == 5


def test_repeated_items_on_either_side_are_refused() -> None:
    twice = [*run({"a": DANA}), *run({"a": DANA})]
    assert messages(twice, run({"a": DANA})) == ['items: duplicate item_id "a"']
    assert messages(run({"a": DANA}), twice) == ['baseline: duplicate item_id "a"']


def test_many_different_items_are_counted_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    items = {f"i{k}": {f"s{n}": ("Dana Fox", "Dana Fox" if n % 2 else None) for n in range(k + 1)} for k in range(8)}
    whole = pair(packed(items), packed(items))
    monkeypatch.setattr(name_pairs, "_PATTERNS_AT_ONCE", 2)
    assert pair(packed(items), packed(items)) == whole
    assert whole.n_slots == sum((k + 1) // 2 for k in range(8))
