"""Rules on what the evidence store and its matcher write. Part of `voxint.semantics.RULES`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from voxint.errors import Violation

if TYPE_CHECKING:
    from voxint_contracts.speaker_match import v1 as speaker_match

_BEFORE_COMPARING = frozenset(
    {"no_eligible_turns", "too_few_turns", "too_little_speech", "no_roster", "degenerate_centroid"}
)


def match_fits_its_decision(match: speaker_match.MatchCandidate) -> Iterator[Violation]:
    """An ineligible label has no candidate and no numbers, a compared one has both; a grounded one is accepted."""
    decision = match.decision.value
    yield from _numbers_fit(match, decision)
    if (match.reason is None) != (decision == "accepted"):
        yield Violation(("reason",), "must be null exactly where the decision is accepted")
    elif match.reason is not None and (match.reason.value in _BEFORE_COMPARING) != (decision == "ineligible"):
        yield Violation(("reason",), f"{match.reason.value} is no reason of the decision {decision}")
    if match.grounded and decision != "accepted":
        yield Violation(("grounded",), "must be false unless the decision is accepted")


def _numbers_fit(match: speaker_match.MatchCandidate, decision: str) -> Iterator[Violation]:
    compared = decision != "ineligible"
    for name in ("top_speaker_id", "similarity", "vote_agreement"):
        if (getattr(match, name) is not None) != compared:
            yield Violation((name,), f"must {'not ' if compared else ''}be null where the decision is {decision}")
    if match.margin is not None and not compared:
        yield Violation(("margin",), "must be null where the decision is ineligible")
    if compared and (match.margin is None) != (match.roster_size == 1):
        yield Violation(("margin",), "must be null exactly where the roster has one speaker")
    if compared and match.embedding_space is None:
        yield Violation(("embedding_space",), f"must not be null where the decision is {decision}")
