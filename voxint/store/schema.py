"""The revision of a database: which one it is, and refusing one that is not this voxint's. Migrations are elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection, Engine, column, inspect, select, table

from voxint.errors import InputError, quoted
from voxint.store.complaints import shown

REVISIONS = ("0001", "0002")
"""Every revision, oldest first; named here so that opening a store needs no Alembic."""

HEAD = REVISIONS[-1]
"""The revision that this voxint works with."""

VERSION_TABLE = "alembic_version"


def revision_of(connection: Connection) -> str | None:
    """The revision of a database; None for one that has none."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    found: Sequence[str] = connection.scalars(select(column("version_num")).select_from(table(VERSION_TABLE))).all()
    return None if not found else str(found[0])


def check_revision(engine: Engine) -> None:
    """Nothing happens where the database is of the right revision.

    Raises:
        InputError: it does not exist, holds no store, or is of an older or a newer revision.
    """
    place = shown(engine.url)
    check_file(engine)
    with engine.connect() as connection:
        found = revision_of(connection)
    if found == HEAD:
        return
    if found is None:
        raise InputError(f"{place}: holds no evidence store: voxint store init makes one")
    raise InputError(f"{place}: {other_revision(found)}")


def check_file(engine: Engine) -> None:
    """Nothing happens for a server, or a file that is there: SQLite would make one by looking at it.

    Raises:
        InputError: there is no such file.
    """
    if engine.dialect.name == "sqlite" and not Path(str(engine.url.database)).exists():
        raise InputError(f"{shown(engine.url)}: there is no such file: voxint store init makes it")


def other_revision(found: str) -> str:
    """What to do about a database of another revision than this voxint's."""
    if found in REVISIONS:
        return f"is of revision {found}, older than {HEAD}: voxint store upgrade brings it up to date"
    return f"is of revision {quoted(found)}, which this voxint does not know: it was made by a newer one"
