"""The revision of a database: bringing it up to date, and refusing one that is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, func, inspect, select, text

from voxint.errors import EdgeError, InputError, quoted
from voxint.store.complaints import shown
from voxint.store.engine import WRITES
from voxint.store.tables import Base

MIGRATION_LOCK = 0x766F78696E74 + 1
"""Key of the advisory lock under which a PostgreSQL database is brought up to date."""


def scripts() -> ScriptDirectory:
    """The migrations of this voxint."""
    return ScriptDirectory(Path(__file__).parent / "migrations")


def head() -> str:
    """The revision that this voxint works with."""
    return str(scripts().get_current_head())


def revision_of(connection: Connection) -> str | None:
    """The revision of a database; None for one that has none."""
    return MigrationContext.configure(connection).get_current_revision()


def check_revision(engine: Engine) -> None:
    """Nothing happens where the database is of the right revision.

    Raises:
        InputError: it does not exist, holds no store, or is of an older or a newer revision.
    """
    place = shown(engine.url)
    if engine.dialect.name == "sqlite" and not Path(str(engine.url.database)).exists():
        raise InputError(f"{place}: there is no such file: voxint store init makes it")
    with engine.connect() as connection:
        found = revision_of(connection)
    if found == head():
        return
    if found is None:
        raise InputError(f"{place}: holds no evidence store: voxint store init makes one")
    raise InputError(f"{place}: {_other_revision(found)}")


def _other_revision(found: str) -> str:
    if found in {script.revision for script in scripts().walk_revisions()}:
        return f"is of revision {found}, older than {head()}: voxint store upgrade brings it up to date"
    return f"is of revision {quoted(found)}, which this voxint does not know: it was made by a newer one"


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
    elif before not in {script.revision for script in scripts().walk_revisions()}:
        raise InputError(f"{place}: {_other_revision(before)}")


def _check_keys(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
        assert not broken, f"a migration left references without their rows: {broken[:5]}"
