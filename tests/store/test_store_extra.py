from __future__ import annotations

import pytest

from voxint.errors import MissingExtraError
from voxint.store import extra


def test_without_the_extra_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extra, "find_spec", lambda name: None if name == "alembic" else object())
    with pytest.raises(MissingExtraError, match=r"^voxint store needs the extra db: pip install 'voxint\[db\]'$"):
        extra.need_extra()


def test_with_it_nothing_is_said() -> None:
    assert extra.need_extra() is None
