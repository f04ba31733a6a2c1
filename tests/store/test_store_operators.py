"""Operators enroll, rule, merge, archive and restore: once per key, and never against what is there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from runs import GATES, run_document, run_model
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from voxint_contracts.store.v1 import ActionReport, Ruling

from voxint.errors import ConflictError, InputError
from voxint.store import operators
from voxint.store.ingest import ingest_runs
from voxint.store.operators import speaker_id_of
from voxint.store.sessions import Store
from voxint.store.tables import AdjudicationDecision, Base, OperatorAction, Speaker, SpeakerEmbedding

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = datetime(2026, 3, 2, 12, tzinfo=UTC)

Act = Callable[..., ActionReport]


@pytest.fixture
def act(store: Store) -> Act:
    """Does one action in a transaction of its own: `act("archive_speaker", key, speaker=...)`."""
    list(ingest_runs(store, [run_model("run-1"), run_model("run-2"), run_model("run-3", status="failed")]))

    def done(name: str, key: str, *, now: datetime = NOW, operator: str = "ann", **arguments: Any) -> ActionReport:
        function: Callable[..., ActionReport] = getattr(operators, name)
        with store.writing() as session:
            return function(session, operator=operator, idempotency_key=key, now=now, **arguments)

    return done


def enroll(act: Act, key: str = "k1", name: str = "Dana Fox", run_id: str = "run-1", **more: Any) -> ActionReport:
    arguments = {"label": "SPEAKER_00", "gates": GATES, "run_id": run_id, "display_name": name}
    return act("enroll_new_speaker", key, **{**arguments, **more})


def _all(session: Session, table: type[Base]) -> list[Any]:
    return list(session.scalars(select(table)).all())


def _rows(store: Store) -> dict[str, int]:
    with store.reading() as session:
        tables = (Speaker, OperatorAction, AdjudicationDecision, SpeakerEmbedding)
        counted = {table: session.scalar(select(func.count()).select_from(table)) or 0 for table in tables}
        return {table.__tablename__: n for table, n in counted.items()}


def test_an_enrollment_writes_speaker_voice_and_ruling(act: Act, store: Store) -> None:
    done = enroll(act)
    assert done.model_dump(mode="json") == {
        "schema_version": 1,
        "kind": "action_report",
        "action": "enroll",
        "replayed": False,
        "idempotency_key": "k1",
        "operator": "ann",
        "created_at": "2026-03-01T12:00:00Z",
        "speaker_id": speaker_id_of("k1"),
        "display_name": "Dana Fox",
        "merged_into_id": None,
        "run_id": "run-1",
        "label": "SPEAKER_00",
        "decision": "assign",
    }
    with store.reading() as session:
        (speaker,), (voice,) = _all(session, Speaker), _all(session, SpeakerEmbedding)
        (ruling,), (action,) = _all(session, AdjudicationDecision), _all(session, OperatorAction)
        assert (speaker.id, speaker.display_name, speaker.deleted_at) == (speaker_id_of("k1"), "Dana Fox", None)
        assert (voice.speaker_id, voice.source_run_id, voice.source_label) == (speaker.id, "run-1", "SPEAKER_00")
        assert (voice.source_decision_id, voice.embedding_space) == (ruling.id, "test-v1")
        assert list(voice.embedding) == [1.0, 0.0, 0.0]
        assert (ruling.decision, ruling.speaker_id, ruling.idempotency_key) == ("assign", speaker.id, "k1")
        assert (action.action, action.speaker_id, action.created_at) == ("enroll", speaker.id, NOW)


def test_an_exact_replay_returns_the_first_outcome(act: Act, store: Store) -> None:
    first = enroll(act)
    before = _rows(store)
    again = enroll(act, now=LATER)
    assert again == first.model_copy(update={"replayed": True})
    assert _rows(store) == before == dict.fromkeys(before, 1)


@pytest.mark.parametrize(
    "change",
    [
        {"name": "Dana F."},
        {"label": "SPEAKER_01"},
        {"run_id": "run-2"},
        {"operator": "bob"},
        {"gates": GATES.model_copy(update={"turn_weight_cap_seconds": 3.0})},
    ],
)
def test_a_different_use_of_the_key_is_a_conflict(act: Act, store: Store, change: dict[str, Any]) -> None:
    enroll(act)
    before = _rows(store)
    with pytest.raises(
        ConflictError, match='"k1" was used for another action: enroll by "ann" at 2026-03-01T12:00:00Z'
    ):
        enroll(act, **change)
    assert _rows(store) == before


def test_a_key_of_one_action_is_no_key_of_another(act: Act) -> None:
    enroll(act)
    with pytest.raises(ConflictError, match="used for another action: enroll"):
        act("archive_speaker", "k1", speaker="Dana Fox")


def test_a_taken_name_says_who_owns_it_and_in_which_state(act: Act) -> None:
    enroll(act)
    dana = speaker_id_of("k1")
    with pytest.raises(ConflictError, match=rf'it is that of speaker "Dana Fox" \({dana}, active\)'):
        enroll(act, "k2", run_id="run-2")
    act("archive_speaker", "k3", speaker=dana)
    with pytest.raises(ConflictError, match=rf'"Dana Fox" \({dana}, archived\)'):
        enroll(act, "k2", run_id="run-2")
    act("restore_speaker", "k4", speaker=dana)
    enroll(act, "k5", "Eve Hart", "run-2")
    act("merge_speakers", "k6", speaker=dana, into="Eve Hart")
    with pytest.raises(ConflictError, match=rf'"Dana Fox" \({dana}, merged into "Eve Hart"\)'):
        enroll(act, "k2", label="SPEAKER_01")


def test_a_name_is_compared_in_its_identity_form(act: Act) -> None:
    enroll(act, name="Jos\u00e9 ")
    with pytest.raises(ConflictError, match="the name is taken"):
        enroll(act, "k2", " Jose\u0301", "run-2")


@pytest.mark.parametrize("name", ["", " ", "unknown", "SPEAKER_7", "__ABSTAIN__", "__NEITHER_DETERMINABLE__", "a\x00b"])
def test_what_is_no_name_is_refused(act: Act, store: Store, name: str) -> None:
    with pytest.raises(InputError, match="display_name: "):
        enroll(act, name=name)
    assert _rows(store) == dict.fromkeys(_rows(store), 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"run_id": "run-9"}, 'there is no run "run-9" in the store'),
        ({"run_id": "run-3"}, 'run "run-3" is failed: only a completed run says who spoke'),
        ({"label": "SPEAKER_05"}, 'there is no label "SPEAKER_05" in run "run-1"'),
        ({"gates": GATES.model_copy(update={"min_turns": 5})}, "fewer eligible turns than min_turns"),
        ({"gates": GATES.model_copy(update={"min_seconds": 16.0})}, "less usable speech than min_seconds"),
        ({"gates": GATES.model_copy(update={"max_overlap_ratio": 0.0})}, "has no eligible turn"),
        ({"operator": "\t"}, "operator: must not be blank"),
        ({"key": ""}, "idempotency_key: must not be blank"),
    ],
)
def test_what_cannot_be_enrolled_is_refused(act: Act, store: Store, change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        enroll(act, **change)
    assert _rows(store) == dict.fromkeys(_rows(store), 0)


def test_voices_that_cancel_out_or_are_of_two_spaces_are_refused(act: Act, store: Store) -> None:
    turns = run_document(voices={"A": 0.0})["turns"]
    for turn, sign in zip(turns, (1.0, -1.0, 1.0, -1.0), strict=True):
        turn["embedding"] = [sign, 0.0, 0.0]
    mixed = run_document(voices={"A": 0.0})["turns"]
    mixed[0]["embedding_space"] = "other-v1"
    list(ingest_runs(store, [run_model("cancel", turns=turns), run_model("mixed", turns=mixed)]))
    with pytest.raises(InputError, match="its embeddings cancel out"):
        enroll(act, run_id="cancel", label="A")
    with pytest.raises(InputError, match="embeddings are of two spaces"):
        enroll(act, run_id="mixed", label="A")


def test_a_label_is_enrolled_once(act: Act) -> None:
    enroll(act)
    with pytest.raises(
        ConflictError, match=r'"SPEAKER_00" of run "run-1" is enrolled already, as a voice of .*"Dana Fox"'
    ):
        enroll(act, "k2", "Dana Fox-Hart")


def test_a_further_voice_joins_the_enrollment_once(act: Act, store: Store) -> None:
    enroll(act)
    arguments = {"run_id": "run-2", "label": "SPEAKER_00", "speaker": "Dana Fox", "gates": GATES}
    first = act("enroll_further_voice", "k2", **arguments)
    assert (first.action, first.decision, first.speaker_id) == ("decide", "assign", speaker_id_of("k1"))
    assert act("enroll_further_voice", "k2", **arguments).replayed
    assert _rows(store)["speaker_embeddings"] == 2
    with pytest.raises(ConflictError, match="is enrolled already"):
        act("enroll_further_voice", "k3", **arguments)


@pytest.mark.parametrize("ruling", Ruling)
def test_a_ruling_is_written_once(act: Act, store: Store, ruling: Ruling) -> None:
    enroll(act)
    speaker = "Dana Fox" if ruling is Ruling.ASSIGN else None
    arguments = {"run_id": "run-2", "label": "SPEAKER_01", "decision": ruling, "speaker": speaker}
    first = act("record_decision", "k2", **arguments)
    assert (first.decision, first.display_name, first.replayed) == (ruling, speaker, False)
    assert act("record_decision", "k2", now=LATER, **arguments) == first.model_copy(update={"replayed": True})
    assert _rows(store)["adjudication_decisions"] == 2
    other = Ruling.UNKNOWN if ruling is not Ruling.UNKNOWN else Ruling.EXCLUDE
    with pytest.raises(ConflictError, match="used for another action: decide"):
        act("record_decision", "k2", **{**arguments, "decision": other, "speaker": None})


def test_the_last_ruling_of_a_label_is_the_one_with_the_largest_id(act: Act, store: Store) -> None:
    for key, ruling in (("a", Ruling.UNKNOWN), ("b", Ruling.EXCLUDE), ("c", Ruling.UNKNOWN)):
        act("record_decision", key, run_id="run-1", label="SPEAKER_01", decision=ruling, speaker=None)
    with store.reading() as session:
        rows = session.scalars(select(AdjudicationDecision).order_by(AdjudicationDecision.id)).all()
        assert [row.idempotency_key for row in rows] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"speaker": None}, "assign needs speaker"),
        ({"decision": Ruling.EXCLUDE}, "exclude takes no speaker"),
        ({"speaker": "Nobody"}, 'there is no speaker "Nobody"'),
        ({"label": "SPEAKER_05"}, "there is no label"),
        ({"run_id": "run-3"}, "run-3.* is failed"),
    ],
)
def test_rulings_that_are_refused(act: Act, store: Store, change: dict[str, Any], message: str) -> None:
    enroll(act)
    before = _rows(store)
    arguments = {"run_id": "run-2", "label": "SPEAKER_01", "decision": Ruling.ASSIGN, "speaker": "Dana Fox"}
    with pytest.raises(InputError, match=message):
        act("record_decision", "k2", **{**arguments, **change})
    assert _rows(store) == before
