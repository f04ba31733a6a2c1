"""The exact bounds against scipy and statsmodels, against the definition in fractions, and by hand."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta
from statsmodels.stats.proportion import proportion_confint

from voxint.stats.clopper_pearson import clopper_pearson_ci, clopper_pearson_upper
from voxint.stats.wilson import wilson_upper_one_sided

COUNTS = st.integers(0, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def at_most(errors: int, n: int, share: Fraction) -> Fraction:
    """P(X <= errors) for X ~ Binomial(n, share), in fractions."""
    return sum((math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(errors + 1)), Fraction(0))


def middles(value: float) -> tuple[Fraction, Fraction]:
    """The two points halfway to the doubles beside it."""
    low, high = math.nextafter(value, 0.0), math.nextafter(value, 1.0)
    return (Fraction(low) + Fraction(value)) / 2, (Fraction(value) + Fraction(high)) / 2


@settings(deadline=None)
@given(
    st.integers(1, 40).flatmap(lambda n: st.tuples(st.integers(0, n - 1), st.just(n))),
    st.sampled_from([0.5, 0.95, 0.999]),
)
def test_the_upper_bound_is_correctly_rounded(counts: tuple[int, int], confidence: float) -> None:
    errors, n = counts
    low, high = middles(clopper_pearson_upper(errors, n, confidence))
    tail = 1 - Fraction(str(confidence))
    assert at_most(errors, n, low) >= tail >= at_most(errors, n, high)


@settings(deadline=None)
@given(COUNTS, st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_it_is_the_quantile_of_a_beta_distribution(counts: tuple[int, int], confidence: float) -> None:
    errors, n = counts
    upper = 1.0 if errors == n else beta.ppf(confidence, errors + 1, n - errors)
    assert clopper_pearson_upper(errors, n, confidence) == pytest.approx(upper, rel=1e-9)


@settings(deadline=None)
@given(COUNTS.filter(lambda counts: counts[1] > 0))
def test_the_interval_is_that_of_statsmodels(counts: tuple[int, int]) -> None:
    expected = proportion_confint(*counts, alpha=0.05, method="beta")
    assert clopper_pearson_ci(*counts) == pytest.approx(tuple(map(float, expected)), rel=1e-9, abs=1e-15)


@settings(deadline=None)
@given(COUNTS)
def test_it_holds_its_share_and_grows_with_the_errors(counts: tuple[int, int]) -> None:
    errors, n = counts
    low, high = clopper_pearson_ci(errors, n)
    assert 0.0 <= low <= high <= 1.0
    if n:
        assert low <= errors / n <= high
    if errors < n:
        assert clopper_pearson_upper(errors, n) < clopper_pearson_upper(errors + 1, n)
        assert clopper_pearson_upper(errors, n + 1) < clopper_pearson_upper(errors, n)


@pytest.mark.parametrize(
    ("errors", "n", "upper"),
    [(0, 0, 1.0), (3, 3, 1.0), (0, 1, 0.95), (0, 58, 1 - 0.05 ** (1 / 58)), (0, 59, 1 - 0.05 ** (1 / 59))],
)
def test_by_hand(errors: int, n: int, upper: float) -> None:
    """Without an error the bound is 1 - 0.05^(1/n)."""
    assert clopper_pearson_upper(errors, n) == pytest.approx(upper, rel=1e-14)


def test_the_ends_are_exact() -> None:
    assert clopper_pearson_ci(0, 0) == (0.0, 1.0)
    assert clopper_pearson_ci(0, 10)[0] == 0.0
    assert clopper_pearson_ci(10, 10)[1] == 1.0


@pytest.mark.parametrize(("errors", "n"), [(0, 10**6), (3, 10**6), (10**5, 10**6), (10**6 - 1, 10**6), (7, 10**8)])
def test_large_counts(errors: int, n: int) -> None:
    """scipy itself is off by 1e-11 here, so the tail at the bound is the judge."""
    upper = clopper_pearson_upper(errors, n)
    assert upper == pytest.approx(float(beta.ppf(0.95, errors + 1, n - errors)), rel=1e-9)
    if errors < 10:
        tail = math.fsum(
            math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
                     + k * math.log(upper) + (n - k) * math.log1p(-upper))
            for k in range(errors + 1)
        )  # fmt: skip
        assert tail == pytest.approx(0.05, rel=1e-5)


@pytest.mark.parametrize(("errors", "n"), [(0, 20), (2, 50), (10, 100)])
def test_it_is_wider_than_wilsons(errors: int, n: int) -> None:
    assert clopper_pearson_upper(errors, n) > wilson_upper_one_sided(errors, n)


@pytest.mark.parametrize(
    ("errors", "n", "confidence"),
    [(-1, 3, 0.95), (4, 3, 0.95), (True, 3, 0.95), (1.0, 3, 0.95), (1, 3, 0.0), (1, 3, 1.0), (1, 3, math.nan)],
)
def test_what_is_no_count_or_confidence_is_refused(errors: int, n: int, confidence: float) -> None:
    with pytest.raises(ValueError, match="expected"):
        clopper_pearson_upper(errors, n, confidence)
    with pytest.raises(ValueError, match="expected"):
        clopper_pearson_ci(errors, n, confidence)
