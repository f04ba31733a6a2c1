"""Ids and tags are compared in one normal form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxint.text import identity_form


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("titanet-v1", "titanet-v1"),
        (" titanet-v1\r\n", "titanet-v1"),
        ("\u2003a b\u00a0", "a b"),
        ("cafe\u0301", "caf\u00e9"),
        ("\u212b", "\u00c5"),
        ("\uff21", "\uff21"),
        ("A", "A"),
        (" ", ""),
    ],
)
def test_spaces_at_the_ends_and_composition_do_not_count(text: str, form: str) -> None:
    assert identity_form(text) == form


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_the_form_is_idempotent(text: str) -> None:
    assert identity_form(identity_form(text)) == identity_form(text)
