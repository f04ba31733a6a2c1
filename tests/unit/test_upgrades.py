"""Documents of earlier versions: refused with the way out."""

from __future__ import annotations

import doctest

import pytest

from voxint import upgrades


def test_the_example_holds() -> None:
    assert doctest.testmod(upgrades).failed == 0


@pytest.mark.parametrize(("model", "version"), [("ProtocolManifest", "0"), ("ProtocolManifest", "3"), ("Vote", "1")])
def test_nothing_is_said_where_nothing_is_known(model: str, version: str) -> None:
    assert upgrades.way_out(model, version) is None
