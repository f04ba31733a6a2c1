"""Slots against gold: hand-worked classes and trials, and a plain quadratic aligner as oracle."""

from __future__ import annotations

import random
from fractions import Fraction

import naive_alignment as naive
import pytest
from hypothesis import given
from hypothesis import strategies as st
from voxint_contracts.attribution.v1 import MatchEvidence, Trial
from voxint_contracts.attribution_protocol.v2 import MeetingRole, MeetingSplit

from voxint.corpus import Timeline
from voxint.harness.attribution_aligner import Alignment, MeetingUse, SlotAlignment, align_slots, build_trials, unheard

USE = MeetingUse("m1", MeetingRole.TEST_GENUINE, MeetingSplit.DEV, "corpus_gold")


def timeline(**spans: list[tuple[float, float]]) -> Timeline:
    """Seconds to milliseconds."""
    return Timeline(
        1000, {name: [(round(start * 1000), round(end * 1000)) for start, end in own] for name, own in spans.items()}
    )


def slot(alignment: Alignment, label: str = "S0") -> SlotAlignment:
    return next(each for each in alignment.slots if each.label == label)


def only(gold: Timeline, *spans: tuple[float, float], turns: int | None = None) -> SlotAlignment:
    """The one slot with these spans, without a collar."""
    counts = None if turns is None else {"S0": turns}
    return slot(align_slots(gold, timeline(S0=list(spans)), collar=0, eligible_turns=counts))


def test_the_collar_is_taken_off_each_side() -> None:
    """Case 29: a collar of 0.25 leaves 9.5 s of 10; the total reading would leave 9.75."""
    gold, hyp = timeline(A=[(0, 10)], B=[(10, 20)]), timeline(S0=[(0, 10.2)], S1=[(10.2, 20)])
    found = align_slots(gold, hyp)
    assert {(g, s): found.seconds(g, s) for g in "AB" for s in ("S0", "S1")} == {
        ("A", "S0"): 9.5,
        ("A", "S1"): 0.0,
        ("B", "S0"): 0.0,
        ("B", "S1"): 9.5,
    }
    bare = align_slots(gold, hyp, collar=0)
    assert [bare.seconds(*pair) for pair in (("A", "S0"), ("A", "S1"), ("B", "S0"), ("B", "S1"))] == [
        10.0,
        0.0,
        0.2,
        9.8,
    ]


def test_a_turn_shorter_than_two_collars_is_nothing() -> None:
    """Case 29: neither negative nor a division by zero."""
    found = align_slots(timeline(C=[(5, 5.4)]), timeline(S0=[(5, 5.4)]))
    assert found.seconds("C", "S0") == 0.0
    assert slot(found) == SlotAlignment("S0", "no_gold_overlap", None, 0, 0.0, 0.0, 0.0, 0.4)


def test_speech_outside_of_gold_counts_against_purity() -> None:
    """Case 29: half of the slot is before the first gold turn."""
    found = only(timeline(A=[(5, 10)]), (0, 10))
    assert (found.purity, found.coverage) == (0.5, 1.0)


def test_touching_turns_of_one_speaker_have_no_boundary_between_them() -> None:
    gold = timeline(A=[(0, 5), (5, 10), (4, 6)])
    assert align_slots(gold, timeline(S0=[(0, 10), (2, 3)])).seconds("A", "S0") == 9.5
    assert only(gold, (0, 10), (0, 10)).purity == 1.0


@pytest.mark.parametrize(
    ("gold", "spans", "turns", "expected"),
    [
        ({"A": [(20, 30)]}, [(0, 10)], None, "no_gold_overlap"),
        ({"A": [(0, 10)]}, [(0, 5.999)], None, "unscoreable_eligibility"),
        ({"A": [(0, 10)]}, [(0, 6)], None, "genuine"),
        ({"A": [(0, 10)]}, [(0, 6)], 1, "unscoreable_eligibility"),
        ({"A": [(0, 10)]}, [(0, 6)], 2, "genuine"),
        ({"A": [(20, 30)]}, [(0, 1)], 0, "no_gold_overlap"),
        ({"A": [(0, 5.7)], "B": [(4.3, 10)]}, [(0, 10)], None, "unscoreable_margin"),
        ({"A": [(0, 5.749)], "B": [(5.749, 10)]}, [(0, 10)], None, "unscoreable_margin"),
        ({"A": [(0, 5.75)], "B": [(5.75, 10)]}, [(0, 10)], None, "mixed"),
        ({"A": [(0, 8.499)], "B": [(8.499, 10)]}, [(0, 10)], None, "mixed"),
        ({"A": [(0, 8.5)], "B": [(8.5, 10)]}, [(0, 10)], None, "genuine"),
        ({"A": [(0, 8.499)]}, [(0, 10)], None, "unscoreable_purity"),
        ({"A": [(0, 8.5)]}, [(0, 10)], None, "genuine"),
        ({"A": [(0, 50)]}, [(0, 10)], None, "genuine"),
        ({"A": [(0, 50.001)]}, [(0, 10)], None, "unscoreable_coverage"),
    ],
)
def test_the_first_class_that_holds(
    gold: dict[str, list[tuple[float, float]]], spans: list[tuple[float, float]], turns: int | None, expected: str
) -> None:
    assert only(timeline(**gold), *spans, turns=turns).classification == expected


def test_equal_overlaps_go_to_the_first_name_and_a_lone_speaker_has_no_margin() -> None:
    tie = only(timeline(B=[(0, 5)], A=[(5, 10)]), (0, 10))
    assert (tie.dominant, tie.margin, tie.n_gold) == ("A", 0.0, 2)
    assert only(timeline(A=[(0, 10)]), (0, 10)).margin == 0.0
    assert only(timeline(A=[(0, 8)], B=[(8, 10)]), (0, 10)).margin == 0.6


@pytest.mark.parametrize("collar", [-0.1, float("nan"), float("inf")])
def test_a_collar_that_is_none_is_refused(collar: float) -> None:
    with pytest.raises(ValueError, match="collar: expected a finite number of seconds >= 0"):
        align_slots(timeline(A=[(0, 1)]), timeline(S0=[(0, 1)]), collar=collar)


SPANS = st.lists(st.tuples(st.integers(0, 300), st.integers(1, 200)).map(lambda t: (t[0], t[0] + t[1])), max_size=6)
SIDES = st.dictionaries(st.sampled_from(["A", "B", "C"]), SPANS.filter(bool), min_size=1, max_size=3)


@given(SIDES, SIDES, st.sampled_from([0.0, 0.25, 0.1, 1.0]), st.dictionaries(st.sampled_from("ABC"), st.integers(0, 4)))
def test_a_plain_aligner_says_the_same(
    gold: dict[str, list[tuple[int, int]]], hyp: dict[str, list[tuple[int, int]]], collar: float, turns: dict[str, int]
) -> None:
    left, right = Timeline(10, gold), Timeline(8, hyp)
    found = align_slots(left, right, collar=collar, eligible_turns=turns)
    speakers = naive.collared(naive.pieces(left), Fraction(str(collar)))
    slots = naive.pieces(right)
    table = naive.matrix(speakers, slots)
    assert {g: {s: Fraction(n, found.unit) for s, n in row.items()} for g, row in found.matrix.items()} == table
    assert {each.label: each.classification.value for each in found.slots} == naive.classes(speakers, slots, turns)
    for each in found.slots:
        assert 0 <= each.margin <= each.purity <= 1 or each.n_gold == 1
        assert 0 <= each.purity <= 1
        assert 0 <= each.coverage <= 1


@given(SIDES, SIDES, st.randoms(use_true_random=False))
def test_no_order_matters(
    gold: dict[str, list[tuple[int, int]]], hyp: dict[str, list[tuple[int, int]]], draw: random.Random
) -> None:
    def shuffled(side: dict[str, list[tuple[int, int]]]) -> Timeline:
        items = [(name, draw.sample(own, len(own))) for name, own in side.items()]
        return Timeline(10, dict(draw.sample(items, len(items))))

    first, second = align_slots(Timeline(10, gold), Timeline(10, hyp)), align_slots(shuffled(gold), shuffled(hyp))
    assert (first.slots, first.matrix, first.summary()) == (second.slots, second.matrix, second.summary())


def evidence(top: str | None, run_id: str = "run-1") -> MatchEvidence:
    return MatchEvidence(
        top_speaker_id=top,
        similarity=0.8,
        margin=0.1,
        vote_agreement=1.0,
        eligible_turns=4,
        eligible_seconds=9.5,
        roster_size=3,
        run_id=run_id,
    )


def trial(top: str | None, enrolled: dict[str, str], *, known: bool = True) -> Trial:
    alignment = align_slots(timeline(A=[(0, 10)]), timeline(S0=[(0, 10)]))
    (made,) = build_trials(alignment, {"S0": evidence(top)} if known else {}, enrolled, USE)
    return made


@pytest.mark.parametrize(
    ("top", "enrolled", "kind", "detail"),
    [
        ("id-a", {"A": "id-a"}, "genuine", "genuine"),
        ("id-b", {"A": "id-a"}, "impostor", "impostor_closed"),
        ("id-b", {"B": "id-b"}, "impostor", "impostor_open"),
        ("id-b", {}, "impostor", "impostor_open"),
        (None, {"A": "id-a"}, "unscoreable", "unscoreable"),
    ],
)
def test_a_top_speaker_counts_for_or_against(top: str | None, enrolled: dict[str, str], kind: str, detail: str) -> None:
    made = trial(top, enrolled)
    assert (made.kind, made.detail) == (kind, detail)
    assert made.cluster_id == ("__unscoreable__:S0" if kind == "unscoreable" else "A")
    assert (made.meeting_id, made.meeting_role, made.meeting_split) == ("m1", "test_genuine", "dev")
    assert (made.run_id, made.similarity, made.truth_anchoring) == ("run-1", 0.8, "corpus_gold")


def test_without_evidence_nothing_is_scored_and_nothing_is_made_up() -> None:
    made = trial("id-a", {"A": "id-a"}, known=False)
    assert (made.kind, made.run_id, made.top_speaker_id, made.similarity) == ("unscoreable", None, None, None)
    assert (made.slot_classification, made.dominant_gold_speaker) == ("genuine", "A")


def test_evidence_for_no_voice_is_told() -> None:
    hyp = timeline(S0=[(0, 10)])
    assert unheard({"S0": evidence("x")}, hyp) is None
    assert (
        unheard({"S2": evidence("x"), "S1": evidence("x")}, hyp)
        == 'evidence for "S1", "S2", no voice of the hypothesis'
    )
