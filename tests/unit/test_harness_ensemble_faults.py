"""What fusion refuses: no spelling lets a model vote twice, and no missing field reads as a yes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_harness_ensemble import ABSENT, ABSTAIN, CONTROL, models, vote
from voxint_contracts.ensemble import v1 as contract

from voxint.cli import main
from voxint.errors import RecordError
from voxint.harness.ensemble import score


def refusal(ours: list[contract.Vote], theirs: list[contract.Vote]) -> RecordError:
    with pytest.raises(RecordError) as caught:
        score(ours, theirs)
    return caught.value


def said(ours: list[contract.Vote], theirs: list[contract.Vote]) -> list[str]:
    return [f"{r.parameter}[{r.index}]: {r.message}" for r in refusal(ours, theirs).records]


def test_items_that_a_side_lacks_are_counted_and_five_are_named() -> None:
    ours = models([vote(f"i{k}") for k in range(7)], "a")
    assert said(ours, models([vote("i0"), vote("z")], "b")) == [
        'voter_b[None]: lacks 6 item_ids of voter_a: "i1", "i2", "i3", "i4", "i5" and 1 more',
        'voter_a[None]: lacks 1 item_id of voter_b: "z"',
    ]
    assert said([], models([vote("z")], "b")) == ['voter_a[None]: lacks 1 item_id of voter_b: "z"']


def test_other_kinds_are_placed_in_both_files() -> None:
    ours = models([vote("x"), vote("y", ABSTAIN)], "a")
    error = refusal(ours, models([vote("y", ABSENT), vote("x")], "b"))
    (fault,) = error.records
    assert (fault.parameter, fault.index, fault.path, fault.other) == ("voter_b", 0, ("kind",), ("voter_a", 1))
    assert fault.message == "is negative_control here and curated for the other voter"


def test_five_other_kinds_are_shown_and_all_are_counted() -> None:
    ours = models([vote(f"i{k}", ABSTAIN) for k in range(9)], "a")
    error = refusal(ours, models([vote(f"i{k}", ABSENT) for k in range(9)], "b"))
    assert (len(error.records), error.n_faults) == (5, 9)


@pytest.mark.parametrize("other", ["a-v1", " a-v1", "a-v1\n", "a-v1\u00a0"])
def test_one_space_for_both_voters_is_refused_however_it_is_spelt(other: str) -> None:
    (message,) = said(models([vote()], "a-v1"), models([vote()], other))
    assert "is the space of voter_a too" in message


def test_one_space_in_two_normal_forms_is_one_space() -> None:
    (message,) = said(models([vote()], "caf\u00e9"), models([vote()], "cafe\u0301"))
    assert "is the space of voter_a too" in message


def test_case_makes_another_space() -> None:
    assert len(list(score(models([vote()], "A"), models([vote()], "a")))) == 1


def test_a_file_has_one_space_spelt_one_way() -> None:
    mixed = models([vote("x", space="a"), vote("y", space="c"), vote("z", space="a ")])
    assert said(mixed, models([vote(k) for k in "xyz"], "b")) == [
        'voter_a[1]: "c" is another space than "a": one file has one space',
        'voter_a[2]: "a " is another spelling of "a": one space is spelt one way',
    ]


def test_a_blank_space_is_no_space() -> None:
    (message,) = said(models([vote()], " "), models([vote()], "b"))
    assert message == "voter_a[0]: must not be blank: it names the model that made the vectors"


def test_an_item_in_two_spellings_is_refused_within_a_file_and_joined_across_files() -> None:
    composed, apart = vote(item_id="\u00e9"), vote(item_id="e\u0301 ")
    (message,) = said(models([composed, apart], "a"), models([composed], "b"))
    assert message == r'voter_a[1]: item_id "e\u0301 " is another spelling of "\u00e9": one id is spelt one way'
    decisions = list(score(models([apart, vote(item_id="x")], "a"), models([vote(item_id=" x"), composed], "b")))
    assert [each.item_id for each in decisions] == ["x", "e\u0301 "]


def test_a_repeated_item_is_refused_on_either_side() -> None:
    once, twice = models([vote()], "a"), models([vote(), vote()], "b")
    assert said(once, twice) == ['voter_b[1]: duplicate item_id "ep-1"']
    assert said(models([vote(), vote()], "a"), models([vote()], "b")) == ['voter_a[1]: duplicate item_id "ep-1"']


def test_two_hosts_of_one_item_are_refused_and_a_spelling_is_no_other_host() -> None:
    ours = models([vote(host_id="h\u00e9")], "a")
    assert "is another host" in said(ours, models([vote(host_id="h2")], "b"))[0]
    assert len(list(score(ours, models([vote(host_id="he\u0301 ")], "b")))) == 1
    assert len(list(score(ours, models([vote(host_id=None)], "b")))) == 1


def test_the_host_of_an_abstention_counts_too_and_that_of_a_control_does_not() -> None:
    assert said(models([vote(host_id="h1")], "a"), models([vote(verdict=ABSTAIN, host_id="h2")], "b"))
    ours, theirs = vote(verdict=ABSENT, host_id="h1"), vote(verdict=ABSENT, host_id="h2")
    assert len(list(score(models([ours], "a"), models([theirs], "b")))) == 1


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        ({"host_slot": " "}, "host_slot"),
        ({"host_slot": None}, "host_slot"),
        ({"kind": CONTROL}, "verdict"),
        ({"reason": "near_tie"}, "reason"),
        ({"verdict": ABSTAIN}, "reason"),
    ],
)
def test_the_rules_of_a_vote_hold_in_the_library_too(changed: dict[str, Any], path: str) -> None:
    (fault,) = refusal(
        models([vote() | changed], "a"), models([vote(kind=changed.get("kind", "curated"))], "b")
    ).records[:1]
    assert (fault.parameter, fault.index, fault.path) == ("voter_a", 0, (path,))


VERDICT = {
    "schema_version": 1,
    "item_id": "ep-1",
    "kind": "curated",
    "embedding_space": "a-v1",
    "verdict": "CONFIDENT_HOST_PRESENT",
    "reason": None,
    "host_slot": "SPEAKER_00",
    "contradiction": False,
}
"""A verdict with what fusion reads and nothing else: evidence may be missing, a safety flag may not."""
ABSENT_FIELD = object()


def _command(folder: Path, changed: dict[str, Any], capfd: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    other = {k: v for k, v in (VERDICT | {"embedding_space": "b-v2"} | changed).items() if v is not ABSENT_FIELD}
    (folder / "a.jsonl").write_text(json.dumps(VERDICT) + "\n")
    (folder / "b.jsonl").write_text(json.dumps(other) + "\n")
    code = main(["score", "ensemble", "a.jsonl", "b.jsonl", "--out", "fused.jsonl"])
    printed = capfd.readouterr()
    return code, printed.out, printed.err


@pytest.mark.parametrize(
    "field", ["schema_version", "item_id", "kind", "embedding_space", "verdict", "reason", "host_slot", "contradiction"]
)
@pytest.mark.parametrize("value", [ABSENT_FIELD, "false", "", 0, 1.5, True, [], {}, ["x"]])
def test_nothing_missing_or_mistyped_reads_as_a_yes(
    field: str, value: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    if value is True and field == "contradiction":
        pytest.skip("true is the one other value that a flag may have")
    if value == "false" and isinstance(value, str) and field in ("item_id", "embedding_space", "host_slot"):
        pytest.skip("a text like any other")
    code, out, err = _command(tmp_path, {field: value}, capfd)
    assert (code, out) == (2, "")
    assert err.startswith("b.jsonl:1:")
    assert not (tmp_path / "fused.jsonl").exists()


@pytest.mark.parametrize("field", ["schema_version", "item_id", "kind", "embedding_space", "verdict", "contradiction"])
def test_null_is_no_answer(
    field: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = _command(tmp_path, {field: None}, capfd)
    assert (code, out) == (2, "")
    assert err.startswith("b.jsonl:1:")


def test_the_good_one_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = _command(tmp_path, {}, capfd)
    assert (code, err) == (0, "")
    decision = json.loads((tmp_path / "fused.jsonl").read_text())
    assert (decision["verdict"], decision["agreement"]) == ("SILVER_HOST_PRESENT", "agree_present")
