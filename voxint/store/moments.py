"""Moments between their written form, RFC 3339, and the database."""

from __future__ import annotations

from datetime import UTC, datetime

from voxint.errors import UsageError, quoted
from voxint.semantics_store import is_moment


def moment_of(text: str) -> datetime:
    """The moment in UTC that a text of `voxint.semantics_store.is_moment` stands for, cut to the microsecond.

    >>> moment_of("2026-03-01T11:30:00.1234567+02:00")
    datetime.datetime(2026, 3, 1, 9, 30, 0, 123456, tzinfo=datetime.timezone.utc)
    """
    clock, zone = (text[:-1], "+00:00") if text.endswith("Z") else (text[:-6], text[-6:])
    whole, _, decimals = clock.partition(".")
    return datetime.fromisoformat(f"{whole}.{decimals[:6]:0<6}{zone}").astimezone(UTC)


def moment_text(moment: datetime) -> str:
    """The moment as RFC 3339 in UTC, with a fraction only where there is one.

    >>> moment_text(datetime(2026, 3, 1, 9, 30, tzinfo=UTC))
    '2026-03-01T09:30:00Z'
    """
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def moment_or_now(text: str | None) -> datetime:
    """The moment that `--created-at` gives, or the clock's; commands alone ask for it.

    Raises:
        UsageError: the text is no moment.
    """
    if text is None:
        return datetime.now(UTC)
    if not is_moment(text):
        raise UsageError(
            f"--created-at: must be a moment of RFC 3339 with its zone, as 2026-03-01T09:30:00Z, not {quoted(text)}"
        )
    return moment_of(text)
