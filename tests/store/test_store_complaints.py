"""Errors of a database as lines: which database, the driver's words, and never a secret."""

from __future__ import annotations

import pytest
from sqlalchemy import make_url
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from voxint.store.complaints import database_error, shown

URL = make_url("postgresql+psycopg://ann:p%40ss%2Fword@db.example:5/voices?options=hidden")


def test_a_url_is_shown_without_password_and_parameters() -> None:
    assert shown(URL) == "postgresql://ann@db.example:5/voices"


@pytest.mark.parametrize("leak", ["p@ss/word", "p%40ss%2Fword", "hidden"])
def test_words_that_hold_a_secret_are_withheld(leak: str) -> None:
    error = OperationalError("SELECT 1", None, RuntimeError(f"connection failed for {leak}"))
    said = str(database_error(error, URL))
    assert leak not in said
    assert said.endswith("RuntimeError (its message is withheld: it may hold the password)")


def test_of_many_lines_the_telling_one_is_kept() -> None:
    error = OperationalError("S", None, RuntimeError("connection failed: refused\n\tIs the server running?"))
    assert str(database_error(error, URL)) == "postgresql://ann@db.example:5/voices: connection failed: refused"
    assert str(database_error(SQLAlchemyError(""), URL)).startswith("postgresql://ann@db.example:5/voices: ")
