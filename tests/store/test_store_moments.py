from __future__ import annotations

from datetime import UTC, datetime

import pytest

from voxint.errors import UsageError
from voxint.store.moments import moment_of, moment_or_now, moment_text


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2026-03-01T09:30:00Z", "2026-03-01T09:30:00Z"),
        ("2026-03-01T00:30:00+02:00", "2026-02-28T22:30:00Z"),
        ("2026-03-01T09:30:00.5-05:30", "2026-03-01T15:00:00.500000Z"),
        ("2026-03-01T09:30:00.123456789Z", "2026-03-01T09:30:00.123456Z"),
    ],
)
def test_a_moment_is_kept_in_utc_to_the_microsecond(text: str, utc: str) -> None:
    assert moment_text(moment_of(text)) == utc


def test_without_a_text_it_is_now() -> None:
    before = datetime.now(UTC)
    assert before <= moment_or_now(None) <= datetime.now(UTC)
    with pytest.raises(UsageError, match="--created-at"):
        moment_or_now("soon")
