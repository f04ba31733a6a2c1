"""The matcher: each reason in its order, hand-worked numbers, and what must not matter."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from voxint_contracts.attribution.v1 import MatchingGates
from voxint_contracts.speaker_match.v1 import MatchCandidate, MatchDecision, MatchReason

from voxint.io.canonical import encode
from voxint.semantics import RULES
from voxint.speakers.matching import RunTurns, Turn, decide, label_speech
from voxint.speakers.policy import BASE_GATES
from voxint.speakers.voiceprints import Roster, roster_of

SPACE = "toy-v1"
ANA, BEN = (1.0, 0.0), (0.0, 1.0)


def turn(index: int, seconds: float, vector: tuple[float, ...] | None, label: str = "A", **more: object) -> Turn:
    embedding = None if vector is None else np.array(vector)
    space = None if vector is None else SPACE
    return replace(Turn(index, 0.0, seconds, label, 0.0, space, embedding), **more)  # type: ignore[arg-type]


def rosters(**speakers: tuple[float, ...]) -> dict[str, Roster]:
    return {SPACE: roster_of(SPACE, {name: [vector] for name, vector in speakers.items()})[0]}


def one(turns: list[Turn], known: dict[str, Roster], gates: MatchingGates = BASE_GATES) -> MatchCandidate:
    (found,) = decide(RunTurns("r", tuple(turns)), known, gates).candidates
    return found


BOTH = rosters(ana=ANA, ben=BEN)
LONG = [turn(0, 8.0, ANA), turn(1, 8.0, ANA), turn(2, 8.0, ANA)]


@pytest.mark.parametrize(
    ("turns", "known", "reason"),
    [
        ([turn(0, 9.0, None), turn(1, 9.0, None)], BOTH, "no_eligible_turns"),
        ([turn(0, 9.0, (0.0, 0.0))], BOTH, "no_eligible_turns"),
        ([turn(0, 9.0, ANA, overlap_seconds=1.9)], BOTH, "no_eligible_turns"),
        ([turn(0, 0.0, ANA)], BOTH, "no_eligible_turns"),
        ([turn(0, 9.0, ANA)], BOTH, "too_few_turns"),
        ([turn(0, 2.9, ANA), turn(1, 3.0, ANA)], BOTH, "too_little_speech"),
        (LONG, {}, "no_roster"),
        (LONG, rosters(), "no_roster"),
        ([turn(0, 8.0, ANA), turn(1, 8.0, (-1.0, 0.0))], BOTH, "degenerate_centroid"),
    ],
)
def test_what_cannot_be_compared_is_ineligible(turns: list[Turn], known: dict[str, Roster], reason: str) -> None:
    found = one(turns, known)
    assert (found.decision, found.reason) == (MatchDecision.INELIGIBLE, reason)
    assert (found.top_speaker_id, found.similarity, found.margin, found.vote_agreement) == (None, None, None, None)


def test_the_order_of_the_reasons() -> None:
    """Too few turns before too little speech, both before the roster, the roster before the centroid."""
    assert one([turn(0, 1.0, ANA)], {}).reason == MatchReason.TOO_FEW_TURNS
    assert one([turn(0, 1.0, ANA), turn(1, 1.0, ANA)], {}).reason == MatchReason.TOO_LITTLE_SPEECH
    assert one([turn(0, 8.0, ANA), turn(1, 8.0, (-1.0, 0.0))], {}).reason == MatchReason.NO_ROSTER


def test_a_match_by_hand() -> None:
    """Weights 6, 8 and, capped, 10 of 14: the sum is (6 * 1 + 8 * 0.8 + 10 * 0.6, 8 * 0.6 + 10 * 0.8)."""
    turns = [turn(0, 6.0, ANA), turn(1, 10.0, (4.0, 3.0), overlap_seconds=2.0), turn(2, 14.0, (0.6, 0.8))]
    found = one(turns, BOTH)
    x, y = 18.4, 12.8
    assert found.eligible_turns == 3
    assert found.eligible_seconds == 28.0
    assert found.top_speaker_id == "ana"
    assert found.similarity == pytest.approx(x / math.hypot(x, y), abs=1e-15)
    assert found.margin == pytest.approx((x - y) / math.hypot(x, y), abs=1e-15)
    assert found.vote_agreement == 14 / 24
    assert (found.decision, found.reason) == (MatchDecision.REJECTED, MatchReason.BELOW_VOTE_AGREEMENT)


@pytest.mark.parametrize(
    ("vector", "reason"),
    [((0.5, 0.0, 0.9), "below_cosine"), ((0.8, 0.78, 0.0), "below_margin"), ((1.0, 0.0, 0.0), None)],
)
def test_a_rejection_names_its_first_gate(vector: tuple[float, ...], reason: str | None) -> None:
    known = rosters(ana=(1.0, 0.0, 0.0), ben=(0.0, 1.0, 0.0))
    found = one([turn(0, 8.0, vector), turn(1, 8.0, vector)], known)
    assert found.reason == reason
    assert (found.decision == MatchDecision.ACCEPTED) == (reason is None)
    assert not found.grounded  # two turns, three are needed


def test_grounded_needs_acceptance_and_the_grounded_gates() -> None:
    assert one(LONG, BOTH).grounded
    strict = BASE_GATES.model_copy(update={"min_margin": 1.5})
    assert (one(LONG, BOTH, strict).decision, one(LONG, BOTH, strict).grounded) == (MatchDecision.REJECTED, False)


def test_a_roster_of_one_has_no_margin_and_passes() -> None:
    found = one(LONG, rosters(ana=ANA))
    assert (found.margin, found.roster_size, found.decision, found.grounded) == (None, 1, MatchDecision.ACCEPTED, True)


def test_equal_cosines_go_to_the_smallest_speaker_id() -> None:
    found = one(LONG, rosters(zoe=ANA, ana=ANA, ben=BEN))
    assert (found.top_speaker_id, found.margin, found.vote_agreement) == ("ana", 0.0, 1.0)
    assert found.reason == MatchReason.BELOW_MARGIN


def test_a_label_of_two_spaces_is_left_out_and_named() -> None:
    other = replace(turn(3, 8.0, ANA), embedding_space="other-v1")
    found = decide(RunTurns("r", (*LONG, other, turn(4, 8.0, BEN, "B"))), BOTH)
    assert found.mixed_labels == ("A",)
    assert [each.label for each in found.candidates] == ["B"]


def test_without_any_weight_nobody_votes() -> None:
    free = BASE_GATES.model_copy(update={"max_overlap_ratio": 1.0, "min_seconds": 0.0})
    covered = [turn(index, 8.0, ANA, overlap_seconds=8.0) for index in range(3)]
    assert one(covered, BOTH, free).reason == MatchReason.DEGENERATE_CENTROID
    assert label_speech(covered, free).centroid is None


vectors = st.lists(st.integers(-9, 9), min_size=4, max_size=4)
turns_drawn = st.lists(
    st.tuples(st.floats(0.0, 20.0), st.floats(0.0, 1.0), st.none() | vectors, st.sampled_from("AB")),
    min_size=1,
    max_size=12,
)


@settings(deadline=None)
@given(turns_drawn, st.lists(vectors.filter(any), max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_turns_changes_no_byte_and_every_decision_fits(
    drawn: list[tuple[float, float, list[int] | None, str]], enrolled: list[list[int]], rng: random.Random
) -> None:
    turns = [
        turn(
            index,
            seconds,
            None if vector is None else tuple(map(float, vector)),
            label,
            overlap_seconds=share * seconds,
        )
        for index, (seconds, share, vector, label) in enumerate(drawn)
    ]
    known = {SPACE: roster_of(SPACE, {f"s{place}": [vector] for place, vector in enumerate(enrolled)})[0]}
    first = decide(RunTurns("r", tuple(turns)), known)
    rng.shuffle(turns)
    again = decide(RunTurns("r", tuple(turns)), known)
    assert [encode(each) for each in first.candidates] == [encode(each) for each in again.candidates]
    assert [each.label for each in first.candidates] == sorted({label for *_, label in drawn})
    for each in first.candidates:
        assert list(RULES["match_fits_its_decision"](each)) == []
