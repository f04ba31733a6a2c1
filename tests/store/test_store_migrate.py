"""Migrations: from nothing, from an older store without loss, by two at once, and never over what is not ours."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from backends import Backend, migrate
from sqlalchemy import inspect, text

from voxint.errors import InputError
from voxint.store.engine import make_engine, parse_url
from voxint.store.migrate import bring_up_to_date, scripts
from voxint.store.schema import HEAD, REVISIONS
from voxint.store.sessions import open_store
from voxint.store.tables import Base

ROOT = Path(__file__).resolve().parents[2]


def test_the_migrations_make_the_models_schema(backend: Backend) -> None:
    engine = make_engine(parse_url(backend.ready()))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
        checks = {each["name"] for each in inspect(connection).get_check_constraints("match_candidates")}
    assert {"ck_match_candidates_margin", "ck_match_candidates_similarity"} <= checks
    engine.dispose()


def test_the_revisions_are_a_line_that_ends_at_the_head() -> None:
    found = [script.revision for script in scripts().walk_revisions()]
    assert found[0] == HEAD
    assert sorted(found) == sorted({*REVISIONS, HEAD})


def test_an_older_store_is_upgraded_without_loss(backend: Backend) -> None:
    url = backend.empty()
    migrate(url, "0001")
    engine = make_engine(parse_url(url))
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO embedding_spaces VALUES ('s', 1)"))
        run = "INSERT INTO pipeline_runs (id, status, recording, created_at) VALUES ('r', 'completed', 'r.wav', :at)"
        connection.execute(text(run), {"at": "2026-03-01 09:30:00"})
        turn = (
            'INSERT INTO diarization_turns (run_id, turn_index, start, "end", label, overlap_seconds, embedding, '
            "embedding_space) VALUES ('r', :place, :place, :place + 1, 'A', 0, :vector, 's')"
        )
        for place in range(3):
            connection.execute(text(turn), {"place": place, "vector": b"\0\0\0\0\0\0\xf0\x3f"})
    engine.dispose()
    with pytest.raises(InputError, match="is of revision 0001, older than 0002: voxint store upgrade"), open_store(url):
        pass
    _, before, after = bring_up_to_date(new=False, url=url)
    assert (before, after) == ("0001", HEAD)
    with open_store(url) as store, store.reading() as session:
        assert session.execute(text("SELECT id, n_turns FROM pipeline_runs")).all() == [("r", 3)]
        assert session.execute(text("SELECT count(*) FROM diarization_turns")).scalar_one() == 3


def test_a_newer_store_is_left_alone(backend: Backend) -> None:
    url = backend.ready()
    engine = make_engine(parse_url(url))
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    for act in (lambda: bring_up_to_date(new=False, url=url), lambda: bring_up_to_date(new=True, url=url)):
        with pytest.raises(InputError, match='"9999", which this voxint does not know'):
            act()


def test_tables_of_something_else_are_left_alone(backend: Backend) -> None:
    url = backend.empty()
    engine = make_engine(parse_url(url))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE speakers (id integer)"))
    engine.dispose()
    with pytest.raises(InputError):
        bring_up_to_date(new=True, url=url)
    with engine.connect() as connection:
        assert inspect(connection).get_table_names() == ["speakers"]
    engine.dispose()


def test_two_processes_may_make_one_store(backend: Backend) -> None:
    url = backend.empty()
    env = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'generated'}", "VOXINT_DATABASE_URL": url}
    command = [sys.executable, "-m", "voxint", "store", "init"]
    children = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)]
    ended = [(*child.communicate(), child.returncode) for child in children]
    assert [(err, code) for _, err, code in ended] == [(b"", 0)] * 3
    with open_store(url):
        pass
