"""From a URL to an engine: a file of SQLite or a PostgreSQL server."""

from __future__ import annotations

import os
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.engine import Connection
from sqlalchemy.exc import ArgumentError

from voxint.errors import InputError, MissingExtraError, UsageError, quoted

VARIABLE = "VOXINT_DATABASE_URL"
DEFAULT_URL = "sqlite:///voxint.db"
FORM = "sqlite:///FILE or postgresql://USER:PASSWORD@HOST:PORT/NAME"
DRIVERS = {
    "sqlite": "sqlite+pysqlite",
    "sqlite+pysqlite": "sqlite+pysqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}

WAIT_SECONDS = 60
"""How long a write waits for others before it gives up, and a connection for a server's answer six times less."""

WRITES = "voxint_writes"
"""Execution option of a connection that is going to write."""

_HOST = re.compile(r"[A-Za-z0-9._%:-]*|/.*", re.DOTALL)


def environment_url() -> str:
    """What the environment says of the database: VOXINT_DATABASE_URL, or a file in the working directory."""
    return os.environ.get(VARIABLE) or DEFAULT_URL


def parse_url(text: str) -> URL:
    """The URL that a text stands for, with the driver that is used; nothing of the text is ever repeated.

    Raises:
        UsageError: it is no URL, or one of another database.
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise UsageError(f"{VARIABLE} is no database URL: it must be {FORM}") from None
    driver = DRIVERS.get(url.drivername)
    if driver is None:
        known = re.fullmatch(r"[a-z0-9]+(\+[a-z0-9]+)?", url.drivername)
        what = quoted(url.drivername) if known else "something else"
        raise UsageError(f"{VARIABLE} names {what}: voxint keeps its evidence in SQLite or PostgreSQL, {FORM}")
    url = url.set(drivername=driver)
    if driver.startswith("sqlite"):
        _check_sqlite(url)
    elif not _HOST.fullmatch(url.host or ""):
        # The rest of a password that holds an @ would be looked up, and shown, as a host.
        raise UsageError(f"{VARIABLE} names no host: in a password, @ is written %40, / %2F and : %3A")
    return url


def _check_sqlite(url: URL) -> None:
    if not url.database or url.database == ":memory:" or url.database.startswith("file:"):
        raise UsageError(f"{VARIABLE} names no file: it must be {FORM}")
    if url.host or url.username or url.query:
        raise UsageError(f"{VARIABLE} says more than a file: a path begins after sqlite:///, so sqlite:////srv/a.db")


def make_engine(url: URL) -> Engine:
    """An engine whose connections keep foreign keys, wait for one another, and hide parameters in errors.

    Raises:
        InputError: a file of SQLite is in no folder.
        MissingExtraError: the driver is not installed.
    """
    arguments: dict[str, Any] = {}
    if url.get_backend_name() == "sqlite":
        folder = Path(str(url.database)).parent
        if not folder.is_dir():
            raise InputError(f"{VARIABLE}: there is no folder {quoted(str(folder))}")
        arguments["timeout"] = WAIT_SECONDS
    else:
        if find_spec("psycopg") is None:
            raise MissingExtraError("a PostgreSQL server needs the extra db: pip install 'voxint[db]'")
        if "connect_timeout" not in url.query:
            arguments["connect_timeout"] = WAIT_SECONDS // 6
    engine = create_engine(url, connect_args=arguments, hide_parameters=True)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    else:
        event.listen(engine, "connect", _set_up_postgresql)
    return engine


def _set_up_sqlite(connection: Any, _: object) -> None:
    # Python's own transactions would begin late and end at any DDL: we say BEGIN ourselves.
    connection.isolation_level = None
    for pragma in ("foreign_keys = ON", "synchronous = FULL"):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_sqlite(connection: Connection) -> None:
    # A read that turns into a write fails at once when another wrote meanwhile; IMMEDIATE waits its turn instead.
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _set_up_postgresql(connection: Any, _: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = {WAIT_SECONDS * 1000:d}")
    connection.commit()
