"""Which runs are exported; what is refused is tested with the items and the slots."""

from __future__ import annotations

from evidence import SPACE, filled
from runs import run_model

from voxint.harness_export.selection import one_space, parts, selected, spaces
from voxint.store.ingest import ingest_runs
from voxint.store.sessions import Store


def test_a_selection_is_in_order_and_in_the_spelling_of_the_store(store: Store) -> None:
    filled(store)
    with store.reading() as session:
        assert selected(session, ["run-3", " run-1 "]) == ["run-1", "run-3"]


def test_many_ids_are_asked_for_in_parts() -> None:
    ids = [str(number) for number in range(1201)]
    found = list(parts(ids))
    assert [len(part) for part in found] == [500, 500, 201]
    assert [each for part in found for each in part] == ids


def test_a_run_without_embeddings_has_no_space(store: Store) -> None:
    filled(store)
    list(ingest_runs(store, [run_model("empty", turns=[])]))
    with store.reading() as session:
        assert spaces(session, ["run-1", "empty"]) == {"run-1": SPACE}
        assert one_space(session, ["run-1", "empty"]) == SPACE
