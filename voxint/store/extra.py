"""Whether the extra `db` is installed; imports nothing of it."""

from __future__ import annotations

from importlib.util import find_spec

from voxint.errors import MissingExtraError


def need_extra() -> None:
    """Nothing happens where the store can be used.

    Raises:
        MissingExtraError: SQLAlchemy or Alembic is not installed; the message says how to get them.
    """
    if any(find_spec(name) is None for name in ("sqlalchemy", "alembic")):
        raise MissingExtraError("voxint store needs the extra db: pip install 'voxint[db]'")
