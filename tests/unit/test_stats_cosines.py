"""Cosines by hand, at every scale, against exact fractions; the same bits in any batch; the screen and its margin."""

from __future__ import annotations

import doctest
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voxint.stats import cosines
from voxint.stats.cosines import row_cosines, screen, screen_margin, unit_rows

EDGES = [5e-324, 2.0**-1022, 1e-200, 2.0**-400, 1.0, 2.0**400, 1e200, 1.7e308]
component = st.floats(-1, 1).map(lambda x: 0.0 if abs(x) < 1e-9 else x)


@st.composite
def pairs(draw: st.DrawFn, most: int = 40) -> tuple[list[float], list[float]]:
    dims = draw(st.integers(1, most))
    vectors = [draw(st.lists(component, min_size=dims, max_size=dims).filter(any)) for _ in range(2)]
    return vectors[0], vectors[1]


def cosine(a: list[float], b: list[float]) -> float:
    return float(row_cosines(unit_rows(np.array([a])), unit_rows(np.array([b])))[0])


def exact(a: list[float], b: list[float]) -> float:
    """The cosine from sums that are not rounded."""
    left, right = [Fraction(x) for x in a], [Fraction(x) for x in b]
    dot = sum((x * y for x, y in zip(left, right, strict=True)), Fraction(0))
    square = dot * dot / (sum(x * x for x in left) * sum(y * y for y in right))
    return math.copysign(math.sqrt(square), dot)


def naive_tree(terms: list[float]) -> float:
    """The order of addition that is promised: to a power of two with zeros, then the upper half onto the lower."""
    width = 1
    while width < len(terms):
        width *= 2
    padded = terms + [0.0] * (width - len(terms))
    while len(padded) > 1:
        half = len(padded) // 2
        padded = [padded[i] + padded[i + half] for i in range(half)]
    return padded[0]


def test_the_examples_in_the_docstrings() -> None:
    assert doctest.testmod(cosines).failed == 0


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ([0.6, 0.8], [1.0, 0.0], 0.6),
        ([3.0, 4.0], [0.0, 2.0], 0.8),
        ([1.0, 0.0], [0.0, 1.0], 0.0),
        ([1.0, 0.0], [0.0, -1.0], 0.0),
        ([2.0], [-3.0], -1.0),
        ([0.95, 0.05, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], 0.9986178293325098),
        ([1.0] * 5000, [1.0] * 5000, 1.0),
    ],
)
def test_cosines_by_hand(a: list[float], b: list[float], expected: float) -> None:
    found = cosine(a, b)
    assert found == pytest.approx(expected, abs=2e-16)
    assert math.copysign(1.0, found) == (1.0 if expected == 0 else math.copysign(1.0, expected))


@settings(max_examples=200, deadline=None)
@given(pairs())
def test_a_cosine_is_near_the_exact_one(pair: tuple[list[float], list[float]]) -> None:
    assert cosine(*pair) == pytest.approx(exact(*pair), abs=1e-15)


@settings(max_examples=100, deadline=None)
@given(pairs(300))
def test_the_order_of_addition_is_the_promised_one(pair: tuple[list[float], list[float]]) -> None:
    left, right = (unit_rows(np.array([each])) for each in pair)
    terms = [x * y for x, y in zip(left[0].tolist(), right[0].tolist(), strict=True)]
    assert row_cosines(left, right)[0] == min(1.0, max(-1.0, naive_tree(terms)))
    for vector, unit in zip(pair, (left, right), strict=True):
        norm = math.sqrt(naive_tree([x * x for x in vector]))
        assert unit[0].tolist() == [x / norm for x in vector]


@pytest.mark.parametrize("scale", EDGES)
def test_no_scale_changes_a_direction(scale: float) -> None:
    assert unit_rows(np.array([[scale, 0.0], [0.0, -scale]])).tolist() == [[1.0, 0.0], [0.0, -1.0]]
    assert cosine([scale, scale], [1.0, 0.0]) == pytest.approx(math.sqrt(0.5), abs=2e-16)


@pytest.mark.parametrize("exponent", [-1000, -450, -1, 1, 450, 1000])
def test_a_power_of_two_changes_no_bit(exponent: int) -> None:
    rows = np.random.default_rng(3).standard_normal((50, 19))
    assert unit_rows(np.ldexp(rows, exponent)).tobytes() == unit_rows(rows).tobytes()


@given(pairs())
def test_a_cosine_stays_within_its_range(pair: tuple[list[float], list[float]]) -> None:
    assert all(-1.0 <= cosine(a, b) <= 1.0 for a in pair for b in (pair[0], pair[1], [-x for x in pair[0]]))


@pytest.mark.parametrize("chunk", [1, 7, 64, 1000])
@pytest.mark.parametrize("dims", [1, 2, 3, 64, 191, 192, 1500])
def test_no_batch_changes_a_bit(chunk: int, dims: int) -> None:
    rng = np.random.default_rng(dims)
    left, right = rng.standard_normal((200, dims)) * 10.0 ** rng.integers(-300, 300, (200, 1)), rng.random((200, dims))
    parts = [slice(start, start + chunk) for start in range(0, 200, chunk)]
    whole = row_cosines(unit_rows(left), unit_rows(right))
    assert np.concatenate([row_cosines(unit_rows(left[p]), unit_rows(right[p])) for p in parts]).tobytes() == (
        whole.tobytes()
    )
    columns = np.asfortranarray(left)
    assert row_cosines(unit_rows(columns), unit_rows(right)).tobytes() == whole.tobytes()


@pytest.mark.parametrize("dims", [1, 2, 192, 1000, 5000])
def test_the_screen_is_within_its_margin(dims: int) -> None:
    rng = np.random.default_rng(dims)
    left, right = unit_rows(rng.standard_normal((40, dims))), unit_rows(rng.random((30, dims)))
    exact_ones = np.array([[row_cosines(a[None], b[None])[0] for b in right] for a in left])
    assert np.abs(screen(left, right) - exact_ones).max() <= screen_margin(dims) / 4
    backwards = np.zeros((40, 30))
    for column in range(dims):
        backwards += left[:, [column]] * right[:, [column]].T
    assert np.abs(backwards - exact_ones).max() <= screen_margin(dims) / 4


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ([0.0, -0.0], "all zero"),
        ([1.0, math.nan], "not finite"),
        ([math.inf, 1.0], "not finite"),
        ([0.0, -math.inf], "not"),
    ],
)
def test_a_row_without_a_direction_is_named(row: list[float], fault: str) -> None:
    with pytest.raises(ValueError, match=f"row 1: .*{fault}"):
        unit_rows(np.array([[1.0, 2.0], row]))


def test_no_cosine_is_a_negative_zero() -> None:
    assert str(cosine([0.0, 1.0], [-1.0, -0.0])) == "0.0"
