"""Values on their way into a database and back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from sqlalchemy.dialects import postgresql, sqlite

from voxint.store.types import Float64Vector, UtcTime, vector_bytes, vector_of


def test_a_vector_is_little_endian_float64() -> None:
    assert vector_bytes([1.0, -2.0]).hex() == "000000000000f03f00000000000000c0"
    assert vector_bytes(np.array([1.0, -2.0], dtype=">f8")).hex() == "000000000000f03f00000000000000c0"
    assert vector_of(vector_bytes([0.1, 5e-324])).tolist() == [0.1, 5e-324]
    with pytest.raises(ValueError, match="buffer size"):
        vector_of(b"1234567")


def test_a_vector_may_be_bytes_already() -> None:
    kind = Float64Vector()
    assert kind.process_bind_param(b"12345678", sqlite.dialect()) == b"12345678"
    assert kind.process_bind_param(None, sqlite.dialect()) is None
    assert kind.process_result_value(None, sqlite.dialect()) is None


@pytest.mark.parametrize("dialect", [sqlite.dialect(), postgresql.dialect()])
def test_a_moment_comes_back_in_utc(dialect: object) -> None:
    kind = UtcTime()
    given = datetime(2026, 3, 1, 11, 30, 0, 5, tzinfo=timezone(timedelta(hours=2)))
    kept = kind.process_bind_param(given, dialect)  # type: ignore[arg-type]
    assert kind.process_result_value(kept, dialect) == datetime(2026, 3, 1, 9, 30, 0, 5, tzinfo=UTC)  # type: ignore[arg-type]
