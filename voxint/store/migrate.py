"""Making a store and bringing an older one up to date: Alembic's migrations, all in one transaction."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, func, inspect, select, text
from sqlalchemy.exc import SQLAlchemyError

from voxint.errors import EdgeError, InputError
from voxint.store.complaints import database_error, shown
from voxint.store.engine import WRITES, environment_url, make_engine, parse_url
from voxint.store.schema import HEAD, REVISIONS, check_file, other_revision, revision_of
from voxint.store.tables import Base

MIGRATION_LOCK = 0x766F78696E74 + 1
"""Key of the advisory lock under which a PostgreSQL database is brought up to date."""


def scripts() -> ScriptDirectory:
    """The migrations of this voxint."""
    return ScriptDirectory(Path(__file__).parent / "migrations")


def upgrade(engine: Engine, target: str = "head") -> tuple[str | None, str]:
    """Brings a database to a revision in one transaction, waiting for another process that does the same.

    Returns the revisions before and after.

    Raises:
        InputError: it is of a revision that this voxint does not know, or holds tables that are none of ours.
        EdgeError: it is a PostgreSQL database that cannot hold every name (its encoding is not UTF-8).
    """
    script = scripts()
    with engine.connect().execution_options(**{WRITES: True}) as connection:
        if engine.dialect.name == "sqlite":
            _prepare_sqlite(connection)
        with connection.begin():
            if engine.dialect.name == "postgresql":
                _prepare_postgresql(connection, shown(engine.url))
            before = revision_of(connection)
            _check_can_upgrade(connection, before, shown(engine.url))

            def steps(revision: Any, _: Any) -> Any:
                return script._upgrade_revs(target, revision)  # noqa: SLF001

            context = MigrationContext.configure(connection, opts={"fn": steps, "transactional_ddl": True})
            with Operations.context(context):
                context.run_migrations()
            after = revision_of(connection)
            _check_keys(connection)
    return before, str(after)


def bring_up_to_date(*, new: bool, url: str | None = None) -> tuple[str, str | None, str]:
    """Makes a store (`new`) or upgrades one; returns where it is, and the revisions before and after.

    Raises:
        EdgeError: the database cannot be reached, or failed.
        InputError: it holds a store where a new one is to be made from nothing, or none where one is to be upgraded;
            or as `upgrade` says.
    """
    engine = make_engine(parse_url(environment_url() if url is None else url))
    try:
        _check_there(engine, new=new)
        before, after = upgrade(engine)
    except SQLAlchemyError as error:
        raise database_error(error, engine.url) from None
    finally:
        engine.dispose()
    return shown(engine.url), before, after


def _check_there(engine: Engine, *, new: bool) -> None:
    """Refuses what `upgrade` would do and nobody asked for."""
    place = shown(engine.url)
    if not new:
        check_file(engine)
    elif engine.dialect.name == "sqlite" and not Path(str(engine.url.database)).exists():
        return
    with engine.connect() as connection:
        found = revision_of(connection)
    if found is None and not new:
        raise InputError(f"{place}: holds no evidence store: voxint store init makes one")
    if new and found not in (None, HEAD):
        raise InputError(f"{place}: {other_revision(str(found))}")


def _prepare_sqlite(connection: Connection) -> None:
    """Before the transaction: tables are rebuilt under their references, and readers no longer block writers."""
    raw = connection.connection.driver_connection
    assert raw is not None
    raw.execute("PRAGMA journal_mode = WAL").close()
    raw.execute("PRAGMA foreign_keys = OFF").close()


def _prepare_postgresql(connection: Connection, place: str) -> None:
    connection.execute(select(func.pg_advisory_xact_lock(MIGRATION_LOCK)))
    encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
    if encoding != "UTF8":
        raise EdgeError(f"{place}: its encoding is {encoding}: names need a database made with ENCODING 'UTF8'")


def _check_can_upgrade(connection: Connection, before: str | None, place: str) -> None:
    if before is None:
        ours = set(Base.metadata.tables) & set(inspect(connection).get_table_names())
        if ours:
            raise InputError(f"{place}: has a table {min(ours)} and no revision: it was not made by voxint")
    elif before not in REVISIONS:
        raise InputError(f"{place}: {other_revision(before)}")


def _check_keys(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
        assert not broken, f"a migration left references without their rows: {broken[:5]}"
