"""Rules of votes, decisions, gates and gold sets: what keeps them, and where a document that breaks them is faulted.

Each rule's refusals, in full, are the vectors `rule-<id>` and their snapshots.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from voxint_contracts import catalog
from voxint_contracts.ensemble import v1 as ensemble

from voxint.semantics import FUSED, HARMS, ONE_VOTER, RULES

ROOT = Path(__file__).resolve().parents[2]


def test_the_table_has_each_agreement_once() -> None:
    assert set(FUSED) == set(ensemble.VoterAgreement)
    assert {verdict for _, verdict, _ in FUSED.values()} == set(ensemble.EnsembleVerdict)
    assert len({reason for _, _, reason in FUSED.values()}) == len(FUSED)
    assert FUSED["one_confident"][2] == ONE_VOTER


def test_a_harm_is_a_metric_that_the_contract_has() -> None:
    schema: dict[str, Any] = json.loads(catalog.schema_text("gate_metrics/v1/metrics"))
    numbers = {name for name, each in schema["properties"].items() if each.get("type") in ("integer", "number")}
    assert numbers - set(HARMS) == {"schema_version", "baseline_fp_overname", "audit_candidate_host_ok", "paired_n"}
    assert list(HARMS) == sorted(HARMS)


@pytest.mark.parametrize("blank", [None, "", " ", "\n"])
def test_a_present_host_has_a_slot(blank: str | None) -> None:
    vote = ensemble.Vote.model_validate_json(
        json.dumps(
            {
                "schema_version": 1,
                "item_id": "x",
                "kind": "curated",
                "embedding_space": "a",
                "verdict": "CONFIDENT_HOST_PRESENT",
                "reason": None,
                "host_slot": blank,
                "contradiction": False,
            }
        )
    )
    assert [violation.path for violation in RULES["present_carries_its_slot"](vote)] == [("host_slot",)]


def test_one_rule_serves_the_verdict_and_the_vote() -> None:
    rules = {document.name: document.rules for document in catalog.DOCUMENTS}
    assert set(rules["ensemble/v1/votes"]) <= set(rules["agreement/v1/verdicts"])


def test_a_vote_is_a_part_of_a_verdict() -> None:
    vote: dict[str, Any] = json.loads(catalog.schema_text("ensemble/v1/votes"))
    verdict: dict[str, Any] = json.loads(catalog.schema_text("agreement/v1/verdicts"))
    assert set(vote["required"]) <= set(verdict["required"])
    assert set(vote["properties"]) <= set(verdict["properties"])
    for path in sorted((ROOT / "contracts/vectors/agreement/v1/accept").glob("verdicts.*")):
        for line in path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n"):
            if not line.strip():
                continue
            ensemble.Vote.model_validate_json(line)
