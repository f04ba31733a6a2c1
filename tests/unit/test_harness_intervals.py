"""Intervals: hand-worked, and against every pair of spans."""

from __future__ import annotations

import doctest
from fractions import Fraction

import naive_alignment as naive
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxint.corpus import Span, Timeline
from voxint.harness import intervals
from voxint.harness.intervals import common_unit, exact, length, overlaps, shrunk, united

SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)).map(lambda t: (t[0], t[0] + t[1])), max_size=8)
SIDES = st.dictionaries(st.sampled_from("abcd"), SPANS, max_size=4)


def test_the_examples_hold() -> None:
    assert doctest.testmod(intervals).failed == 0


@pytest.mark.parametrize(
    ("value", "fraction"), [(0.1, "1/10"), (0.25, "1/4"), (1e-7, "1/10000000"), (0, "0"), (3.0, "3")]
)
def test_a_float_is_the_decimal_that_was_written(value: float, fraction: str) -> None:
    assert exact(value) == Fraction(fraction)


def test_spans_that_overlap_or_touch_are_one_and_are_rescaled() -> None:
    timeline = Timeline(10, {"A": [(50, 60), (0, 10), (10, 20), (15, 18), (19, 25)], "B": []})
    assert united(timeline, 100) == {"A": [(0, 250), (500, 600)], "B": []}
    assert common_unit(10, 100, 4) == 100


def test_a_span_of_two_collars_vanishes() -> None:
    assert shrunk([(0, 4), (10, 15)], 2) == [(12, 13)]
    assert shrunk([(0, 4)], 0) == [(0, 4)]


@given(SIDES, SIDES)
def test_the_sweep_finds_what_all_pairs_find(rows: dict[str, list[Span]], columns: dict[str, list[Span]]) -> None:
    gold, slots = united(Timeline(1, rows), 1), united(Timeline(1, columns), 1)
    expected = naive.matrix(naive.pieces(Timeline(1, rows)), naive.pieces(Timeline(1, columns)))
    assert overlaps(gold, slots) == expected
    assert {name: length(own) for name, own in gold.items()} == {
        name: naive.seconds(own) for name, own in naive.pieces(Timeline(1, rows)).items()
    }


@given(SIDES, SIDES, st.integers(2**40, 2**200))
def test_numbers_beyond_64_bits_stay_exact(
    rows: dict[str, list[Span]], columns: dict[str, list[Span]], factor: int
) -> None:
    small = overlaps(united(Timeline(1, rows), 1), united(Timeline(1, columns), 1))
    large = overlaps(united(Timeline(1, rows), factor), united(Timeline(1, columns), factor))
    assert large == {row: {name: lap * factor for name, lap in own.items()} for row, own in small.items()}
