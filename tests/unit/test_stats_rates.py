"""Rates by hand and against exact fractions."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voxint.stats.rates import f1, named_recall, precision, recall

counts = st.integers(0, 10**20)


def test_by_hand() -> None:
    assert precision(31, 1) == 31 / 32
    assert recall(31, 1) == 31 / 32
    assert f1(31, 1, 1) == 0.96875  # p = r = 31/32, so f1 is that too; rounding p and r first may miss it
    assert f1(1, 1, 0) == 2 / 3  # p = 1/2, r = 1: 2 x 1/2 / (3/2)
    assert named_recall(6, 3, 1) == 0.6  # 6 of 10 people; recall alone says 6/7
    assert recall(6, 1) == 6 / 7


def test_empty_denominators_are_zero() -> None:
    assert [precision(0, 0), recall(0, 0), f1(0, 0, 0), named_recall(0, 0, 0)] == [0.0] * 4
    assert f1(0, 3, 2) == 0.0


@given(counts, counts, counts)
def test_f1_is_the_harmonic_mean_in_exact_fractions(tp: int, fp: int, fn: int) -> None:
    p = Fraction(tp, tp + fp) if tp + fp else Fraction(0)
    r = Fraction(tp, tp + fn) if tp + fn else Fraction(0)
    assert f1(tp, fp, fn) == (float(2 * p * r / (p + r)) if p + r else 0.0)
    assert precision(tp, fp) == float(p)
    assert recall(tp, fn) == float(r)


@given(counts, counts, counts)
def test_a_wrong_name_never_raises_named_recall(tp: int, fp_wrong: int, fn: int) -> None:
    assert named_recall(tp, fp_wrong, fn) <= recall(tp, fn)


@pytest.mark.parametrize("bad", [-1, True, 2.0])
@pytest.mark.parametrize(("rate", "arity"), [(precision, 2), (recall, 2), (f1, 3), (named_recall, 3)])
def test_refuses_what_is_no_count(rate: Callable[..., float], arity: int, bad: object) -> None:
    for position in range(arity):
        arguments: list[object] = [1] * arity
        arguments[position] = bad
        with pytest.raises(ValueError, match="expected an integer"):
            rate(*arguments)
