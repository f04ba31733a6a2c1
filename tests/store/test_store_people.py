"""Who is who after all merges."""

from __future__ import annotations

import pytest
from evidence import act, filled
from runs import GATES

from voxint.errors import ConflictError, InputError
from voxint.store.people import canonical, described, everybody, is_active, speaker_list, state_of, the_speaker
from voxint.store.sessions import Store
from voxint.store.tables import Speaker


def test_a_chain_of_merges_leads_to_its_end(store: Store) -> None:
    ids = filled(store)
    act(store, "enroll_new_speaker", "k1", run_id="run-3", label="X", display_name="Ines", gates=GATES)
    act(store, "merge_speakers", "k2", speaker="Dana Fox", into="Omar Reed")
    act(store, "merge_speakers", "k3", speaker="Omar Reed", into="Ines")
    with store.reading() as session:
        people = everybody(session)
        ines = the_speaker(session, "Ines").id
        assert {canonical(people, each) for each in people} == {ines}
        assert is_active(session, ines)
        assert not is_active(session, ids["Dana Fox"])
        assert described(people[ids["Dana Fox"]], people).endswith(', merged into "Omar Reed")')
        told = {each.display_name: (each.state.value, each.n_embeddings) for each in speaker_list(session).speakers}
    assert told == {"Dana Fox": ("merged", 0), "Ines": ("active", 3), "Omar Reed": ("merged", 0)}


def test_a_ring_made_by_hand_is_found() -> None:
    people = {"a": Speaker(id="a", merged_into_id="b"), "b": Speaker(id="b", merged_into_id="a")}
    with pytest.raises(ConflictError, match="merged in a ring"):
        canonical(people, "a")


def test_people_are_found_by_id_or_name(store: Store) -> None:
    ids = filled(store)
    with store.reading() as session:
        assert the_speaker(session, ids["Dana Fox"]) is the_speaker(session, " Dana  Fox".replace("  ", " "))
        assert state_of(the_speaker(session, "Dana Fox")).value == "active"
        with pytest.raises(InputError, match='no speaker "Dana"'):
            the_speaker(session, "Dana")
