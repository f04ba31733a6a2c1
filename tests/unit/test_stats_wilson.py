"""Wilson bounds against published values, statsmodels and 60-digit decimals."""

import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.special import ndtri
from statsmodels.stats.proportion import proportion_confint  # type: ignore[import-untyped]

from voxint.stats import wilson
from voxint.stats.wilson import wilson_ci, wilson_upper_one_sided

trials = st.integers(1, 10**12).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
confidences = st.floats(0.0, 1.0, exclude_min=True, exclude_max=True)


def decimal_bounds(successes: int, n: int, z: float) -> tuple[Decimal, Decimal]:
    with localcontext() as context:
        context.prec = 60
        square = Decimal(z) ** 2
        root = (square * (square + Decimal(4 * successes * (n - successes)) / n)).sqrt()
        centre, width = 2 * successes + square, 2 * (n + square)
        return (centre - root) / width, (centre + root) / width


def ulps(value: float, exact: Decimal) -> float:
    return float(abs(Decimal(value) - exact) / Decimal(math.ulp(float(exact))))


@pytest.mark.parametrize(
    ("tail", "digits"),
    [
        ("0.25", "0.67448975019608174320222701454130718538"),
        ("0.05", "1.64485362695147271486384890799163213608"),
        ("0.025", "1.95996398454005423552459443052055152796"),
        ("0.005", "2.57582930354890076097857674860381411731"),
        ("0.0005", "3.29052673149189479322162703537464917922"),
    ],
)
def test_quantile_is_the_double_nearest_to_the_published_digits(tail: str, digits: str) -> None:
    assert wilson._upper_quantile(Fraction(tail)) == float(digits)


@given(st.floats(5e-17, 0.5, exclude_max=True))
def test_quantile_agrees_with_scipy(tail: float) -> None:
    assert wilson._upper_quantile(Fraction(tail)) == pytest.approx(-float(ndtri(tail)), rel=2e-14, abs=2e-15)


def test_confidence_means_the_decimal_it_prints_as() -> None:
    # The double 0.95 lies below 19/20; its own quantile would be 1.6448536269514722.
    published = float("1.64485362695147271486384890799163213608")
    assert wilson._upper_quantile(1 - wilson._probability(0.95)) == published
    assert wilson._upper_quantile((1 - wilson._probability(0.9)) / 2) == published


def test_published_interval() -> None:
    # Newcombe (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<857::AID-SIM777>3.0.CO;2-E, table I
    for successes, n, lower, upper in [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ]:
        assert wilson_ci(successes, n) == pytest.approx((lower, upper), abs=5e-5)


def test_by_hand() -> None:
    # 5 of 10: pq/n + z^2/4n^2 = 0.025 + 0.009604 = 0.034604; half-width 1.96 x 0.18602 / 1.38415 = 0.26341
    assert wilson_ci(5, 10) == pytest.approx((0.5 - 0.26341, 0.5 + 0.26341), abs=1e-5)


def test_zero_errors_need_52_clusters_to_clear_five_percent() -> None:
    # z^2 / (n + z^2) < 0.05 means n > 19 z^2 = 19 x 2.7055 = 51.4
    assert round(wilson_upper_one_sided(0, 49), 4) == 0.0523
    assert wilson_upper_one_sided(0, 51) > 0.05 > wilson_upper_one_sided(0, 52)


def test_no_trial_and_both_ends() -> None:
    assert wilson_ci(0, 0) == (0.0, 1.0)
    assert wilson_upper_one_sided(0, 0) == 1.0
    for n in range(1, 400):
        assert wilson_ci(n, n)[1] == wilson_upper_one_sided(n, n) == 1.0
        assert wilson_ci(0, n)[0] == 0.0
        assert 0.0 < wilson_ci(n, n)[0] < 1.0
        assert 0.0 < wilson_ci(0, n)[1] < 1.0


@given(trials, st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99, 0.999]))
def test_agrees_with_statsmodels(trial: tuple[int, int], confidence: float) -> None:
    lower, upper = proportion_confint(*trial, alpha=1 - confidence, method="wilson")
    assert wilson_ci(*trial, confidence) == pytest.approx((lower, upper), rel=1e-9, abs=1e-12)
    two_sided = proportion_confint(*trial, alpha=2 * (1 - confidence), method="wilson")[1]
    assert wilson_upper_one_sided(*trial, confidence) == pytest.approx(float(two_sided), rel=1e-9, abs=1e-12)


@given(trials)
@example((1, 10**12))
@example((10**12 - 1, 10**12))
def test_is_within_six_ulps_of_sixty_digits(trial: tuple[int, int]) -> None:
    lower, upper = wilson_ci(*trial)
    exact_lower, exact_upper = decimal_bounds(*trial, 1.95996398454005423552)
    assert ulps(upper, exact_upper) <= 6
    assert lower == 0.0 if trial[0] == 0 else ulps(lower, exact_lower) <= 6


@given(trials, confidences)
@example((1, 3), 5e-324)
@example((1, 3), math.nextafter(1.0, 0.0))
def test_contains_the_share_and_stays_in_the_unit_interval(trial: tuple[int, int], confidence: float) -> None:
    lower, upper = wilson_ci(*trial, confidence)
    share = trial[0] / trial[1]
    assert 0.0 <= lower <= share <= upper <= 1.0
    assert share <= wilson_upper_one_sided(*trial, confidence) <= upper


def test_survives_counts_beyond_the_doubles() -> None:
    assert wilson_ci(10**400, 2 * 10**400) == (0.5, 0.5)
    assert wilson_ci(1, 10**400) == (0.0, 0.0)


@given(trials)
def test_more_successes_never_lower_a_bound(trial: tuple[int, int]) -> None:
    successes, n = trial
    if successes < n:
        assert wilson_ci(successes, n) <= wilson_ci(successes + 1, n)
        assert wilson_upper_one_sided(successes, n) <= wilson_upper_one_sided(successes + 1, n)


@pytest.mark.parametrize("bound", [wilson_ci, wilson_upper_one_sided])
@pytest.mark.parametrize(
    "arguments",
    [(-1, 3), (4, 3), (True, 3), (1, True), (1.0, 3), (1, 3.0), (0, -1), ("1", 3)]
    + [(1, 3, bad) for bad in (0.0, 1.0, -0.1, 1.1, math.nan, math.inf)],
)
def test_refuses(bound: Callable[..., object], arguments: tuple[object, ...]) -> None:
    with pytest.raises(ValueError, match="expected"):
        bound(*arguments)
