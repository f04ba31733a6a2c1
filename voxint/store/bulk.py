"""Many turns at once, by the fastest way that each driver has; within the session's transaction like other writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError


class TurnRow(NamedTuple):
    """A row of `diarization_turns`, in the order of its columns; the embedding as little-endian float64."""

    run_id: str
    turn_index: int
    start: float
    end: float
    label: str
    overlap_seconds: float
    snr_db: float | None
    embedding: bytes | None
    skip_reason: str | None
    embedding_space: str | None


_COLUMNS = ", ".join(f'"{name}"' for name in TurnRow._fields)
_INSERT = f"INSERT INTO diarization_turns ({_COLUMNS}) VALUES ({', '.join('?' * len(TurnRow._fields))})"  # noqa: S608
_COPY = f"COPY diarization_turns ({_COLUMNS}) FROM STDIN (FORMAT BINARY)"
COPIED_TYPES = ["text", "int4", "float8", "float8", "text", "float8", "float8", "bytea", "text", "text"]


def insert_turns(connection: Connection, rows: Sequence[TurnRow]) -> None:
    """Inserts the rows: one prepared statement on SQLite, one COPY on PostgreSQL.

    Raises:
        DBAPIError: the database refuses a row, or failed.
    """
    if not rows:
        return
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(_INSERT, list(rows))
        return
    raw: Any = connection.connection.driver_connection
    try:
        with raw.cursor() as cursor, cursor.copy(_COPY) as copy:
            copy.set_types(COPIED_TYPES)
            for row in rows:
                copy.write_row(row)
    except connection.dialect.loaded_dbapi.Error as error:
        raise DBAPIError(_COPY, None, error, hide_parameters=True) from error
