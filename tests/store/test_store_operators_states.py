"""The states of a speaker: active, merged, archived, and the ways between them."""

from __future__ import annotations

import pytest
from sqlalchemy import select
from test_store_operators import Act, _rows, act, enroll  # noqa: F401
from voxint_contracts.store.v1 import Ruling

from voxint.errors import ConflictError, InputError
from voxint.store.operators import speaker_id_of
from voxint.store.people import canonical, everybody, speaker_list, state_of
from voxint.store.sessions import Store
from voxint.store.tables import Speaker


@pytest.fixture
def people(act: Act) -> Act:  # noqa: F811
    """Ann, Bob and Cem are enrolled."""
    enroll(act, "a", "Ann", "run-1")
    enroll(act, "b", "Bob", "run-2")
    enroll(act, "c", "Cem", "run-1", label="SPEAKER_01")
    return act


def _states(store: Store) -> dict[str, str]:
    with store.reading() as session:
        return {each.display_name: state_of(each).value for each in session.scalars(select(Speaker))}


def test_a_merge_leaves_a_tombstone(people: Act, store: Store) -> None:
    done = people("merge_speakers", "m1", speaker="Ann", into="Bob")
    assert (done.speaker_id, done.display_name, done.merged_into_id) == (
        speaker_id_of("a"),
        "Ann",
        speaker_id_of("b"),
    )
    people("merge_speakers", "m2", speaker="Bob", into="Cem")
    assert _states(store) == {"Ann": "merged", "Bob": "merged", "Cem": "active"}
    with store.reading() as session:
        assert canonical(everybody(session), speaker_id_of("a")) == speaker_id_of("c")
        entries = speaker_list(session).speakers
    assert [(each.display_name, each.merged_into_id, each.n_embeddings) for each in entries] == [
        ("Ann", speaker_id_of("c"), 0),
        ("Bob", speaker_id_of("c"), 0),
        ("Cem", None, 3),
    ]


def test_no_ring_of_merges(people: Act, store: Store) -> None:
    people("merge_speakers", "m1", speaker="Ann", into="Bob")
    people("merge_speakers", "m2", speaker="Bob", into="Cem")
    before = _rows(store)
    for speaker, into in (("Cem", "Ann"), ("Bob", "Ann"), ("Cem", "Bob")):
        with pytest.raises(ConflictError, match="ring|is not active"):
            people("merge_speakers", f"{speaker}-{into}", speaker=speaker, into=into)
    with pytest.raises(InputError, match="cannot be merged into themselves"):
        people("merge_speakers", "self", speaker="Cem", into=speaker_id_of("c"))
    assert _rows(store) == before


def test_only_active_speakers_are_merged(people: Act) -> None:
    people("archive_speaker", "r1", speaker="Ann")
    for speaker, into in (("Ann", "Bob"), ("Bob", "Ann")):
        with pytest.raises(
            ConflictError, match=r'"Ann" \(\w+, archived\) is not active: only active speakers are merged'
        ):
            people("merge_speakers", f"{speaker}-{into}", speaker=speaker, into=into)


def test_archive_and_restore(people: Act, store: Store) -> None:
    people("archive_speaker", "r1", speaker="Ann")
    assert _states(store)["Ann"] == "archived"
    people("restore_speaker", "r2", speaker=speaker_id_of("a"))
    assert _states(store)["Ann"] == "active"


def test_a_late_replay_of_an_archive_does_not_archive_again(people: Act, store: Store) -> None:
    first = people("archive_speaker", "r1", speaker="Ann")
    people("restore_speaker", "r2", speaker="Ann")
    before = _rows(store)
    assert people("archive_speaker", "r1", speaker="Ann") == first.model_copy(update={"replayed": True})
    assert _states(store)["Ann"] == "active"
    assert _rows(store) == before
    people("archive_speaker", "r3", speaker="Ann")
    assert people("restore_speaker", "r2", speaker="Ann").replayed
    assert _states(store)["Ann"] == "archived"


@pytest.mark.parametrize("name", ["archive_speaker", "restore_speaker"])
def test_another_use_of_such_a_key_is_a_conflict(people: Act, name: str) -> None:
    people("archive_speaker", "r0", speaker="Ann")
    if name == "restore_speaker":
        people(name, "r1", speaker="Ann")
    else:
        people(name, "r1", speaker="Cem")
    with pytest.raises(ConflictError, match="used for another action"):
        people(name, "r1", speaker="Bob")


def test_a_replay_of_a_merge(people: Act, store: Store) -> None:
    first = people("merge_speakers", "m1", speaker="Ann", into="Bob")
    before = _rows(store)
    assert people("merge_speakers", "m1", speaker="Ann", into="Bob") == first.model_copy(update={"replayed": True})
    with pytest.raises(ConflictError, match="used for another action"):
        people("merge_speakers", "m1", speaker="Ann", into="Cem")
    with pytest.raises(ConflictError, match="is not active"):
        people("merge_speakers", "m2", speaker="Ann", into="Bob")
    assert _rows(store) == before


def test_states_that_refuse(people: Act) -> None:
    people("merge_speakers", "m1", speaker="Ann", into="Bob")
    people("archive_speaker", "r1", speaker="Cem")
    for name, speaker, message in (
        ("archive_speaker", "Ann", "not active: they cannot be archived"),
        ("archive_speaker", "Cem", "not active: they cannot be archived"),
        ("restore_speaker", "Ann", "is not archived"),
        ("restore_speaker", "Bob", "is not archived"),
    ):
        with pytest.raises(ConflictError, match=message):
            people(name, f"{name}-{speaker}", speaker=speaker)
    for speaker in ("Ann", "Cem"):
        arguments = {"run_id": "run-2", "label": "SPEAKER_01", "decision": Ruling.ASSIGN, "speaker": speaker}
        with pytest.raises(ConflictError, match="not active: no label can be assigned to them"):
            people("record_decision", f"d-{speaker}", **arguments)
    with pytest.raises(InputError, match='there is no speaker "Dan", by id or by name'):
        people("archive_speaker", "r9", speaker="Dan")
