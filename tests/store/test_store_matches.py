"""Matches as the store keeps them: replaced as a whole, the same again, and nobody proposed who is gone."""

from __future__ import annotations

import logging

import pytest
from evidence import act, filled
from runs import GATES, run_document, run_model
from sqlalchemy import select

from voxint.errors import InputError
from voxint.io.canonical import encode
from voxint.store.ingest import ingest_runs
from voxint.store.matches import completed_runs, evaluate_run, refresh_run_matches, write_matches
from voxint.store.sessions import Store
from voxint.store.tables import MatchCandidate, SpeakerAssignment


def test_a_refresh_again_changes_no_byte(store: Store) -> None:
    filled(store)
    found = []
    for _ in range(2):
        with store.writing() as session:
            found.append(b"".join(encode(each) for each in refresh_run_matches(session, "run-2", GATES)))
    assert found[0] == found[1]


def test_an_evaluation_writes_nothing(store: Store) -> None:
    list(ingest_runs(store, [run_model("run-1")]))
    with store.reading() as session:
        matches = evaluate_run(session, "run-1", GATES)
        assert {each.reason for each in matches.candidates} == {"no_roster"}
        assert session.scalars(select(MatchCandidate)).all() == []


def test_a_speaker_gone_meanwhile_is_not_proposed(store: Store) -> None:
    """Decided while Dana was active, written when she is archived: the evidence stays, the proposal is dropped."""
    filled(store)
    with store.reading() as session:
        decided = evaluate_run(session, "run-2", GATES).candidates
    act(store, "archive_speaker", "k", speaker="Dana Fox")
    with store.writing() as session:
        written = write_matches(session, "run-2", decided)
        proposed = set(session.scalars(select(SpeakerAssignment.label).where(SpeakerAssignment.run_id == "run-2")))
    assert {each.label: each.proposed for each in written} == {"A": False, "B": True}
    assert proposed == {"B"}
    assert {each.decision for each in written} == {"accepted"}


def test_a_label_of_two_spaces_is_left_out_with_an_error(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    turns = run_document("mixed")["turns"]
    turns[0]["embedding_space"] = "other-v1"
    list(ingest_runs(store, [run_model("mixed", turns=turns)]))
    with store.reading() as session, caplog.at_level(logging.ERROR, "voxint.store"):
        found = evaluate_run(session, "mixed", GATES)
    assert [each.label for each in found.candidates] == ["SPEAKER_01"]
    assert 'label "SPEAKER_00" of run "mixed" is left out' in caplog.text


def test_only_completed_runs_are_matched(store: Store) -> None:
    list(ingest_runs(store, [run_model("b"), run_model("a"), run_model("failed", status="failed")]))
    with store.reading() as session:
        assert completed_runs(session) == ["a", "b"]
        with pytest.raises(InputError, match='run "failed" is failed'):
            evaluate_run(session, "failed", GATES)
        with pytest.raises(InputError, match='there is no run "none"'):
            evaluate_run(session, "none", GATES)
