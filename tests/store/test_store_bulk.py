"""Many turns at once, on the fast way of each driver."""

from __future__ import annotations

import pytest
from runs import run_model
from sqlalchemy import func, select

from voxint.errors import EdgeError
from voxint.store.bulk import insert_turns
from voxint.store.ingest import ingest_runs, turn_rows
from voxint.store.sessions import Store
from voxint.store.tables import DiarizationTurn


def test_nothing_is_no_statement(store: Store) -> None:
    with store.writing() as session:
        insert_turns(session.connection(), [])
        assert session.scalar(select(func.count()).select_from(DiarizationTurn)) == 0


def test_a_row_that_the_database_refuses_takes_all_back(store: Store) -> None:
    list(ingest_runs(store, [run_model("run-1")]))
    rows = turn_rows(run_model("run-1"))
    fresh = [row._replace(turn_index=row.turn_index + 100) for row in rows]
    with pytest.raises(EdgeError), store.writing() as session:
        insert_turns(session.connection(), [*fresh, rows[0]])
    with store.reading() as session:
        assert session.scalar(select(func.count()).select_from(DiarizationTurn)) == 8
