"""Rules on matches: each way in which a decision and its numbers can contradict one another."""

from __future__ import annotations

import json
from typing import Any

import pytest
from voxint_contracts.speaker_match.v1 import MatchCandidate

from voxint.semantics import RULES

ACCEPTED: dict[str, Any] = {
    "schema_version": 1,
    "run_id": "r",
    "label": "A",
    "decision": "accepted",
    "reason": None,
    "embedding_space": "toy-v1",
    "top_speaker_id": "s1",
    "similarity": 0.9,
    "margin": 0.2,
    "vote_agreement": 1.0,
    "grounded": True,
    "eligible_turns": 3,
    "eligible_seconds": 12.0,
    "roster_size": 2,
}
INELIGIBLE = ACCEPTED | {
    "decision": "ineligible",
    "reason": "no_roster",
    "top_speaker_id": None,
    "similarity": None,
    "margin": None,
    "vote_agreement": None,
    "grounded": False,
    "roster_size": 0,
}


def broken(fields: dict[str, Any], **changed: Any) -> list[tuple[str | int, ...]]:
    match = MatchCandidate.model_validate_json(json.dumps(fields | changed))
    return [violation.path for violation in RULES["match_fits_its_decision"](match)]


@pytest.mark.parametrize(
    ("fields", "changed", "paths"),
    [
        (ACCEPTED, {}, []),
        (INELIGIBLE, {}, []),
        (ACCEPTED, {"roster_size": 1, "margin": None}, []),
        (ACCEPTED, {"margin": None}, [("margin",)]),
        (ACCEPTED, {"roster_size": 1}, [("margin",)]),
        (ACCEPTED, {"reason": "below_margin"}, [("reason",)]),
        (ACCEPTED, {"decision": "rejected"}, [("reason",), ("grounded",)]),
        (ACCEPTED, {"decision": "rejected", "reason": "no_roster", "grounded": False}, [("reason",)]),
        (ACCEPTED, {"embedding_space": None}, [("embedding_space",)]),
        (ACCEPTED, {"top_speaker_id": None, "similarity": None}, [("top_speaker_id",), ("similarity",)]),
        (INELIGIBLE, {"reason": "below_cosine"}, [("reason",)]),
        (INELIGIBLE, {"margin": 0.1}, [("margin",)]),
        (INELIGIBLE, {"vote_agreement": 0.1, "grounded": True}, [("vote_agreement",), ("grounded",)]),
    ],
)
def test_a_match_fits_its_decision(
    fields: dict[str, Any], changed: dict[str, Any], paths: list[tuple[str | int, ...]]
) -> None:
    assert broken(fields, **changed) == paths
