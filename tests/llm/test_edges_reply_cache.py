"""Replies that are kept: found again by all that decides them, checked when read, never a failure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fake_service import ANSWER, Step, serving
from llm_support import KEY, assignment, base_url, judged, keys
from voxint_contracts.autorater.v1 import JudgeResponse

from voxint.edges import reply_cache
from voxint.edges.judging import Options, judged_by_model
from voxint.errors import EdgeError, UsageError
from voxint.io import canonical, read
from voxint.semantics import rules_of

__all__ = ["keys"]
pytestmark = pytest.mark.usefixtures("keys")


def test_what_is_held_is_not_asked_for_and_gives_the_same_document(tmp_path: Path) -> None:
    with serving() as service:
        first = judged("google", service, tmp_path, 2)
        second = judged("google", service, tmp_path, 2)
        assert len(service.requests) == 2
        third = judged("google", service, tmp_path, 3)
        assert len(service.requests) == 3
    assert second.provenance.cache_hits == 2
    facts = second.provenance.model_copy(update={"cache_hits": 0})
    assert second.model_copy(update={"provenance": facts}) == first
    assert third.provenance.cache_hits == 2
    assert third.provenance.request_sha256 == first.provenance.request_sha256


def test_refresh_asks_again_and_keeps_the_new_reply(tmp_path: Path) -> None:
    better = json.dumps({"axes": json.loads(ANSWER)["axes"], "comment": "second thoughts"})
    with serving(Step(), Step(text=better)) as service:
        judged("openai", service, tmp_path)
        assert judged("openai", service, tmp_path, refresh=True).replies[0].comment == "second thoughts"
        assert judged("openai", service, tmp_path).replies[0].comment == "second thoughts"
        assert len(service.requests) == 2


@pytest.mark.parametrize("option", [{"temperature": 0.1}, {"seed": 5}, {"max_output_tokens": 99}])
def test_another_parameter_is_another_key(option: dict[str, Any], tmp_path: Path) -> None:
    with serving() as service:
        judged("openai", service, tmp_path)
        judged("openai", service, tmp_path, **option)
        judged("google", service, tmp_path)
    assert len(service.requests) == 3
    assert len(list(tmp_path.iterdir())) == 3


def test_what_does_not_decide_a_reply_is_not_in_the_key(tmp_path: Path) -> None:
    with serving() as service, serving() as elsewhere:
        judged("openai", service, tmp_path)
        judged("openai", elsewhere, tmp_path, concurrency=1, per_minute=1)
    assert len(elsewhere.requests) == 0


def test_another_script_is_another_key(tmp_path: Path) -> None:
    with serving() as service:
        how = Options(model="openai:large", base_url=base_url("openai", service), cache_dir=str(tmp_path))
        judged_by_model(assignment(), how)
        judged_by_model(assignment(script_sha256="cd" * 32), how)
    assert len(service.requests) == 2


def _entry(tmp_path: Path) -> Path:
    (entry,) = tmp_path.iterdir()
    return entry


def test_an_entry_is_a_contract_document(tmp_path: Path) -> None:
    with serving() as service:
        judged("openai", service, tmp_path)
    rules = rules_of(("judged_script_is_identified", "provenance_is_well_formed", "replies_fit_their_status"))
    held = read.document(str(_entry(tmp_path)), JudgeResponse, rules=rules)
    assert [reply.status.value for reply in held.replies] == ["ok"]
    assert _entry(tmp_path).suffix == ".json"


TAMPERED = {
    "off the scale": ('"score":8', '"score":11'),
    "quoted": ('"score":8', '"score":"8"'),
    "an axis less": ('"tonal_duality"', '"tonal_dualty"'),
    "cut": ('"script_sha256":"', ""),
    "another version": ('"schema_version":1', '"schema_version":2'),
    "another request": ('"request_sha256":"', '"request_sha256":"0'),
    "another index": ('"index":0', '"index":1'),
    "failed": ('"status":"ok"', '"status":"failed"'),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_damaged_entry_is_asked_for_again_and_replaced(name: str, tmp_path: Path) -> None:
    old, new = TAMPERED[name]
    with serving() as service:
        first = judged("openai", service, tmp_path)
        entry = _entry(tmp_path)
        sound = entry.read_text(encoding="utf-8")
        assert old in sound
        entry.write_text(sound.replace(old, new), encoding="utf-8")
        assert judged("openai", service, tmp_path).replies == first.replies
        assert len(service.requests) == 2
        assert judged("openai", service, tmp_path).provenance.cache_hits == 1


def test_an_entry_under_another_name_is_not_taken(tmp_path: Path) -> None:
    with serving() as service:
        judged("openai", service, tmp_path)
        judged("openai", service, tmp_path, seed=1)
        one, other = sorted(tmp_path.iterdir())
        one.write_bytes(other.read_bytes())
        hits = [judged("openai", service, tmp_path, seed=seed).provenance.cache_hits for seed in (None, 1)]
    assert sorted(hits) == [0, 1]


def test_a_cache_that_cannot_be_written_costs_no_reply(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise EdgeError("the disk is full")

    monkeypatch.setattr(reply_cache.write, "write_atomic", full)
    with serving() as service:
        how = Options(model="openai:large", base_url=base_url("openai", service), cache_dir=str(tmp_path))
        outcome = judged_by_model(assignment(2), how)
    assert [reply.status.value for reply in outcome.head.replies] == ["ok", "ok"]
    assert outcome.notes == ("a reply could not be kept in the cache: the disk is full",) * 2


def test_a_folder_that_cannot_be_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with serving() as service:
        how = Options(model="openai:large", base_url=base_url("openai", service), cache_dir=str(tmp_path / "file"))
        with pytest.raises(UsageError, match="--cache-dir"):
            judged_by_model(assignment(), how)
    assert service.requests == []


def test_no_file_of_the_cache_holds_the_key_or_the_address(tmp_path: Path) -> None:
    with serving() as service:
        document = judged("openai", service, tmp_path, 2)
        texts = [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()]
    for text in [*texts, canonical.encode(document).decode()]:
        assert KEY not in text
        assert "127.0.0.1" not in text
