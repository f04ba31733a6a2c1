"""The rules of gold sets: a document that keeps each, and where one breaks it."""

from __future__ import annotations

from typing import Any

import pytest
from voxint_contracts.goldset import v1 as contract

from voxint.semantics import RULES


def broken(rule: str, model: Any) -> list[tuple[str | int, ...]]:
    return [violation.path for violation in RULES[rule](model)]


@pytest.mark.parametrize(
    ("channels", "paths"),
    [
        ({"a": {"host": "Dana Fox", "host_id": "d"}, "b": {"host": None, "host_id": None}}, []),
        ({" ": {"host": None, "host_id": None}}, [("channels", " ")]),
        ({"a": {"host": "__ABSTAIN__", "host_id": None}}, [("channels", "a", "host")]),
        ({"a": {"host": "speaker_1", "host_id": None}}, [("channels", "a", "host")]),
        ({"a": {"host": None, "host_id": "d"}}, [("channels", "a", "host_id")]),
        ({"a": {"host": "Dana Fox", "host_id": " "}}, [("channels", "a", "host_id")]),
    ],
)
def test_a_channels_host_is_a_person(channels: dict[str, Any], paths: list[tuple[str | int, ...]]) -> None:
    facts = contract.ChannelFacts.model_validate({"schema_version": 1, "channels": channels})
    assert broken("channel_host_is_a_person", facts) == paths


@pytest.mark.parametrize(
    ("truth", "reason", "paths"),
    [
        ("Dana Fox", "channel_fact_groundable", []),
        ("__ABSTAIN__", "channel_fact_groundable", [("truth",)]),
    ],
)
def test_a_label_fits_its_reason(truth: str, reason: str, paths: list[tuple[str | int, ...]]) -> None:
    label = contract.GoldLabel(schema_version=1, id="a", stratum="s", truth=truth, reason=contract.LabelReason(reason))
    assert broken("label_fits_its_reason", label) == paths
