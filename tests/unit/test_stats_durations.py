"""Durations in whole microseconds, and their sums, against rational arithmetic."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from voxint.stats.durations import microseconds, sum_microseconds

durations = st.floats(min_value=0.0, allow_nan=False, allow_infinity=False)
near_ties = st.builds(
    lambda k, direction: math.nextafter((k + 0.5) / 1e6, direction) if direction else (k + 0.5) / 1e6,
    st.integers(0, 2**52),
    st.sampled_from([0, math.inf, -math.inf]),
)
any_duration = durations | near_ties | st.integers(0, 2**45).map(lambda k: k / 128)


def rational(value: float) -> int:
    return round(Fraction(value) * 10**6)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0.0, 0),
        (-0.0, 0),
        (412.5, 412_500_000),
        (1 / 128, 7812),  # 7812.5, a tie: to even, down
        (3 / 128, 23438),  # 23437.5, a tie: to even, up
        (0.5e-6, 0),  # the double lies just below one half
        (1.5e-6, 2),
        (5e-324, 0),
        (2.0**60, 2**60 * 10**6),
    ],
)
def test_microseconds_by_hand(seconds: float, expected: int) -> None:
    assert microseconds(seconds) == expected


@given(any_duration)
@example(1e300)
@example(2.5e-6)
@example(1.7976931348623157e308)
@example(1099511.6277755)
@example(4503599627.3704955)
def test_microseconds_equals_rational_rounding(seconds: float) -> None:
    assert microseconds(seconds) == rational(seconds)


@pytest.mark.parametrize("seconds", [-1e-9, math.nan, math.inf, -math.inf])
def test_microseconds_refuses(seconds: float) -> None:
    with pytest.raises(ValueError, match="duration"):
        microseconds(seconds)


@given(st.lists(st.tuples(any_duration, st.integers(0, 4)), max_size=60))
@example([(1e300, 0), (5e-324, 1), (0.5e-6, 1), (2.5e-6, 2), (1.7976931348623157e308, 2), (1e303, 0)])
def test_sum_equals_scalars_one_by_one(rows: list[tuple[float, int]]) -> None:
    values = np.array([value for value, _ in rows], dtype=np.float64)
    codes = np.array([code for _, code in rows], dtype=np.uint8)
    expected = [sum(rational(value) for value, code in rows if code == wanted) for wanted in range(5)]
    assert sum_microseconds(values, codes, 5) == expected


def test_sum_crosses_blocks_and_does_not_see_order() -> None:
    rng = random.Random(7)
    ties = [rng.randrange(2**30) / 128 for _ in range(500)]
    values = np.array([600 * rng.random() for _ in range(20_000)] + [*ties, 1e250, 2.0**33])
    codes = np.array([rng.randrange(3) for _ in range(values.size)], dtype=np.uint8)
    expected = [0, 0, 0]
    for value, code in zip(values.tolist(), codes.tolist(), strict=True):
        expected[code] += rational(value)
    assert sum_microseconds(values, codes, 3) == expected
    shuffled = rng.sample(range(values.size), values.size)
    assert sum_microseconds(values[shuffled], codes[shuffled], 3) == expected


def test_sum_stays_exact_at_the_largest_fast_values() -> None:
    # 1099511.627773 s is 3 below 2^40 microseconds: beyond 2^13 of them a float64 total is no longer exact.
    values = np.full(16_383, 1099511.627773)
    assert sum_microseconds(values, np.zeros(16_383, dtype=np.uint8), 1) == [16_383 * 1_099_511_627_773]


def test_sum_of_nothing_is_zero_per_code() -> None:
    assert sum_microseconds(np.empty(0), np.empty(0, dtype=np.uint8), 2) == [0, 0]


@pytest.mark.parametrize(
    ("values", "codes", "message"),
    [
        (np.array([-1.0]), np.zeros(1, np.uint8), "finite"),
        (np.array([math.nan]), np.zeros(1, np.uint8), "finite"),
        (np.array([math.inf]), np.zeros(1, np.uint8), "finite"),
        (np.array([1.0]), np.array([2], np.uint8), "codes"),
        (np.array([1.0]), np.zeros(2, np.uint8), "shapes"),
        (np.ones((1, 1)), np.zeros((1, 1), np.uint8), "shapes"),
        (np.ones(1, np.float32), np.zeros(1, np.uint8), "float64"),
        (np.ones(1), np.zeros(1, np.int64), "uint8"),
    ],
)
def test_sum_refuses(values: np.ndarray, codes: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sum_microseconds(values, codes, 2)
