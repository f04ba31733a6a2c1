"""The rules of the agreement family: a document that keeps each, and where one breaks it."""

from __future__ import annotations

from typing import Any

import pytest
from naive_agreement import enrollment, item, records, slot, thresholds, voiceprint
from voxint_contracts.agreement import v1 as contract

from voxint.semantics import RULES


def broken(rule: str, model: Any) -> list[tuple[str | int, ...]]:
    return [violation.path for violation in RULES[rule](model)]


def record(*, host: str | None = "dana", **slots: Any) -> contract.SlotsRecord:
    return records({**item("ep-1", host), "kind": "curated", "slots": slots})[0]


def verdict(kind: str, verdict: str, **changed: Any) -> contract.VerdictRecord:
    names = ("host_slot", "top_cosine", "runner_up_cosine", "margin", "host_slot_duration", "host_slot_segments")
    fields = dict.fromkeys((*names, "reason", "host_id")) | changed
    return contract.VerdictRecord(
        schema_version=1,
        item_id="ep-1",
        kind=contract.ItemKind(kind),
        embedding_space="toy-v1",
        verdict=contract.AgreementVerdict(verdict),
        contradiction=False,
        diagnostics=contract.Diagnostics(),
        **fields,
    )


def test_a_curated_item_names_its_host() -> None:
    assert broken("curated_item_names_its_host", record()) == []
    assert broken("curated_item_names_its_host", record(host=None)) == [("host_id",)]
    assert broken("curated_item_names_its_host", records(item("x"))[0]) == []


@pytest.mark.parametrize("label", ["", " ", "\t\n", "\u2003\u00a0"])
def test_a_blank_label_names_no_slot(label: str) -> None:
    assert broken("slot_labels_are_not_blank", record(A=slot(1))) == []
    assert broken("slot_labels_are_not_blank", record(**{"A": slot(1), label: slot(1)})) == [("slots", label)]


def test_vectors_of_a_record_compare_with_one_another() -> None:
    fine = record(A=slot(1, 0), B=slot(0, 5e-324))
    assert broken("slot_vectors_are_comparable", fine) == []
    assert broken("slot_vectors_are_comparable", record()) == []
    wrong = record(A=slot(1, 0), B=slot(0, -0.0), C=slot(1))
    assert broken("slot_vectors_are_comparable", wrong) == [("slots", "B", "embedding"), ("slots", "C", "embedding")]


def test_voiceprints_are_of_the_stated_length() -> None:
    assert broken("voiceprints_fit_dims", enrollment(a=voiceprint(1, 0))) == []
    wrong = enrollment(a=voiceprint(1), b=voiceprint(0, 0), c=voiceprint(1, 2, 3))
    assert broken("voiceprints_fit_dims", wrong) == [("voiceprints", host, "embedding") for host in "abc"]


def test_a_source_item_has_one_spelling_in_a_file() -> None:
    fine = enrollment(a=voiceprint(1, 0, sources=("x", "x")), b=voiceprint(1, 0, sources=("x", "X")))
    assert broken("source_items_have_one_spelling", fine) == []
    wrong = enrollment(a=voiceprint(1, 0, sources=("\u00e9",)), b=voiceprint(1, 0, sources=("y", "e\u0301", "\u00e9 ")))
    assert broken("source_items_have_one_spelling", wrong) == [
        ("voiceprints", "b", "source_item_ids", 1),
        ("voiceprints", "b", "source_item_ids", 2),
    ]


def test_the_low_band_may_reach_tau_but_not_pass_it() -> None:
    assert broken("low_band_is_at_most_tau", thresholds(tau=0.5, low_band=0.5)) == []
    assert broken("low_band_is_at_most_tau", thresholds(tau=0.5, low_band=0.5000000000000001)) == [("low_band",)]


@pytest.mark.parametrize(
    ("kind", "name", "paths"),
    [
        ("curated", "CONFIDENT_HOST_PRESENT", []),
        ("curated", "ABSTAIN", []),
        ("curated", "NO_CURATED_HOST_DETECTED", [("verdict",)]),
        ("negative_control", "CONFIDENT_HOST_PRESENT", [("verdict",)]),
        ("negative_control", "ABSTAIN", []),
        ("negative_control", "NO_CURATED_HOST_DETECTED", []),
    ],
)
def test_a_verdict_fits_its_kind(kind: str, name: str, paths: list[Any]) -> None:
    assert broken("verdict_fits_its_kind", verdict(kind, name)) == paths


@pytest.mark.parametrize(("slot_name", "paths"), [("A", []), (None, [("host_slot",)]), (" ", [("host_slot",)])])
def test_a_present_carries_its_slot(slot_name: str | None, paths: list[Any]) -> None:
    present = verdict("curated", "CONFIDENT_HOST_PRESENT", host_slot=slot_name)
    assert broken("present_carries_its_slot", present) == paths
    assert broken("present_carries_its_slot", verdict("curated", "ABSTAIN", host_slot=slot_name)) == []


def test_reason_fits_its_verdict() -> None:
    reason, rule = contract.AgreementReason.NEAR_TIE, "reason_fits_its_verdict"
    assert broken(rule, verdict("curated", "ABSTAIN", reason=reason)) == []
    assert broken(rule, verdict("curated", "ABSTAIN")) == [("reason",)]
    for kind, name in (("curated", "CONFIDENT_HOST_PRESENT"), ("negative_control", "NO_CURATED_HOST_DETECTED")):
        assert broken(rule, verdict(kind, name)) == []
        assert broken(rule, verdict(kind, name, reason=reason)) == [("reason",)]
