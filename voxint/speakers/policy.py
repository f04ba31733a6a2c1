"""The three bands: what a match may do on a screen, from its recorded evidence and today's gates.

A band is never stored. Evidence is recorded once, and read against the gates of the day, so that a recalibrated gate
moves old matches too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from voxint_contracts.attribution.v1 import MatchingGates
from voxint_contracts.calibration.v1 import Band

__all__ = [
    "BASE_GATES",
    "Band",
    "BandDecision",
    "Evidence",
    "MatchingGates",
    "accept_failure",
    "band_for",
    "grounded_failure",
]

BASE_GATES = MatchingGates(
    max_overlap_ratio=0.20,
    turn_weight_cap_seconds=10.0,
    min_turns=2,
    min_seconds=6.0,
    min_cosine=0.60,
    min_margin=0.05,
    min_vote_agreement=0.60,
    grounded_min_turns=3,
    grounded_min_seconds=10.0,
    grounded_min_cosine=0.70,
    grounded_min_margin=0.08,
    grounded_min_vote_agreement=0.67,
)


class Evidence(Protocol):
    """The numbers of one match; a `Trial` of the contracts is one. A null is a number that nobody has."""

    @property
    def similarity(self) -> float | None:
        """Cosine with the top speaker, in [-1, 1]."""

    @property
    def margin(self) -> float | None:
        """Lead over the second speaker, in [0, 2]; null for a roster of one."""

    @property
    def vote_agreement(self) -> float | None:
        """Share of the turns' weight that votes for the top speaker, in [0, 1]."""

    @property
    def eligible_turns(self) -> int | None:
        """Turns that the matcher could use."""

    @property
    def eligible_seconds(self) -> float | None:
        """Seconds of these turns without overlap."""

    @property
    def roster_size(self) -> int | None:
        """Speakers that the matcher chose from."""


@dataclass(frozen=True, slots=True)
class BandDecision:
    """A band, why in plain words, and whether the operator may be told the candidate's name."""

    band: Band
    reason: str
    may_name: bool


_WORDS = {
    "turns": ("{} eligible turns, {} needed", 0, ""),
    "seconds": ("{} s of usable speech, {} s needed", 1, "f"),
    "cosine": ("cosine {}, {} needed", 3, "f"),
    "margin": ("lead over the second speaker {}, {} needed", 3, "f"),
    "vote_agreement": ("{} of the turns agree, {} needed", 0, "%"),
}
_MOST_DIGITS = 17


def accept_failure(evidence: Evidence, gates: MatchingGates) -> str | None:
    """The first accept gate that the evidence fails, as turns, seconds, cosine, margin or vote_agreement; or None."""
    return _first_failure(evidence, _accept(gates))


def grounded_failure(evidence: Evidence, gates: MatchingGates) -> str | None:
    """The first grounded gate that the evidence fails, in the order of `accept_failure`; None when it is grounded."""
    return _first_failure(evidence, _grounded(gates))


def band_for(evidence: Evidence, gates: MatchingGates = BASE_GATES) -> BandDecision:
    """The band of one match: grounded is shown, accepted is reviewed, all else abstains. All comparisons are >=.

    The grounded gates are read alone: a sweep may set them below the accept gates, and then they still show.
    A null margin passes for a roster of one and fails otherwise; any other missing number fails both gates. A match
    under review may be named to the operator unless its margin is below the grounded one: two people are then too
    close to suggest either.
    """
    grounded, accept = _grounded(gates), _accept(gates)
    failed = _first_failure(evidence, grounded)
    if failed is None:
        return BandDecision(Band.AUTO_ATTRIBUTE, "clears every gate for showing without review", may_name=True)
    refused = _first_failure(evidence, accept)
    if refused is not None:
        return BandDecision(Band.ABSTAIN, "not accepted: " + _words(evidence, refused, accept[refused]), may_name=False)
    reason = "accepted, but not shown without review: " + _words(evidence, failed, grounded[failed])
    ambiguous = not _passes(evidence, "margin", gates.grounded_min_margin)
    return BandDecision(Band.REVIEW, reason, may_name=not ambiguous)


def _accept(gates: MatchingGates) -> dict[str, float]:
    return {
        "turns": gates.min_turns,
        "seconds": gates.min_seconds,
        "cosine": gates.min_cosine,
        "margin": gates.min_margin,
        "vote_agreement": gates.min_vote_agreement,
    }


def _grounded(gates: MatchingGates) -> dict[str, float]:
    return {
        "turns": gates.grounded_min_turns,
        "seconds": gates.grounded_min_seconds,
        "cosine": gates.grounded_min_cosine,
        "margin": gates.grounded_min_margin,
        "vote_agreement": gates.grounded_min_vote_agreement,
    }


def _first_failure(evidence: Evidence, gates: dict[str, float]) -> str | None:
    return next((name for name, need in gates.items() if not _passes(evidence, name, need)), None)


def _passes(evidence: Evidence, name: str, need: float) -> bool:
    have = _number(evidence, name)
    if have is None:
        return name == "margin" and evidence.roster_size == 1
    return have >= need


def _number(evidence: Evidence, name: str) -> float | None:
    return {
        "turns": evidence.eligible_turns,
        "seconds": evidence.eligible_seconds,
        "cosine": evidence.similarity,
        "margin": evidence.margin,
        "vote_agreement": evidence.vote_agreement,
    }[name]


def _words(evidence: Evidence, name: str, need: float) -> str:
    have = _number(evidence, name)
    if have is None:
        return f"no {name.replace('_', ' ')} on record"
    words, digits, form = _WORDS[name]
    if not form:
        return words.format(have, need)
    for more in range(digits, _MOST_DIGITS):
        shown = [format(value, f".{more}{form}") for value in (have, need)]
        # As many digits as it takes to see that what there is falls short.
        if shown[0] != shown[1]:
            break
    return words.format(*shown)
