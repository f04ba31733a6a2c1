"""The open store: reading and writing transactions, each all or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from voxint.store.complaints import database_error
from voxint.store.engine import WRITES, environment_url, make_engine, parse_url
from voxint.store.schema import check_revision

WRITER_LOCK = 0x766F78696E74
"""Key of the advisory lock under which PostgreSQL lets one operator or matcher write at a time: `voxint` in ASCII."""


class Store:
    """A database of the right revision. Sessions of `writing` end in a commit, or in nothing at all on an error."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    @property
    def is_sqlite(self) -> bool:
        """Whether the store is a file."""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that sees one state of the database, whatever others write, and cannot write itself.

        Raises:
            EdgeError: the database failed.
        """
        options: dict[str, Any] = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        with self._session({} if self.is_sqlite else options) as session:
            yield session
            session.rollback()

    @contextmanager
    def writing(self, *, in_turn: bool = True, keep: bool = True) -> Iterator[Session]:
        """A session that is committed at its end. With `in_turn`, one writer at a time: what it read stays true.

        SQLite has one writer at a time in any case. Without `keep` nothing is committed: a trial of what would happen.

        Raises:
            EdgeError: the database failed; nothing was written.
        """
        with self._session({WRITES: True}) as session:
            if in_turn and not self.is_sqlite:
                session.execute(select(func.pg_advisory_xact_lock(WRITER_LOCK)))
            yield session
            if keep:
                session.commit()
            else:
                session.rollback()

    @contextmanager
    def _session(self, options: dict[str, Any]) -> Iterator[Session]:
        try:
            with Session(self.engine.execution_options(**options)) as session:
                yield session
        except SQLAlchemyError as error:
            raise database_error(error, self.engine.url) from None

    def close(self) -> None:
        """Closes every connection."""
        self.engine.dispose()


@contextmanager
def open_store(url: str | None = None) -> Iterator[Store]:
    """The store at the URL, by default at VOXINT_DATABASE_URL or in ./voxint.db.

    Raises:
        EdgeError: it cannot be reached.
        InputError: it does not exist, or is of another revision than this voxint.
        MissingExtraError: its driver is not installed.
        UsageError: the URL is none.
    """
    engine = make_engine(parse_url(environment_url() if url is None else url))
    try:
        try:
            check_revision(engine)
        except SQLAlchemyError as error:
            raise database_error(error, engine.url) from None
        yield Store(engine)
    finally:
        engine.dispose()
