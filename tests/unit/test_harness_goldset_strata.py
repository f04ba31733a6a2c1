"""The selection by hand and against a slow one; every route of a truth; nothing depends on an order."""

from __future__ import annotations

import hashlib
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from voxint_contracts.goldset import v1 as contract

from voxint.errors import RecordError
from voxint.harness.goldset_strata import GoldSet, ground_truth_for, score, select_strata
from voxint.semantics import RULES

HOSTED = contract.ChannelFact(host="Dana Fox", host_id="h1")
UNANCHORED = contract.ChannelFact(host="Dana Fox", host_id=None)
HOSTLESS = contract.ChannelFact(host=None, host_id=None)
FACTS = {"hosted": HOSTED, "unanchored": UNANCHORED, "hostless": HOSTLESS}


def row(
    item_id: str = "x", channel: str | None = "hosted", *, groundable: bool = True, control: bool = False
) -> contract.GoldRow:
    return contract.GoldRow(
        id=item_id, channel=channel, source_type="podcast", host_groundable=groundable, is_no_host_control=control
    )


def plan(total: int, *strata: tuple[str, list[str], int]) -> contract.StrataPlan:
    kept = [contract.Stratum(label=label, item_ids=ids, target=target) for label, ids, target in strata]
    return contract.StrataPlan(schema_version=1, total_target=total, strata=kept)


def facts(**channels: contract.ChannelFact) -> contract.ChannelFacts:
    return contract.ChannelFacts(schema_version=1, channels=channels)


def plain(found: GoldSet) -> tuple[list[Any], list[Any]]:
    return [each.model_dump(mode="json") for each in found.labels], [
        each.model_dump(mode="json") for each in found.queue
    ]


def test_a_selection_by_hand() -> None:
    # SHA-256 begins c: 2e7d, b: 3e23, d: 18ac, a: ca97, so the order is d, c, b, a.
    chosen, counts = select_strata([("first", ["a", "b", "c"], 1), ("second", ["c", "d", "a", "b"], 9)], 3)
    assert chosen == {"c": "first", "d": "second", "b": "second"}
    assert counts == {"first": 1, "second": 2}


@pytest.mark.parametrize(
    ("total", "targets", "expected"),
    [(0, (2, 2), (0, 0)), (1, (2, 2), (1, 0)), (3, (2, 2), (2, 1)), (9, (0, 2), (0, 2)), (9, (9, 9), (3, 0))],
)
def test_targets_and_the_remainder_bound_a_stratum(
    total: int, targets: tuple[int, int], expected: tuple[int, int]
) -> None:
    chosen, counts = select_strata([("a", "xyz", targets[0]), ("b", "zyx", targets[1])], total)
    assert tuple(counts.values()) == expected
    assert len(chosen) == sum(expected)


def test_a_plan_that_cannot_be_one_is_refused() -> None:
    with pytest.raises(ValueError, match="stands twice"):
        select_strata([("a", "x", 1), ("a", "y", 1)], 2)
    for total, target in ((-1, 1), (1, -1)):
        with pytest.raises(ValueError, match="target: expected an integer >= 0, got -1"):
            select_strata([("a", "x", target)], total)


names = st.lists(st.text("abcé", min_size=1, max_size=2), max_size=8)
plans = st.lists(st.tuples(names, st.integers(0, 5)), max_size=4)


@given(plans, st.integers(0, 12), st.data())
def test_the_selection_is_the_slow_one_in_any_order(
    strata: list[tuple[list[str], int]], total: int, data: st.DataObject
) -> None:
    expected: dict[str, str] = {}
    for number, (ids, target) in enumerate(strata):
        taken = 0
        for item_id in sorted(set(ids), key=lambda each: hashlib.sha256(each.encode()).hexdigest()):
            if item_id not in expected and taken < target and len(expected) < total:
                expected[item_id] = str(number)
                taken += 1
    mixed = [(str(k), data.draw(st.permutations(ids)), target) for k, (ids, target) in enumerate(strata)]
    chosen, counts = select_strata(mixed, total)
    assert chosen == expected
    assert counts == {str(k): list(expected.values()).count(str(k)) for k in range(len(strata))}


@pytest.mark.parametrize(
    ("channel", "groundable", "control"), list(product([*FACTS, "other", None], (True, False), (True, False)))
)
def test_every_route_of_a_truth(channel: str | None, groundable: bool, control: bool) -> None:
    found = ground_truth_for(row(channel=channel, groundable=groundable, control=control), FACTS)
    expected = {
        "hostless": ("__ABSTAIN__", "curated_no_host_channel"),
        "unanchored": (None, "host_unanchored"),
        "hosted": ("Dana Fox", "channel_fact_groundable") if groundable else (None, "host_not_groundable"),
    }.get(channel or "", ("__ABSTAIN__", "no_host_control") if control else (None, "uncurated_channel"))
    assert (found.truth, found.reason.value) == expected


def test_a_channel_is_compared_in_normal_form_on_both_sides() -> None:
    for written, asked in (("cafe\u0301 ", "caf\u00e9"), ("caf\u00e9", " cafe\u0301")):
        assert ground_truth_for(row(channel=asked), {written: HOSTED}).truth == "Dana Fox"
        found = score(
            rows=[row(channel=asked)], plan=plan(1, ("s", ["x"], 1)), channel_hosts=facts(**{written: HOSTED})
        )
        assert [label.truth for label in found.labels] == ["Dana Fox"]
    assert ground_truth_for(row(channel="HOSTED"), FACTS).reason == "uncurated_channel"


def test_labels_and_queue_hold_what_was_selected_and_nothing_else() -> None:
    rows = [row("b"), row("a", "hostless"), row("c", "unanchored"), row("d", None), row("not in the plan")]
    labels, queue = plain(
        score(rows=rows, plan=plan(9, ("s", ["a", "b"], 9), ("t", ["c", "d"], 9)), channel_hosts=facts(**FACTS))
    )
    version = {"schema_version": 1}
    assert labels == [
        version | {"id": "a", "stratum": "s", "truth": "__ABSTAIN__", "reason": "curated_no_host_channel"},
        version | {"id": "b", "stratum": "s", "truth": "Dana Fox", "reason": "channel_fact_groundable"},
    ]
    assert queue == [
        version | {"id": "c", "stratum": "t", "channel": "unanchored", "host": "Dana Fox", "reason": "host_unanchored"},
        version | {"id": "d", "stratum": "t", "channel": None, "host": None, "reason": "uncurated_channel"},
    ]


def test_without_facts_no_channel_is_curated() -> None:
    rows = [row("a"), row("b", control=True)]
    labels, queue = plain(score(rows=rows, plan=plan(2, ("s", ["a", "b"], 2))))
    assert [(each["id"], each["reason"]) for each in labels + queue] == [
        ("b", "no_host_control"),
        ("a", "uncurated_channel"),
    ]


@given(
    st.permutations([row(k, c) for k, c in zip("abcdef", [*FACTS, None, "other", "hosted"], strict=True)]), st.data()
)
def test_no_order_matters_and_every_record_keeps_its_rules(rows: list[contract.GoldRow], data: st.DataObject) -> None:
    strata = [("s", data.draw(st.permutations(list("abcd"))), 2), ("t", data.draw(st.permutations(list("cdef"))), 3)]
    found = score(rows=rows, plan=plan(4, *strata), channel_hosts=facts(**FACTS))
    again = score(
        rows=sorted(rows, key=lambda r: r.id),
        plan=plan(4, *((a, sorted(b), c) for a, b, c in strata)),
        channel_hosts=facts(**FACTS),
    )
    assert plain(found) == plain(again)
    assert [v for label in found.labels for v in RULES["label_fits_its_reason"](label)] == []
    assert [v for entry in found.queue for v in RULES["queued_host_fits_its_reason"](entry)] == []
    assert sum(map(len, plain(found))) == 4


def refused(**arguments: Any) -> list[str]:
    with pytest.raises(RecordError) as caught:
        score(**arguments)
    return [f"{record.parameter}: {record.message}" for record in caught.value.records]


def test_an_id_of_the_plan_without_a_row_is_refused_also_where_it_would_not_be_chosen() -> None:
    found = refused(rows=[row("a")], plan=plan(1, ("s", ["a", *"bcdefg"], 1)))
    assert found == ['rows: lacks 6 ids of the plan: "b", "c", "d", "e", "f" and 1 more']
    assert refused(rows=[], plan=plan(0, ("s", ["a"], 0))) == ['rows: lacks 1 id of the plan: "a"']


def test_a_row_that_stands_twice_is_refused_however_it_is_spelt() -> None:
    rows = [row("caf\u00e9"), row("x"), row("x"), row("cafe\u0301 ")]
    assert refused(rows=rows, plan=plan(1, ("s", ["x"], 1))) == [
        'rows: duplicate id "x"',
        r'rows: id "cafe\u0301 " is another spelling of "caf\u00e9": one id is spelt one way',
    ]


def test_two_spellings_in_a_plan_or_in_the_facts_are_refused() -> None:
    (message,) = refused(rows=[], plan=plan(1, ("s", ["x"], 1), ("t", ["y", "x "], 1)))
    assert message == 'plan: "x " is another spelling of "x": one id is spelt one way'
    (message,) = refused(rows=[], plan=plan(1), channel_hosts=facts(**{"a": HOSTED, " a": HOSTLESS}))
    assert message == 'channel_hosts: " a" is another spelling of "a": one channel is spelt one way'


def test_a_row_in_another_spelling_than_the_plan_is_a_missing_row() -> None:
    assert refused(rows=[row("x ")], plan=plan(1, ("s", ["x"], 1))) == ['rows: lacks 1 id of the plan: "x"']
