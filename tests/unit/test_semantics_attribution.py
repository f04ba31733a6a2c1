"""Rules of recurrence, protocols, align inputs and trials: what keeps them, and what is said of what breaks them.

Each rule's refusals, in full, are the vectors `rule-<id>` and their snapshots.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from voxint_contracts.attribution import v1 as attribution
from voxint_contracts.attribution_protocol import v2 as protocol
from voxint_contracts.recurrence import v1 as recurrence

from voxint.errors import Path as JsonPath
from voxint.semantics import RULES
from voxint.semantics_attribution import DETAILS

VECTORS = Path(__file__).resolve().parents[2] / "contracts" / "vectors"


def full(place: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((VECTORS / f"{place}.full.json").read_text(encoding="utf-8"))
    return found


def broken(rule: str, document: Any) -> list[JsonPath]:
    return [violation.path for violation in RULES[rule](document)]


@pytest.mark.parametrize(
    ("change", "paths"),
    [
        ({}, []),
        ({"n_base_sessions": 170}, []),
        ({"n_base_sessions": 171}, [("n_base_sessions",)]),
        ({"n_participants": 29}, [("n_cross_session_speakers",)]),
        ({"n_genuine_pairs": 29}, [("n_genuine_pairs",), ("baseline_viable",)]),
        ({"n_cross_session_speakers": 50}, [("calibration_viable",)]),
    ],
)
def test_recurrence_counts(change: dict[str, int], paths: list[JsonPath]) -> None:
    values = full("recurrence/v1/accept/report") | change
    report = recurrence.RecurrenceReport.model_validate_json(json.dumps(values))
    assert broken("recurrence_counts_fit", report) == paths
    manifest = full("attribution_protocol/v2/accept/manifest") | {"recurrence_report": values}
    nested = protocol.ProtocolManifest.model_validate_json(json.dumps(manifest))
    assert broken("recurrence_counts_fit", nested) == [("recurrence_report", *path) for path in paths]


@pytest.mark.parametrize("kind", list(attribution.TrialKind))
@pytest.mark.parametrize("detail", [None, *attribution.TrialDetail])
def test_details_of_trials(kind: attribution.TrialKind, detail: attribution.TrialDetail | None) -> None:
    document = full("attribution/v1/accept/trials")
    document["trials"][0] |= {"kind": kind, "detail": detail}
    trials = attribution.TrialsDocument.model_validate_json(json.dumps(document))
    fits = detail is None or detail in DETAILS[kind]
    assert broken("trial_detail_fits_its_kind", trials) == ([] if fits else [("trials", 0, "detail")])


def test_every_detail_belongs_to_one_kind() -> None:
    assert set(DETAILS) == set(attribution.TrialKind)
    assert sorted(detail for own in DETAILS.values() for detail in own) == sorted(attribution.TrialDetail)


@pytest.mark.parametrize("role", list(protocol.MeetingRole))
@pytest.mark.parametrize("split", list(protocol.MeetingSplit))
def test_roles_and_splits(role: protocol.MeetingRole, split: protocol.MeetingSplit) -> None:
    manifest = full("attribution_protocol/v2/accept/manifest")
    manifest["rows"][2] |= {"role": role, "split": split}
    fits = (role == "enrollment") == (split == "enrollment")
    found = protocol.ProtocolManifest.model_validate_json(json.dumps(manifest))
    assert broken("role_fits_its_split", found) == ([] if fits else [("rows", 2, "split")])
    document = full("attribution/v1/accept/align_input")
    document["meetings"]["ES2003a"] |= {"role": role, "split": split}
    aligned = attribution.AlignInput.model_validate_json(json.dumps(document))
    is_scored = role != "enrollment" and split != "enrollment"
    assert bool(broken("aligned_role_fits_its_split", aligned)) is not is_scored
