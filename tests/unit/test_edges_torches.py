"""Without the extra, each model says in one line what it needs; with it, tests/voice holds what the models say."""

from __future__ import annotations

import sys

import pytest

from voxint.edges.torches import one_thread
from voxint.errors import MissingExtraError


def test_without_torch_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'voxint\[voice\]'"):
        one_thread()
