"""The rules of exports and rosters: a document that keeps each, and where one breaks it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel
from voxint_contracts.evidence_export.v1 import ExportManifest
from voxint_contracts.roster.v1 import MeetingRuns, RosterFingerprint

from voxint.semantics import RULES


def broken(rule: str, model: type[BaseModel], fields: dict[str, Any]) -> list[tuple[str | int, ...]]:
    return [each.path for each in RULES[rule](model.model_validate_json(json.dumps({"schema_version": 1} | fields)))]


@pytest.mark.parametrize(
    ("rule", "changed", "paths"),
    [
        ("export_names_runs_once", {}, []),
        ("export_names_runs_once", {"runs": [{"run_id": "a"}, {"run_id": " a "}]}, [("runs", 1, "run_id")]),
        ("exported_curated_run_has_host", {"runs": [{"run_id": "a", "kind": "curated", "host_id": "s"}]}, []),
        ("exported_curated_run_has_host", {"runs": [{"run_id": "a", "kind": "curated"}]}, [("runs", 0, "host_id")]),
        ("exported_hosts_need_a_space", {}, []),
        ("exported_hosts_need_a_space", {"roster_speaker_ids": ["s"]}, [("roster_speaker_ids",)]),
        ("exported_hosts_need_a_space", {"embedding_space": "x"}, [("runs", 0, "kind")]),
    ],
)
def test_the_order_of_an_export(rule: str, changed: dict[str, Any], paths: list[tuple[str | int, ...]]) -> None:
    fields = {"kind": "export_manifest", "truth_anchoring": "independent", "runs": [{"run_id": "a"}]}
    assert broken(rule, ExportManifest, fields | changed) == paths


def test_a_run_is_of_one_meeting() -> None:
    assert broken("a_run_is_of_one_meeting", MeetingRuns, {"runs": {"a": "1", "b": "2"}}) == []
    assert broken("a_run_is_of_one_meeting", MeetingRuns, {"runs": {"a": "1", "b": "1"}}) == [("runs", "b")]


def test_a_fingerprint_counts_its_entries_in_order() -> None:
    entry = {"speaker_id": "s", "source_run_id": "r", "source_label": "A", "purity": 1.0, "duration": 6.0}
    entries = [entry | {"global_name": name} for name in ("A", "B")]
    fields = {"count": 2, "sha256": "0", "entries": entries, "git_sha": None, "exported_at": "2026-03-01T09:30:00Z"}
    rule = "fingerprint_counts_its_entries"
    assert broken(rule, RosterFingerprint, fields) == []
    assert broken(rule, RosterFingerprint, fields | {"count": 3}) == [("count",)]
    assert broken(rule, RosterFingerprint, fields | {"entries": entries[::-1]}) == [("entries", 1, "global_name")]
