"""Revisions in words."""

from __future__ import annotations

from pathlib import Path

import pytest
from backends import Backend
from sqlalchemy import text

from voxint.errors import InputError
from voxint.store.engine import make_engine, parse_url
from voxint.store.schema import HEAD, check_revision, other_revision, revision_of


def test_an_empty_database_has_no_revision(backend: Backend) -> None:
    engine = make_engine(parse_url(backend.empty()))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE notes (id integer)"))
        assert revision_of(connection) is None
    with pytest.raises(InputError, match="holds no evidence store: voxint store init makes one"):
        check_revision(engine)
    engine.dispose()


def test_the_way_out_is_said() -> None:
    assert "voxint store upgrade" in other_revision("0001")
    assert "made by a newer one" in other_revision("x")
    assert HEAD not in ("0001", "x")


def test_what_is_no_database_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_text("no database, but long enough to be looked at " * 30)
    from voxint.errors import EdgeError
    from voxint.store.sessions import open_store

    with pytest.raises(EdgeError, match="not a database"), open_store(f"sqlite:///{tmp_path}/x.db"):
        pass
