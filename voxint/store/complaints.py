"""What went wrong with a database, as one line that never holds a password."""

from __future__ import annotations

from urllib.parse import quote, quote_plus

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from voxint.errors import EdgeError, visible_name

HARMLESS = {"sslmode", "sslrootcert", "application_name", "connect_timeout", "host", "port", "target_session_attrs"}
"""Parameters of a PostgreSQL URL that may be repeated in a message."""


def shown(url: URL) -> str:
    """The URL as a message may name it: without password and parameters.

    >>> from sqlalchemy import make_url
    >>> shown(make_url("postgresql+psycopg://ann:secret@db.example/voices?sslmode=require"))
    'postgresql://ann@db.example/voices'
    """
    bare = URL.create(url.get_backend_name(), url.username, None, url.host, url.port, url.database)
    return visible_name(bare.render_as_string())


def database_error(error: SQLAlchemyError, url: URL) -> EdgeError:
    """The error that the user sees instead of the driver's: which database, and the driver's own words on one line.

    Words that hold a secret of the URL are left out whole: a driver may quote what it was given.
    """
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    lines = [line.strip() for line in str(cause).splitlines() if line.strip()]
    # A server that has several addresses gives a line for each attempt; its hints begin with "Is the server ...".
    text = next((line for line in reversed(lines) if "rror" in line or "ailed" in line), lines[0] if lines else "")
    if not text or any(secret in text for secret in _secrets(url)):
        text = f"{type(cause).__name__} (its message is withheld: it may hold the password)"
    found = EdgeError(f"{shown(url)}: {visible_name(text)}")
    found.__cause__ = None
    return found


def _secrets(url: URL) -> set[str]:
    """The password and every parameter that may be one, as typed and as encoded."""
    texts = [str(url.password)] if url.password else []
    for name, value in url.query.items():
        if name not in HARMLESS:
            texts += [value] if isinstance(value, str) else list(value)
    return {form for text in texts if text for form in (text, quote(text, safe=""), quote_plus(text), repr(text)[1:-1])}
