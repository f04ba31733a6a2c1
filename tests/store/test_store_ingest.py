"""A run is in the store whole or not at all, and once."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from runs import run_document, run_model, voice
from sqlalchemy import func, select

from voxint.errors import RecordError
from voxint.store.ingest import ingest_run, ingest_runs, turn_rows
from voxint.store.sessions import Store
from voxint.store.tables import DiarizationTurn, EmbeddingSpace, PipelineRun


def _counts(store: Store) -> tuple[int, int, int]:
    with store.reading() as session:
        tables = (PipelineRun, DiarizationTurn, EmbeddingSpace)
        n_runs, n_turns, n_spaces = (session.scalar(select(func.count()).select_from(each)) or 0 for each in tables)
        return n_runs, n_turns, n_spaces


def _ingest(store: Store, run: Any) -> str:
    (outcome,) = ingest_runs(store, [run])
    return str(outcome.outcome)


def test_every_field_comes_back_as_it_was(store: Store) -> None:
    run = run_model()
    (outcome,) = ingest_runs(store, [run])
    assert (outcome.run_id, outcome.outcome, outcome.n_turns, outcome.n_embeddings) == ("run-1", "stored", 8, 8)
    with store.reading() as session:
        head = session.get(PipelineRun, "run-1")
        assert head is not None
        assert (head.status, head.recording, head.n_turns) == ("completed", "run-1.wav", 8)
        assert head.created_at.isoformat() == "2026-03-01T09:30:00+00:00"
        turns = session.scalars(select(DiarizationTurn).order_by(DiarizationTurn.turn_index)).all()
        assert [(t.start, t.end, t.label, t.overlap_seconds, t.snr_db) for t in turns[:2]] == [
            (0.0, 4.0, "SPEAKER_00", 0.25, 20.0),
            (5.0, 9.0, "SPEAKER_01", 0.25, 20.0),
        ]
        assert [list(t.embedding) for t in turns] == [turn.embedding for turn in run.turns]  # type: ignore[arg-type]
        assert {t.embedding_space for t in turns} == {"test-v1"}


def test_embeddings_are_little_endian_float64() -> None:
    (row,) = turn_rows(run_model(turns=run_document()["turns"][:1]))
    assert row.embedding == struct.pack("<3d", *voice(0.0))


def test_a_turn_without_embedding_keeps_its_reason(store: Store) -> None:
    skipped = {"turn_index": 3, "start": 0, "end": 1, "label": "A", "overlap_seconds": 0, "skip_reason": "too_short"}
    (outcome,) = ingest_runs(store, [run_model(turns=[skipped])])
    assert (outcome.n_turns, outcome.n_embeddings) == (1, 0)
    with store.reading() as session:
        turn = session.get(DiarizationTurn, ("run-1", 3))
        assert turn is not None
        assert (turn.embedding, turn.embedding_space, turn.skip_reason, turn.snr_db) == (None, None, "too_short", None)


def test_the_same_run_again_changes_nothing(store: Store) -> None:
    assert [_ingest(store, run_model()) for _ in range(3)] == ["stored", "unchanged", "unchanged"]
    assert _counts(store) == (1, 8, 1)


def test_order_spelling_and_zone_do_not_make_another_run(store: Store) -> None:
    document = run_document("caf\u00e9")
    document["turns"].reverse()
    again = {**document, "run_id": "cafe\u0301 ", "created_at": "2026-03-01T10:30:00.0000001+01:00"}
    assert _ingest(store, run_model(**document)) == "stored"
    assert _ingest(store, run_model(**again)) == "unchanged"


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"status": "failed"}, "status"),
        ({"recording": "other.wav"}, "recording"),
        ({"created_at": "2026-03-01T09:30:00.000001Z"}, "created_at"),
        ({"status": "queued", "recording": "b"}, "status, recording"),
    ],
)
def test_another_run_of_that_id_is_refused(store: Store, change: dict[str, Any], named: str) -> None:
    _ingest(store, run_model())
    with pytest.raises(RecordError, match=rf'"run-1" is in the store already as another run: they differ in {named}$'):
        _ingest(store, run_model(**change))
    assert _ingest(store, run_model()) == "unchanged"


@pytest.mark.parametrize("name", ["start", "end", "label", "overlap_seconds", "snr_db", "embedding", "turn_index"])
def test_one_number_of_one_turn_makes_another_run(store: Store, name: str) -> None:
    _ingest(store, run_model())
    turns = run_document()["turns"]
    others = {"label": "SPEAKER_09", "embedding": [1.0, 0.0, 5e-324], "turn_index": 99}
    turns[2][name] = others[name] if name in others else turns[2][name] + 2**-40
    with pytest.raises(RecordError, match="they differ in turns 2") as caught:
        _ingest(store, run_model(turns=turns))
    assert caught.value.records[0].path == ("run_id",)


def test_a_turn_more_or_less_makes_another_run(store: Store) -> None:
    turns = run_document()["turns"]
    _ingest(store, run_model(turns=turns[:7]))
    with pytest.raises(RecordError, match="differ in turns 7$"):
        _ingest(store, run_model(turns=turns))
    with pytest.raises(RecordError, match="differ in turns 0, 1, 2, 3, 4 and 2 more$"):
        _ingest(store, run_model(turns=[]))


def test_a_space_has_one_length_in_all_runs(store: Store) -> None:
    _ingest(store, run_model())
    turns = run_document()["turns"]
    turns[0]["embedding"] = [1.0, 2.0]
    with pytest.raises(RecordError, match=r'must have 3 numbers, as the store has in the space "test-v1", not 2') as e:
        _ingest(store, run_model("run-2", turns=turns[:1]))
    assert e.value.records[0].path == ("turns", 0, "embedding")
    assert _counts(store) == (1, 8, 1)


def test_a_refused_run_leaves_nothing_and_those_before_it_stay(store: Store) -> None:
    outcomes = ingest_runs(store, [run_model("a"), run_model("b"), run_model("a", status="failed"), run_model("c")])
    assert [next(outcomes).run_id, next(outcomes).run_id] == ["a", "b"]
    with pytest.raises(RecordError):
        next(outcomes)
    assert _counts(store) == (2, 16, 1)


def test_within_a_transaction_of_ones_own_all_or_none(store: Store) -> None:
    def fail() -> None:
        with store.writing() as session:
            ingest_run(session, run_model("a"))
            ingest_run(session, run_model("b"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert _counts(store) == (0, 0, 0)


def test_a_run_without_turns_is_a_run(store: Store) -> None:
    assert _ingest(store, run_model(turns=[], status="queued")) == "stored"
    assert _ingest(store, run_model(turns=[], status="queued")) == "unchanged"
    assert _counts(store) == (1, 0, 0)
