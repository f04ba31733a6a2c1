"""Long texts: the same normal form, and no time that grows with the square."""

from unicodedata import normalize

from hypothesis import given, settings
from hypothesis import strategies as st

from voxint.text import normal_form


@settings(max_examples=200)
@given(st.text(st.sampled_from("ei\u0301\u0316\u0327\u0345\u05b0\u3099가\u1100\u1161Ǖ"), min_size=1, max_size=40))
def test_long_texts_are_ordered_to_what_normalisation_gives(piece: str) -> None:
    text = piece * (201 // len(piece) + 1)
    folded = normalize("NFKC", normalize("NFKC", text).casefold())
    assert normalize("NFC", normal_form(text)) == normal_form(text)
    assert normal_form(normalize("NFD", text)) == normal_form(text)
    if "i" not in piece and "\u0345" not in piece:
        assert normal_form(text) == folded


def test_a_flood_of_marks_is_read_in_linear_time() -> None:
    # Twice the text may not take four times the comparisons: 400,000 marks would take minutes.
    flood = "e" + "\u0301\u0316" * 200_000
    assert normal_form(flood) == normal_form("e" + "\u0316" * 200_000 + "\u0301" * 200_000)
