"""The three bands at the equality of every gate, with null margins and with missing numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import pytest
from trial_support import gates

from voxint.speakers.policy import BASE_GATES, Band, accept_failure, band_for, grounded_failure

EVIDENCE = {
    "turns": ("eligible_turns", "min_turns"),
    "seconds": ("eligible_seconds", "min_seconds"),
    "cosine": ("similarity", "min_cosine"),
    "margin": ("margin", "min_margin"),
    "vote_agreement": ("vote_agreement", "min_vote_agreement"),
}


@dataclass(frozen=True)
class Match:
    """Evidence that meets every grounded gate exactly."""

    similarity: float | None = 0.70
    margin: float | None = 0.08
    vote_agreement: float | None = 0.67
    eligible_turns: int | None = 3
    eligible_seconds: float | None = 10.0
    roster_size: int | None = 4


ACCEPTED = Match(0.60, 0.05, 0.60, 2, 6.0)


def below(value: float) -> float:
    return value - 1 if isinstance(value, int) else math.nextafter(value, -math.inf)


def test_the_defaults_are_those_of_the_page() -> None:
    assert BASE_GATES.model_dump(exclude_none=True) == {
        "max_overlap_ratio": 0.20,
        "turn_weight_cap_seconds": 10.0,
        "min_turns": 2,
        "min_seconds": 6.0,
        "min_cosine": 0.60,
        "min_margin": 0.05,
        "min_vote_agreement": 0.60,
        "grounded_min_turns": 3,
        "grounded_min_seconds": 10.0,
        "grounded_min_cosine": 0.70,
        "grounded_min_margin": 0.08,
        "grounded_min_vote_agreement": 0.67,
    }


def test_equal_to_every_gate_passes() -> None:
    shown = band_for(Match())
    assert (shown.band, shown.may_name) == (Band.AUTO_ATTRIBUTE, True)
    assert grounded_failure(Match(), BASE_GATES) is None
    assert band_for(ACCEPTED).band == Band.REVIEW
    assert accept_failure(ACCEPTED, BASE_GATES) is None


@pytest.mark.parametrize("gate", EVIDENCE)
def test_one_step_below_a_grounded_gate_is_review(gate: str) -> None:
    name = EVIDENCE[gate][0]
    weaker = replace(Match(), **{name: below(getattr(Match(), name))})
    assert grounded_failure(weaker, BASE_GATES) == gate
    assert band_for(weaker).band == Band.REVIEW
    assert band_for(weaker).may_name == (gate != "margin")


@pytest.mark.parametrize("gate", EVIDENCE)
def test_one_step_below_an_accept_gate_abstains(gate: str) -> None:
    name = EVIDENCE[gate][0]
    weaker = replace(ACCEPTED, **{name: below(getattr(ACCEPTED, name))})
    assert accept_failure(weaker, BASE_GATES) == gate
    decision = band_for(weaker)
    assert (decision.band, decision.may_name) == (Band.ABSTAIN, False)
    assert decision.reason.startswith("not accepted: ")


@pytest.mark.parametrize("gate", EVIDENCE)
def test_a_missing_number_fails_both_gates(gate: str) -> None:
    weaker = replace(Match(), **{EVIDENCE[gate][0]: None})
    assert accept_failure(weaker, BASE_GATES) == grounded_failure(weaker, BASE_GATES) == gate
    assert band_for(weaker).band == Band.ABSTAIN
    assert "on record" in band_for(weaker).reason


@pytest.mark.parametrize(
    ("roster", "band"),
    [(1, Band.AUTO_ATTRIBUTE), (0, Band.ABSTAIN), (2, Band.ABSTAIN), (None, Band.ABSTAIN)],
)
def test_a_null_margin_passes_for_a_roster_of_one_alone(roster: int | None, band: Band) -> None:
    assert band_for(Match(margin=None, roster_size=roster)).band == band


def test_a_low_margin_is_judged_in_a_roster_of_one_too() -> None:
    assert band_for(Match(margin=0.04, roster_size=1)).band == Band.ABSTAIN


def test_the_first_failing_gate_is_named() -> None:
    nothing = Match(None, None, None, None, None, None)
    assert accept_failure(nothing, BASE_GATES) == "turns"
    assert band_for(nothing).reason == "not accepted: no turns on record"


@pytest.mark.parametrize(
    ("match", "reason"),
    [
        (Match(eligible_turns=2), "2 eligible turns, 3 needed"),
        (Match(eligible_seconds=7.25), "7.2 s of usable speech, 10.0 s needed"),
        (Match(similarity=0.65), "cosine 0.650, 0.700 needed"),
        (Match(margin=0.06), "lead over the second speaker 0.060, 0.080 needed"),
        (Match(vote_agreement=0.61), "61% of the turns agree, 67% needed"),
        (Match(vote_agreement=2 / 3), "66.7% of the turns agree, 67.0% needed"),
        (Match(eligible_seconds=9.97), "9.97 s of usable speech, 10.00 s needed"),
        (Match(similarity=0.69996), "cosine 0.69996, 0.70000 needed"),
    ],
)
def test_the_reason_says_what_there_is_and_what_is_needed(match: Match, reason: str) -> None:
    assert band_for(match).reason == f"accepted, but not shown without review: {reason}"


def test_a_case_under_review_is_named_unless_two_people_are_close() -> None:
    assert band_for(Match(similarity=0.65, margin=0.08)).may_name is True
    assert band_for(Match(similarity=0.65, margin=below(0.08))).may_name is False
    assert band_for(Match(similarity=0.65, margin=None, roster_size=1)).may_name is True


def test_grounded_gates_below_the_accept_gates_are_read_alone() -> None:
    """A sweep sets them so: what clears them is shown, though it would not be accepted."""
    loose = gates(grounded_min_cosine=0.55, grounded_min_margin=0.02)
    assert band_for(Match(similarity=0.56, margin=0.03), loose).band == Band.AUTO_ATTRIBUTE
    assert accept_failure(Match(similarity=0.56, margin=0.03), loose) == "cosine"
