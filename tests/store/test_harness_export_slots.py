"""Slots of an export: the centroids of labels, by the gates of production."""

from __future__ import annotations

from typing import Any

import pytest
from evidence import SPACE, filled
from runs import GATES, run_document, run_model, voice
from voxint_contracts.agreement.v1 import ItemKind, SlotsRecord

from voxint.errors import InputError
from voxint.harness_export import agreement_slots
from voxint.harness_export.slots import total_speech
from voxint.speakers.matching import Turn
from voxint.store.ingest import ingest_runs
from voxint.store.sessions import Store

NEGATIVE = ItemKind.NEGATIVE_CONTROL


def slots(store: Store, *run_ids: str, **more: Any) -> list[SlotsRecord]:
    arguments = {"kind_by_run": dict.fromkeys(run_ids, NEGATIVE), "host_by_run": {}, "gates": GATES} | more
    with store.reading() as session:
        return list(agreement_slots(session, run_ids, **arguments))


def test_a_slot_is_a_centroid_with_what_could_be_used(store: Store) -> None:
    filled(store)
    kinds = {"run-1": NEGATIVE, "run-2": ItemKind.CURATED}
    first, second = slots(store, "run-2", "run-1", kind_by_run=kinds, host_by_run={"run-2": "spk"})
    assert (first.item_id, second.item_id, second.host_id, first.host_id) == ("run-1", "run-2", "spk", None)
    assert list(second.slots) == ["A", "B"]
    slot = second.slots["A"]
    assert slot.embedding == pytest.approx(voice(10.0), abs=1e-15)
    assert (slot.duration, slot.segments, second.embedding_space) == (15.0, 4, SPACE)
    assert second.total_speech == 32.0


def test_a_label_without_a_centroid_is_left_out(store: Store) -> None:
    document = run_document("run-9", {"A": 0.0, "B": 90.0})
    turns = [
        {key: value for key, value in turn.items() if not key.startswith("embedding")} | {"skip_reason": "noise"}
        if turn["label"] == "B"
        else turn
        for turn in document["turns"]
    ]
    list(ingest_runs(store, [run_model("run-9", turns=turns)]))
    (record,) = slots(store, "run-9")
    assert (list(record.slots), record.total_speech) == (["A"], 32.0)


def test_speech_is_counted_once_where_voices_overlap() -> None:
    spans = [(0.0, 4.0), (1.0, 2.0), (3.5, 5.0), (7.0, 7.5), (5.0, 5.25)]
    assert total_speech(Turn(place, *span, "A") for place, span in enumerate(spans)) == 5.75
    assert total_speech([]) == 0.0


def test_what_cannot_be_exported_is_refused_before_the_first_record(store: Store) -> None:
    filled(store)
    mixed = run_document("mixed")["turns"]
    mixed[0]["embedding_space"] = "other-v1"
    other = [turn | {"embedding_space": "other-v1"} for turn in run_document("other")["turns"]]
    silent = [{"turn_index": 0, "start": 0.0, "end": 1.0, "label": "A", "overlap_seconds": 0.0, "skip_reason": "noise"}]
    models = {"mixed": mixed, "other": other, "silent": silent}
    list(ingest_runs(store, [run_model(name, turns=turns) for name, turns in models.items()]))
    cases: list[tuple[list[str], dict[str, Any], str]] = [
        (["mixed"], {}, 'run "mixed" spans two embedding spaces, which cannot be compared: "other-v1", "test-v1"'),
        (["run-1", "other"], {}, 'the runs are of 2 embedding spaces, an export is of one: "other-v1", "test-v1"'),
        (["silent"], {}, "none of the runs has an embedding"),
        ([], {}, "no run is selected"),
        (["run-1", "run-1"], {}, "selected twice"),
        (["run-1"], {"kind_by_run": {}}, 'runs without a kind, curated or negative_control: "run-1"'),
        (["run-1"], {"kind_by_run": {"run-1": ItemKind.CURATED}}, 'curated runs without a host: "run-1"'),
    ]
    for run_ids, more, said in cases:
        with pytest.raises(InputError, match=said):
            slots(store, *run_ids, **more)


def test_a_silent_run_takes_the_space_of_the_others(store: Store) -> None:
    filled(store)
    silent = [{"turn_index": 0, "start": 0.0, "end": 1.0, "label": "A", "overlap_seconds": 0.0, "skip_reason": "noise"}]
    list(ingest_runs(store, [run_model("silent", turns=silent)]))
    records = slots(store, "run-1", "silent")
    assert [(each.embedding_space, len(each.slots)) for each in records] == [(SPACE, 2), (SPACE, 0)]
