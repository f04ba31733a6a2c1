"""What the matcher reads: turns as they were ingested, and rosters of those who are there today."""

from __future__ import annotations

import numpy as np
import pytest
from evidence import SPACE, act, filled
from runs import GATES, run_document, run_model, voice

from voxint.errors import InputError
from voxint.store.evidence import enrollment_rows, rosters, run_turns, voice_of
from voxint.store.ingest import ingest_runs
from voxint.store.sessions import Store


def test_turns_come_back_in_order_and_to_the_bit(store: Store) -> None:
    document = run_document("run-1")
    list(ingest_runs(store, [run_model("run-1", turns=document["turns"][::-1])]))
    with store.reading() as session:
        run = run_turns(session, " run-1")
    assert [turn.turn_index for turn in run.turns] == list(range(8))
    for turn, given in zip(run.turns, document["turns"], strict=True):
        assert turn.embedding is not None
        assert turn.embedding.tolist() == given["embedding"]
        assert (turn.start, turn.end, turn.label) == (given["start"], given["end"], given["label"])


def test_a_merged_speakers_voices_are_anothers_and_an_archived_one_has_none(store: Store) -> None:
    ids = filled(store)
    act(store, "merge_speakers", "k1", speaker="Dana Fox", into="Omar Reed")
    with store.reading() as session:
        assert {who: len(rows) for who, rows in enrollment_rows(session, SPACE).items()} == {ids["Omar Reed"]: 2}
        roster = rosters(session, [SPACE])[SPACE]
    assert roster.units[0] == pytest.approx(np.array(voice(45.0)))
    act(store, "archive_speaker", "k2", speaker="Omar Reed")
    with store.reading() as session:
        assert len(rosters(session, [SPACE, "none"])[SPACE]) == 0


def test_a_voice_to_enroll_has_a_direction(store: Store) -> None:
    filled(store)
    with store.reading() as session:
        speech = voice_of(session, "run-2", "A", GATES)
        assert speech.centroid == pytest.approx(np.array(voice(10.0)))
        with pytest.raises(InputError, match='no label "Z"'):
            voice_of(session, "run-2", "Z", GATES)
        with pytest.raises(InputError, match="fewer eligible turns"):
            voice_of(session, "run-2", "A", GATES.model_copy(update={"min_turns": 9}))
