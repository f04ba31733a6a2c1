"""Makers of databases for tests: empty ones, and ones that hold an empty store."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

import psycopg
from postgres import PASSWORD

from voxint.store.engine import make_engine, parse_url
from voxint.store.migrate import upgrade


def migrate(url: str, target: str = "head") -> None:
    """Brings the database at the URL to a revision."""
    engine = make_engine(parse_url(url))
    try:
        upgrade(engine, target)
    finally:
        engine.dispose()


class Backend(Protocol):
    """One kind of database."""

    name: str

    def empty(self) -> str:
        """The URL of a new database with nothing in it."""

    def ready(self) -> str:
        """The URL of a new database with an empty store."""


class SqliteBackend:
    """Files in a folder."""

    name = "sqlite"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = itertools.count()

    def empty(self) -> str:
        return f"sqlite:///{self._folder}/store-{next(self._numbers)}.db"

    def ready(self) -> str:
        template = self._folder / "template.db"
        if not template.exists():
            migrate(f"sqlite:///{template}")
        found = self.empty()
        shutil.copy(template, found.removeprefix("sqlite:///"))
        return found


class PostgresBackend:
    """Databases of one server on the loopback."""

    name = "postgresql"

    def __init__(self, port: int) -> None:
        self.port = port
        self._numbers = itertools.count()
        self._template = ""

    def url(self, database: str, password: str = PASSWORD) -> str:
        """The URL of a database of the server."""
        return f"postgresql://voxint:{quote(password, safe='')}@127.0.0.1:{self.port}/{database}"

    def empty(self, *, like: str = "template0", more: str = "") -> str:
        name = f"store_{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {like} {more}")
        return self.url(name)

    def ready(self) -> str:
        if not self._template:
            found = self.empty()
            migrate(found)
            self._template = found.rpartition("/")[2]
        return self.empty(like=self._template)

    def execute(self, statement: str, database: str = "postgres") -> None:
        """Runs one statement as the superuser, outside of any transaction."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(statement)
