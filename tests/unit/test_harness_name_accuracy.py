"""The whole scorer against hand-worked values and against the slow implementation beside this file."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_names import Items, paired, report
from voxint_contracts.name_accuracy import v1 as contract

from voxint.errors import InputError, RecordError
from voxint.harness import name_accuracy
from voxint.harness.name_accuracy import aggregate, outcome, score, slot_verdict
from voxint.io import canonical

V = contract.SlotVerdict
NAMES = ["Dana Fox", "D. Fox", "Jonas Okafor", "Jonas", "Mei Lindqvist"]
assigned = st.sampled_from([*NAMES, None, "SPEAKER_01", "unknown 2", "__ABSTAIN__", ""])
truths = st.sampled_from([*NAMES[:1], NAMES[2], NAMES[4], None, "__ABSTAIN__", "__NEITHER_DETERMINABLE__"])
confidences = st.none() | st.sampled_from([0.0, -0.0, 0.5, 0.25, 1e-300, -3.5]) | st.floats(-2, 2)
durations = st.none() | st.sampled_from([0, 1, 0.5e-6, 2.5e-6, 1e300]) | st.floats(0, 1e4)
slots = st.fixed_dictionaries(
    {"assigned_name": assigned, "truth": truths},
    optional={
        "confidence": confidences,
        "duration": durations,
        "assigned_id": st.sampled_from(["a", ""]),
        "truth_id": st.sampled_from(["a", "b"]),
    },
)
labels = st.sampled_from(["SPEAKER_00", "SPEAKER_01", "é", "a:b", "10:x"])


@st.composite
def runs(draw: st.DrawFn) -> Items:
    ids = draw(
        st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=3), unique=True, max_size=6)
    )
    return [{"item_id": i, "slots": draw(st.dictionaries(labels, slots, min_size=1, max_size=4))} for i in ids]


def models(items: Items) -> list[contract.NameAccuracyItem]:
    return [contract.NameAccuracyItem.model_validate(item) for item in items]


def item(item_id: str, **named: tuple[str | None, str | None]) -> dict[str, Any]:
    return {"item_id": item_id, "slots": {k: {"assigned_name": a, "truth": t} for k, (a, t) in named.items()}}


@pytest.mark.parametrize(
    ("shown", "truth", "expected"),
    [
        ("Dana Fox", None, V.EXCLUDED),
        (None, "__NEITHER_DETERMINABLE__", V.EXCLUDED),
        (None, "__ABSTAIN__", V.TN),
        ("SPEAKER_07", "__ABSTAIN__", V.TN),
        ("__ABSTAIN__", "__ABSTAIN__", V.TN),
        ("Dana Fox", "__ABSTAIN__", V.FP_OVERNAME),
        (None, "Dana Fox", V.FN),
        ("  ", "Dana Fox", V.FN),
        ("Unknown 3", "Dana Fox", V.FN),
        ("D. Fox", "Dana Fox", V.TP),
        ("Dana", "Dana Fox", V.FP_WRONG),
    ],
)
def test_slot_verdict_follows_its_table(shown: str | None, truth: str | None, expected: contract.SlotVerdict) -> None:
    assert slot_verdict(shown, truth) is expected


@pytest.mark.parametrize("truth", ["", " \t", "SPEAKER_00", "unknown", "__abstain__", " __ABSTAIN__", "__NEITHER__"])
def test_a_truth_that_cannot_be_one_is_refused(truth: str) -> None:
    with pytest.raises(ValueError, match="truth|sentinel|placeholder|blank"):
        slot_verdict("Dana Fox", truth)


def test_equal_ids_outrank_names_and_different_ids_say_nothing() -> None:
    assert slot_verdict("D. F.", "Dana Fox", assigned_id="7", truth_id="7") is V.TP
    assert slot_verdict("Dana Fox", "Dana Fox", assigned_id="7", truth_id="8") is V.TP
    assert slot_verdict("D. F.", "Dana Fox", assigned_id="", truth_id="") is V.FP_WRONG


def test_aggregate_by_hand() -> None:
    # tp 2 (700 s), wrong 1 (100 s), over 1 (50 s), fn 1 (150 s): P = 2/4, R = 2/3, named recall = 2/4, F1 = 4/7;
    # weighted P = 700/850 = R, named recall = 700/950.
    counts = aggregate([V.TP, V.TP, V.TN, V.FP_WRONG, V.FN, V.FP_OVERNAME], [400, 300, 20, 100, 150, 50])
    assert (counts.precision, counts.recall, counts.named_recall, counts.f1) == (0.5, 2 / 3, 0.5, 4 / 7)
    assert (counts.weighted_precision, counts.weighted_recall, counts.weighted_f1) == (700 / 850,) * 3
    assert counts.weighted_named_recall == 700 / 950
    assert counts.confusion.true_name.named_wrong == 1
    assert counts.confusion.true_abstain.abstained == 1


def test_aggregate_of_nothing_is_zero_and_lengths_must_agree() -> None:
    assert aggregate([]).f1 == 0.0
    with pytest.raises(ValueError, match="shorter|longer"):
        aggregate([V.TP], [])


def test_weights_do_not_depend_on_order() -> None:
    # 0.1 + 0.2 + 0.3 summed as doubles differs by order; microseconds do not.
    one = aggregate([V.TP, V.FP_WRONG, V.TP], [0.1, 0.2, 0.3])
    other = aggregate([V.TP, V.TP, V.FP_WRONG], [0.3, 0.1, 0.2])
    assert one == other
    assert one.weighted_precision == 400000 / 600000


@settings(max_examples=150, deadline=None)
@given(runs(), st.sampled_from([0.3, 0.5, 0.95, 1.0]))
def test_the_report_is_the_naive_one(items: Items, target: float) -> None:
    expected = report(items, target)
    found = score(models(items), target_accuracy=target)
    plain = found.model_dump(mode="json")
    assert {k: plain["aggregate"][k] for k in expected["aggregate"]} == expected["aggregate"]
    for name in ("n_items", "n_slots_scored", "accuracy", "per_item"):
        assert plain[name] == expected[name]
    curve, wanted = plain["risk_coverage"], expected["curve"]
    assert (curve is None) == (wanted is None)
    if curve is not None:
        assert curve["points"] == wanted["points"]
        assert curve["chow_coverage"] == wanted["chow_coverage"]
        assert curve["aurc"] == pytest.approx(wanted["aurc"], abs=1e-15)


@settings(max_examples=60, deadline=None)
@given(runs(), st.data())
def test_the_paired_block_is_the_naive_one(items: Items, data: st.DataObject) -> None:
    other = [
        {
            "item_id": i["item_id"],
            "slots": {k: {**s, "assigned_name": data.draw(assigned)} for k, s in reversed(i["slots"].items())},
        }
        for i in reversed(items)
    ]
    found = score(models(items), baseline=models(other)).paired
    expected = paired(items, other)
    assert found is not None
    assert (found.n_slots, found.n_items) == (expected["n_slots"], expected["n_items"])
    assert found.mcnemar.baseline_correct_candidate_wrong == expected["lost"]
    assert found.mcnemar.baseline_wrong_candidate_correct == expected["gained"]
    assert found.mcnemar.p_value == pytest.approx(expected["p_value"], rel=1e-15)
    assert found.bootstrap.point == expected["point"]
    assert found.bootstrap.lo <= found.bootstrap.hi


@settings(max_examples=60, deadline=None)
@given(runs(), st.randoms(use_true_random=False))
def test_no_order_changes_a_byte(items: Items, random: Any) -> None:
    shuffled = [{**i, "slots": dict(random.sample(list(i["slots"].items()), len(i["slots"])))} for i in items]
    random.shuffle(shuffled)
    one, other = score(models(items), baseline=models(items)), score(models(shuffled), baseline=models(items))
    assert canonical.encode(one) == canonical.encode(other)


def test_renaming_slots_changes_labels_only() -> None:
    first = [item("a", s0=("Dana Fox", "Dana Fox"), s1=("Jonas", "Jonas Okafor")), item("b", s0=(None, "Dana Fox"))]
    second = [item("a", z=("Dana Fox", "Dana Fox"), b=("Jonas", "Jonas Okafor")), item("b", q=(None, "Dana Fox"))]
    one, other = score(models(first)), score(models(second))
    assert one.model_copy(update={"per_item": []}) == other.model_copy(update={"per_item": []})
    assert other.per_item[0].verdicts == {"b": V.FP_WRONG, "z": V.TP}


def test_streamed_and_whole_reports_have_the_same_bytes() -> None:
    items = models([item(f"{n:03}", s0=("Dana Fox", "Dana Fox")) for n in range(50)])
    found = outcome(items)
    streamed = b"".join(canonical.stream(found.head, {n: p.values() for n, p in found.parts.items()}))
    assert streamed == canonical.encode(score(items))


def test_outcome_takes_what_score_takes() -> None:
    def shape(function: Any) -> list[tuple[str, Any]]:
        return [(p.name, p.default) for p in inspect.signature(function).parameters.values()]

    assert shape(outcome) == shape(score)


def test_no_items_know_nothing() -> None:
    empty = score([], baseline=[])
    assert (empty.n_items, empty.accuracy, empty.accuracy_ci95, empty.per_item) == (0, 0.0, [0.0, 1.0], [])
    assert empty.paired is not None
    assert empty.paired.mcnemar.p_value == 1.0


def test_a_repeated_item_names_both_records() -> None:
    items = models([item("a", s=(None, None)), item("b", s=(None, None)), item("a", s=(None, None))])
    with pytest.raises(RecordError) as caught:
        score(items)
    (fault,) = caught.value.records
    assert (fault.index, fault.message, fault.other) == (2, 'duplicate item_id "a"', ("items", 0))


@pytest.mark.parametrize(
    "setting",
    [{"target_accuracy": t} for t in (0.0, -1.0, 1.5, float("nan"))]
    + [{"seed": s} for s in (-1, 2**32, 2.5, True)]
    + [{"n_boot": n} for n in (0, 100_001, 1.0)],
)
def test_a_setting_out_of_range_is_refused_with_or_without_a_baseline(setting: dict[str, Any]) -> None:
    (name,) = setting
    with pytest.raises(ValueError, match=name):
        score([], **setting)


def test_more_slots_than_a_report_can_count_ask_for_a_split(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(name_accuracy, "LARGEST_COUNT", 1)
    with pytest.raises(InputError, match="split the run"):
        score(models([item("a", s=(None, "Dana Fox")), item("b", s=(None, "Dana Fox"))]))
