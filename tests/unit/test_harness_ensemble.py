"""Fusion against its whole table, written out here, and against a slow implementation of two dictionaries."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from voxint_contracts.agreement.v1 import AgreementVerdict
from voxint_contracts.ensemble import v1 as contract

from voxint.harness import packed
from voxint.harness.ensemble import fuse, score
from voxint.semantics import RULES

C, N, A = AgreementVerdict
PRESENT, ABSENT, ABSTAIN = "CONFIDENT_HOST_PRESENT", "NO_CURATED_HOST_DETECTED", "ABSTAIN"
CURATED, CONTROL = "curated", "negative_control"
OUTPUT_RULES = ("decision_follows_its_agreement", "voters_fit_their_agreement", "voters_differ_in_space")
Plain = dict[str, Any]


def vote(item_id: str = "ep-1", verdict: str = PRESENT, *, space: str = "a-v1", **changed: Any) -> Plain:
    present = verdict == PRESENT
    fields = {
        "schema_version": 1,
        "item_id": item_id,
        "kind": CONTROL if verdict == ABSENT else CURATED,
        "embedding_space": space,
        "verdict": verdict,
        "reason": "near_tie" if verdict == ABSTAIN else None,
        "host_slot": "S0" if present else None,
        "contradiction": False,
        "host_id": None,
    }
    return fields | changed


def models(votes: list[Plain], space: str | None = None) -> list[contract.Vote]:
    return [
        contract.Vote.model_validate(v if space is None else v | {"embedding_space": space}, strict=False)
        for v in votes
    ]


def fused(ours: list[Plain], theirs: list[Plain]) -> list[Plain]:
    return [d.model_dump(mode="json") for d in score(models(ours, "a-v1"), models(theirs, "b-v1"))]


def row(kind: str, a: str, b: str, *, contradiction: bool, same: bool) -> tuple[str, str, str]:
    """Verdict, reason and agreement as the specification lists them."""
    if kind == CURATED:
        slots = "both_confident_same_slot" if same else "both_confident_slot_mismatch"
        return {
            (True, True): (
                "SILVER_HOST_PRESENT" if same else "FLAG_REVIEW",
                slots,
                "agree_present" if same else "slot_disagree",
            ),
            (True, False): ("FLAG_REVIEW", "single_voter_confident:a-v1", "one_confident"),
            (False, True): ("FLAG_REVIEW", "single_voter_confident:b-v1", "one_confident"),
            (False, False): ("ABSTAIN", "no_confident_signal", "agree_abstain"),
            None: ("FLAG_REVIEW", "contradiction", "contradiction"),
        }[None if contradiction else (a == PRESENT, b == PRESENT)]
    if contradiction:
        return "FLAG_REVIEW", "candidate_host_present_on_neg_control", "false_accept_suspect"
    if a == b == ABSENT:
        return "SILVER_NO_HOST", "both_no_host", "agree_absent"
    return "ABSTAIN", "no_confident_absence", "one_or_both_abstain"


def every_pair() -> Iterator[tuple[str, Plain, Plain]]:
    for kind, confident in ((CURATED, PRESENT), (CONTROL, ABSENT)):
        slots = ("S0", "S1") if kind == CURATED else ("S0",)
        for a, b, ca, cb, slot in product(
            (confident, ABSTAIN), (confident, ABSTAIN), (False, True), (False, True), slots
        ):
            ours = vote(verdict=a, kind=kind, contradiction=ca)
            theirs = vote(verdict=b, kind=kind, contradiction=cb)
            yield kind, ours, theirs | ({"host_slot": slot} if b == PRESENT else {})


def test_every_row_of_the_table() -> None:
    seen = set()
    for kind, ours, theirs in every_pair():
        (found,) = fused([ours], [theirs])
        expected = row(
            kind,
            ours["verdict"],
            theirs["verdict"],
            contradiction=ours["contradiction"] or theirs["contradiction"],
            same=ours["host_slot"] == theirs["host_slot"],
        )
        assert (found["verdict"], found["reason"], found["agreement"]) == expected
        assert found["kind"] == kind
        assert found["voter_a"] == {"embedding_space": "a-v1", "verdict": ours["verdict"]}
        assert found["voter_b"] == {"embedding_space": "b-v1", "verdict": theirs["verdict"]}
        seen.add(expected)
    assert len(seen) == 9


def test_every_decision_keeps_the_rules_of_its_contract() -> None:
    for _, ours, theirs in every_pair():
        (decision,) = score(models([ours], "a-v1"), models([theirs], "b-v1"))
        assert [v for rule in OUTPUT_RULES for v in RULES[rule](decision)] == []


def test_fusion_is_symmetric() -> None:
    for kind, a, b, same, contradiction in product(
        type(models([vote()])[0].kind), AgreementVerdict, AgreementVerdict, (True, False), (True, False)
    ):
        one = fuse(kind, a, b, same_slot=same, contradiction=contradiction)
        assert fuse(kind, b, a, same_slot=same, contradiction=contradiction) is one


def test_the_evidence_of_an_abstention_does_not_count_as_a_slot() -> None:
    (found,) = fused([vote()], [vote(verdict=ABSTAIN, host_slot="S0")])
    assert found["agreement"] == "one_confident"


def test_a_slot_is_compared_as_it_is_spelt() -> None:
    (found,) = fused([vote(host_slot="S0")], [vote(host_slot="S0 ")])
    assert found["agreement"] == "slot_disagree"


def test_the_reason_names_the_space_as_the_file_spells_it() -> None:
    (found,) = score(models([vote()], " e\u0301:1"), models([vote(verdict=ABSTAIN)], "b"))
    assert found.reason == "single_voter_confident: e\u0301:1"


def test_no_items_give_no_decisions() -> None:
    assert fused([], []) == []


ids = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=3)
slot = st.sampled_from(["S0", "S1", "é", "1:x"])


def form(item_id: str) -> str:
    return unicodedata.normalize("NFC", item_id).strip()


@st.composite
def files(draw: st.DrawFn) -> tuple[list[Plain], list[Plain]]:
    names = draw(st.lists(ids, unique_by=form, max_size=12))
    pairs = []
    for name in names:
        kind, confident = draw(st.sampled_from([(CURATED, PRESENT), (CONTROL, ABSENT)]))
        host = draw(st.sampled_from(["h1", "h 2"])) if kind == CURATED else None
        pair = []
        for _ in range(2):
            verdict = draw(st.sampled_from([confident, ABSTAIN]))
            one = vote(name, verdict, kind=kind, contradiction=draw(st.booleans()))
            one |= {"host_id": draw(st.sampled_from([host, None]))}
            pair.append(one | ({"host_slot": draw(slot)} if verdict == PRESENT else {}))
        pairs.append(pair)
    return draw(st.permutations([a for a, _ in pairs])), draw(st.permutations([b for _, b in pairs]))


def naive(ours: list[Plain], theirs: list[Plain]) -> list[Plain]:
    other = {v["item_id"]: v for v in theirs}
    decisions = []
    for a in sorted(ours, key=lambda v: form(str(v["item_id"]))):
        b = other[a["item_id"]]
        verdict, reason, agreement = row(
            a["kind"],
            a["verdict"],
            b["verdict"],
            contradiction=a["contradiction"] or b["contradiction"],
            same=a["host_slot"] == b["host_slot"],
        )
        decisions.append(
            {
                "schema_version": 1,
                "item_id": a["item_id"],
                "kind": a["kind"],
                "verdict": verdict,
                "reason": reason,
                "agreement": agreement,
                "voter_a": {"embedding_space": "a-v1", "verdict": a["verdict"]},
                "voter_b": {"embedding_space": "b-v1", "verdict": b["verdict"]},
            }
        )
    return decisions


@given(files(), st.integers(1, 5))
def test_the_decisions_are_the_naive_ones_whatever_the_order_and_the_run_length(
    both: tuple[list[Plain], list[Plain]], length: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packed, "RUN_LENGTH", length)
        assert fused(*both) == naive(*both)
