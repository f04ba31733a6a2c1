"""Exact McNemar against rational arithmetic, scipy and statsmodels."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import (  # type: ignore[import-untyped]
    mcnemar as statsmodels_mcnemar,
)

from voxint.stats.mcnemar import McNemar, mcnemar

small = st.integers(0, 300)


def rational(b: int, c: int) -> float:
    n, term, tail = b + c, 1, 1
    for i in range(min(b, c)):
        term = term * (n - i) // (i + 1)
        tail += term
    assert term == comb(n, min(b, c))
    return float(min(Fraction(1), Fraction(2 * tail, 2**n)))


def test_by_hand() -> None:
    assert mcnemar(1, 5) == McNemar(6, 4, 0.21875)  # 2 (1 + 6) / 64
    assert mcnemar(5, 1) == McNemar(6, -4, 0.21875)
    assert mcnemar(0, 6).p_value == 0.03125  # 2 / 64
    assert mcnemar(3, 9).p_value == 598 / 4096  # 2 (1 + 12 + 66 + 220) / 2^12
    assert mcnemar(2, 3).p_value == 1.0  # 2 (1 + 5 + 10) / 32


def test_no_evidence_is_exactly_one() -> None:
    assert mcnemar(0, 0) == McNemar(0, 0, 1.0)
    assert all(mcnemar(k, k).p_value == 1.0 for k in (1, 3, 1000, 10**9))
    assert all(mcnemar(k, k + 1).p_value == 1.0 for k in (0, 1, 50, 10**6))


@given(small, small)
@example(22, 37)  # p x 2^58 has 54 bits: a tie
def test_equals_the_correctly_rounded_rational(b: int, c: int) -> None:
    assert mcnemar(b, c).p_value == rational(b, c)


@pytest.mark.parametrize(
    ("b", "c"), [(4900, 5100), (4000, 6000), (0, 1000), (0, 1073), (1000, 1048), (1000, 1049), (2, 1085), (9, 1130)]
)
def test_equals_the_rational_far_out(b: int, c: int) -> None:
    assert mcnemar(b, c).p_value == rational(b, c) > 0.0


@given(st.integers(0, 5000), st.integers(0, 5000))
def test_agrees_with_scipy(b: int, c: int) -> None:
    expected = binomtest(b, b + c, 0.5).pvalue if b + c else 1.0
    assert mcnemar(b, c).p_value == pytest.approx(expected, rel=1e-10, abs=1e-200)


@given(small, small)
def test_agrees_with_statsmodels(b: int, c: int) -> None:
    expected = statsmodels_mcnemar([[10, b], [c, 10]], exact=True).pvalue if b + c else 1.0
    assert mcnemar(b, c).p_value == pytest.approx(min(1.0, float(expected)), rel=1e-11)


@pytest.mark.parametrize(
    ("b", "c"),
    [(4_999_000, 5_001_000), (4_995_000, 5_005_000), (4_999_999, 5_000_002), (49_990_000, 50_010_000)],
)
def test_agrees_with_scipy_at_ten_million_pairs(b: int, c: int) -> None:
    assert mcnemar(b, c).p_value == pytest.approx(binomtest(b, b + c, 0.5).pvalue, rel=1e-8)


def test_underflow_is_zero_not_an_error() -> None:
    assert mcnemar(10, 10_000_000) == McNemar(10_000_010, 9_999_990, 0.0)
    assert mcnemar(0, 1074).p_value == 1e-323  # 2^-1073
    assert mcnemar(0, 1075).p_value == 5e-324  # 2^-1074, the smallest double
    assert mcnemar(0, 1076).p_value == 0.0  # 2^-1075, a tie: to even
    assert mcnemar(0, 5000).p_value == 0.0


@given(small, small)
def test_symmetry_and_range(b: int, c: int) -> None:
    ours, mirrored = mcnemar(b, c), mcnemar(c, b)
    assert ours.p_value == mirrored.p_value
    assert 0.0 <= ours.p_value <= 1.0
    assert ours.net == -mirrored.net == c - b


@given(small, small)
def test_a_wider_split_is_never_less_surprising(b: int, c: int) -> None:
    low, high = sorted((b, c))
    if low:
        assert mcnemar(low - 1, high + 1).p_value <= mcnemar(low, high).p_value


@pytest.mark.parametrize("arguments", [(-1, 0), (0, -1), (True, 1), (1.0, 1), ("1", 1), (1, None)])
def test_refuses_what_is_no_count(arguments: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="expected an integer"):
        mcnemar(*arguments)
