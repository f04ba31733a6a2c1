"""Every test that takes `backend` runs twice: on a file of SQLite, and on a private PostgreSQL server."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from backends import Backend, PostgresBackend, SqliteBackend
from postgres import private_server, server_programs

from voxint.store.sessions import Store, open_store

REQUIRED = "VOXINT_TEST_POSTGRES"
"""Set to `require`, a machine without a server is a failure; else its half of the tests is left out, and said so."""

_left_out = pytest.StashKey[int]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the PostgreSQL half where there is no server."""
    for item in items:
        if getattr(getattr(item, "callspec", None), "params", {}).get("backend") == "postgresql":
            item.add_marker(pytest.mark.postgres)
    if server_programs() is not None:
        return
    if os.environ.get(REQUIRED) == "require":
        raise pytest.UsageError("there is no PostgreSQL server on this machine: apt-get install postgresql")
    without = [item for item in items if item.get_closest_marker("postgres") is None]
    config.stash[_left_out] = len(items) - len(without)
    items[:] = without


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Says loudly what was not tested."""
    if n := config.stash.get(_left_out, 0):
        terminalreporter.section("NOT TESTED ON POSTGRESQL", red=True, bold=True)
        terminalreporter.line(
            f"{n} tests were left out: no server here. apt-get install postgresql; make test-postgres"
        )


@pytest.fixture(scope="session")
def server() -> Iterator[PostgresBackend]:
    with private_server() as port:
        yield PostgresBackend(port)


@pytest.fixture(params=["sqlite", "postgresql"])
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Backend:
    """A maker of databases: each one is new, and holds what the test puts into it."""
    if request.param == "sqlite":
        return SqliteBackend(tmp_path)
    found: PostgresBackend = request.getfixturevalue("server")
    return found


@pytest.fixture
def url(backend: Backend, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of a new, empty store; VOXINT_DATABASE_URL names it too."""
    found = backend.ready()
    monkeypatch.setenv("VOXINT_DATABASE_URL", found)
    return found


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with open_store(url) as opened:
        yield opened
