"""Column types whose bytes and meaning are the same on SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
from sqlalchemy import DateTime, Dialect, LargeBinary
from sqlalchemy.types import TypeDecorator

Vector = np.ndarray[tuple[int], np.dtype[np.float64]]
"""One embedding: shape (dims,), float64."""

FLOAT_BYTES = 8


def vector_bytes(vector: Sequence[float] | Vector) -> bytes:
    """The vector as little-endian float64, 8 bytes a coordinate, on any machine."""
    return np.asarray(vector, dtype="<f8").tobytes()


def vector_of(data: bytes) -> Vector:
    """The vector that `vector_bytes` wrote: shape (dims,), float64 in the machine's own order, read-only.

    Raises:
        ValueError: the bytes are no whole number of coordinates.
    """
    return np.frombuffer(data, dtype="<f8").astype(np.float64, copy=False)


class Float64Vector(TypeDecorator[Vector]):
    """An embedding as bytes: little-endian float64. Takes a vector, a list of numbers, or the bytes themselves."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> bytes | None:
        """The bytes that are stored."""
        return value if value is None or isinstance(value, bytes) else vector_bytes(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Vector | None:
        """The stored vector."""
        return None if value is None else vector_of(bytes(value))


class UtcTime(TypeDecorator[datetime]):
    """A moment with its time zone, kept in UTC to the microsecond; SQLite has no zones and keeps UTC without one."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The moment in UTC.

        Raises:
            ValueError: it has no time zone.
        """
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment needs its time zone")
        moment = value.astimezone(UTC)
        return moment if dialect.name == "postgresql" else moment.replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The moment in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
