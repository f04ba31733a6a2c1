"""Name items of a store: what the machine would have shown, and what people ruled, apart from one another."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from runs import GATES, run_model, voice
from voxint_contracts.name_accuracy.v1 import NameAccuracyItem, NameSlot, TruthAnchoring
from voxint_contracts.store.v1 import Ruling

from voxint.errors import InputError
from voxint.harness_export import name_accuracy_items
from voxint.io.canonical import encode
from voxint.store import operators
from voxint.store.ingest import ingest_runs
from voxint.store.matches import refresh_run_matches
from voxint.store.sessions import Store

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
Do = Callable[..., Any]


@pytest.fixture
def do(store: Store) -> Do:
    """Three runs of which run-1 enrols Dana (0 degrees) and Omar (90), all matched; then one operator action a call."""
    voices = {"run-2": {"A": 10.0, "B": 80.0}, "run-3": {"X": 45.0, "Y": 5.0}}
    list(ingest_runs(store, [run_model("run-1"), *(run_model(name, found) for name, found in voices.items())]))
    keys = iter(range(99))

    def done(name: str, **arguments: Any) -> Any:
        with store.writing() as session:
            function: Callable[..., Any] = getattr(operators, name)
            return function(session, operator="ann", idempotency_key=f"k{next(keys)}", now=NOW, **arguments)

    for label, name in (("SPEAKER_00", "Dana Fox"), ("SPEAKER_01", "Omar Reed")):
        done("enroll_new_speaker", run_id="run-1", label=label, display_name=name, gates=GATES)
    match(store)
    return done


def match(store: Store) -> None:
    with store.writing() as session:
        for run_id in ("run-1", "run-2", "run-3"):
            refresh_run_matches(session, run_id, GATES)


def items(store: Store, *run_ids: str) -> dict[str, NameAccuracyItem]:
    with store.reading() as session:
        found = name_accuracy_items(session, run_ids, truth_anchoring=TruthAnchoring.INDEPENDENT)
        return {item.item_id: item for item in found}


def slots(store: Store, run_id: str) -> dict[str, NameSlot]:
    return dict(items(store, run_id)[run_id].slots)


def test_a_grounded_proposal_is_shown_and_the_rest_is_not(do: Do, store: Store) -> None:
    """45 degrees lie between both voices: no lead over the second speaker, so nothing is shown."""
    found = slots(store, "run-3")
    assert (found["Y"].assigned_name, found["X"].assigned_name) == ("Dana Fox", None)
    assert found["X"].confidence is None
    provenance = found["Y"].match
    assert provenance is not None
    assert provenance.similarity is not None
    assert found["Y"].confidence == (provenance.similarity + 1) / 2
    assert (found["Y"].duration, provenance.eligible_turns, provenance.roster_size) == (16.0, 4, 2)
    assert found["X"].match is not None
    assert found["X"].match.reason == "below_margin"


def test_rulings_are_truths(do: Do, store: Store) -> None:
    do("record_decision", run_id="run-2", label="A", decision=Ruling.EXCLUDE, speaker=None)
    do("record_decision", run_id="run-2", label="B", decision=Ruling.UNKNOWN, speaker=None)
    do("record_decision", run_id="run-3", label="X", decision=Ruling.UNKNOWN, speaker=None)
    do("record_decision", run_id="run-3", label="X", decision=Ruling.ASSIGN, speaker="Omar Reed")
    truths = {label: slot.truth for name in ("run-2", "run-3") for label, slot in slots(store, name).items()}
    assert truths == {"A": "__ABSTAIN__", "B": "__NEITHER_DETERMINABLE__", "X": "Omar Reed", "Y": None}


def test_no_ruling_changes_what_would_have_been_shown(do: Do, store: Store) -> None:
    before = items(store, "run-2", "run-3")
    for run_id, label in (("run-2", "A"), ("run-2", "B"), ("run-3", "X"), ("run-3", "Y")):
        do("record_decision", run_id=run_id, label=label, decision=Ruling.ASSIGN, speaker="Omar Reed")
    for run_id, item in items(store, "run-2", "run-3").items():
        bare = {label: slot.model_copy(update={"truth": None, "truth_id": None}) for label, slot in item.slots.items()}
        assert encode(item.model_copy(update={"slots": bare})) == encode(before[run_id])
        assert {slot.truth for slot in item.slots.values()} == {"Omar Reed"}


def test_a_merged_speaker_is_who_they_turned_out_to_be(do: Do, store: Store) -> None:
    do("record_decision", run_id="run-2", label="A", decision=Ruling.ASSIGN, speaker="Dana Fox")
    do("merge_speakers", speaker="Dana Fox", into="Omar Reed")
    slot = slots(store, "run-2")["A"]
    assert (slot.assigned_name, slot.truth) == ("Omar Reed", "Omar Reed")
    assert slot.assigned_id == slot.truth_id


def test_a_roster_of_one_has_no_margin(do: Do, store: Store) -> None:
    do("archive_speaker", speaker="Omar Reed")
    match(store)
    provenance = slots(store, "run-2")["A"].match
    assert provenance is not None
    assert (provenance.margin, provenance.roster_size) == (None, 1)


def test_a_run_that_was_never_matched_shows_nothing(do: Do, store: Store) -> None:
    list(ingest_runs(store, [run_model("run-4")]))
    assert [(slot.assigned_name, slot.match) for slot in slots(store, "run-4").values()] == [(None, None)] * 2


@pytest.mark.parametrize(
    ("run_ids", "said"),
    [
        ([], "no run is selected"),
        (["run-1", "run-1"], 'selected twice: "run-1"'),
        (["run-1", " run-1"], 'selected twice: "run-1"'),
        (["run-9", "run-1"], 'not in the store: "run-9"'),
        (["queued"], 'not completed: "queued"'),
    ],
)
def test_a_selection_is_looked_at_before_the_first_item(do: Do, store: Store, run_ids: list[str], said: str) -> None:
    list(ingest_runs(store, [run_model("queued", status="queued")]))
    with store.reading() as session, pytest.raises(InputError, match=said):
        name_accuracy_items(session, run_ids, truth_anchoring=TruthAnchoring.INDEPENDENT)


def test_a_run_without_turns_is_no_item(do: Do, store: Store) -> None:
    list(ingest_runs(store, [run_model("empty", turns=[])]))
    with pytest.raises(InputError, match='run "empty" has no turns'):
        items(store, "empty")


def test_many_runs_come_in_order(do: Do, store: Store) -> None:
    names = [f"m-{number:04}" for number in range(510)]
    turn = {"turn_index": 0, "start": 0.0, "end": 1.0, "label": "A", "overlap_seconds": 0.0}
    one = [turn | {"embedding": voice(0.0), "embedding_space": "test-v1"}]
    list(ingest_runs(store, [run_model(name, turns=one) for name in names]))
    assert list(items(store, *reversed(names))) == names
