"""Voiceprints of an export: production's own centroids, and what they were built from."""

from __future__ import annotations

import pytest
from evidence import SPACE, act, filled
from runs import GATES, voice
from sqlalchemy import insert

from voxint.errors import InputError
from voxint.harness_export import agreement_enrollment
from voxint.semantics import RULES
from voxint.store.evidence import rosters
from voxint.store.sessions import Store
from voxint.store.tables import SpeakerEmbedding


def test_the_voiceprints_are_those_that_the_matcher_compares_with(store: Store) -> None:
    ids = filled(store)
    with store.reading() as session:
        found = agreement_enrollment(session, f" {SPACE}")
        roster = rosters(session, [SPACE])[SPACE]
    assert list(found.voiceprints) == sorted(ids.values()) == list(roster.speaker_ids)
    assert [each.embedding for each in found.voiceprints.values()] == roster.units.tolist()
    assert (found.embedding_space, found.dims) == (SPACE, 3)
    sources = [(each.enrollment_items, each.held_out, each.source_item_ids) for each in found.voiceprints.values()]
    assert sources == [(1, True, ["run-1"])] * 2
    for rule in ("voiceprints_fit_dims", "hosts_have_one_spelling", "source_items_have_one_spelling"):
        assert list(RULES[rule](found)) == []


def test_further_voices_are_further_sources(store: Store) -> None:
    ids = filled(store)
    act(store, "enroll_further_voice", "k1", run_id="run-2", label="A", speaker="Dana Fox", gates=GATES)
    with store.reading() as session:
        dana = agreement_enrollment(session, SPACE).voiceprints[ids["Dana Fox"]]
    assert (dana.enrollment_items, dana.source_item_ids) == (2, ["run-1", "run-2"])


def test_a_vector_of_unknown_source_is_not_held_out(store: Store) -> None:
    ids = filled(store)
    row = {"speaker_id": ids["Dana Fox"], "embedding_space": SPACE, "embedding": voice(3.0)}
    with store.writing() as session:
        session.execute(insert(SpeakerEmbedding), [row])
    with store.reading() as session:
        found = agreement_enrollment(session, SPACE).voiceprints
    assert [found[ids[name]].held_out for name in ("Dana Fox", "Omar Reed")] == [False, True]
    assert found[ids["Dana Fox"]].source_item_ids == ["run-1"]


def test_some_speakers_can_be_asked_for(store: Store) -> None:
    ids = filled(store)
    with store.reading() as session:
        found = agreement_enrollment(session, SPACE, roster_speaker_ids=[ids["Omar Reed"]])
    assert list(found.voiceprints) == [ids["Omar Reed"]]


def test_what_cannot_be_exported_is_said(store: Store) -> None:
    ids = filled(store)
    act(store, "archive_speaker", "k1", speaker="Omar Reed")
    omar = ids["Omar Reed"]
    with store.reading() as session:
        with pytest.raises(InputError, match=f'no active speaker with a voiceprint in "{SPACE}": "{omar}", "spk_9"'):
            agreement_enrollment(session, SPACE, roster_speaker_ids=["spk_9", omar])
        with pytest.raises(InputError, match='nobody is enrolled in the embedding space "other-v1"'):
            agreement_enrollment(session, "other-v1")
        with pytest.raises(InputError, match="speakers named twice"):
            agreement_enrollment(session, SPACE, roster_speaker_ids=[ids["Dana Fox"], ids["Dana Fox"]])
