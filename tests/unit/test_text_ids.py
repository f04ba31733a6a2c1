"""Ids that look alike are one id; nothing else about them is touched."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxint.text import id_form


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("ep-1", "ep-1"),
        (" ep 1\t\n", "ep 1"),
        ("e\u0301p", "\u00e9p"),
        ("\u2003\u00e9p\u00a0", "\u00e9p"),
        ("\u212b", "\u00c5"),
        ("EP\u3000", "EP"),
        ("\ufb01n", "\ufb01n"),
        ("", ""),
        ("\u2028", ""),
    ],
)
def test_ids_are_compared_in_one_spelling(text: str, form: str) -> None:
    assert id_form(text) == form
    assert id_form(form) == form


@given(st.text())
def test_the_spelling_of_an_id_is_settled_at_once(text: str) -> None:
    assert id_form(id_form(text)) == id_form(text)
