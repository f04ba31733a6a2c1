"""Wilson score bounds for a binomial proportion, with a correctly rounded normal quantile.

Wilson (1927), Probable inference, the law of succession, and statistical inference,
doi:10.1080/01621459.1927.10502953. Quantile: algorithm AS 241 of Wichura (1988), doi:10.2307/2347330, is off
by up to six units in the last place, so one Newton step in exact integers follows it.
"""

import math
from fractions import Fraction
from statistics import NormalDist

from voxint.stats.exact import check_counts

_FIXED_POINT_BITS = 256
_INV_SQRT_2PI = Fraction("0.398942280401432677939946059934381868475858631164934657665926")


def wilson_ci(successes: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Lower and upper end of the two-sided Wilson score interval, both in [0, 1].

    `confidence`, in (0, 1), means the decimal it prints as: 0.95 is 19/20. No trial gives (0.0, 1.0); no
    success a lower end of exactly 0.0, no failure an upper end of exactly 1.0. successes / n is never
    outside. Source: Wilson (1927), doi:10.1080/01621459.1927.10502953.

    Raises:
        ValueError: counts that are not 0 <= successes <= n as ints, or a confidence outside (0, 1).

    >>> [round(end, 4) for end in wilson_ci(81, 263)]  # Newcombe 1998, table I, method 3
    [0.2553, 0.3662]
    """
    _check(successes, n)
    return _bounds(successes, n, _upper_quantile((1 - _probability(confidence)) / 2))


def wilson_upper_one_sided(successes: int, n: int, confidence: float = 0.95) -> float:
    """Upper end of the one-sided Wilson score interval [0, upper], in [0, 1].

    No trial gives 1.0 ("no information" is not "safe"), and so does no failure. It is never below
    successes / n, where it stays for every confidence <= 0.5. Source: Wilson (1927),
    doi:10.1080/01621459.1927.10502953.

    Raises:
        ValueError: counts that are not 0 <= successes <= n as ints, or a confidence outside (0, 1).

    >>> round(wilson_upper_one_sided(0, 49), 4)  # z^2 / (n + z^2) = 2.7055 / 51.7055
    0.0523
    """
    _check(successes, n)
    return _bounds(successes, n, _upper_quantile(1 - _probability(confidence)))[1]


def _check(successes: int, n: int) -> None:
    check_counts(successes=successes, n=n)
    if successes > n:
        raise ValueError(f"successes: expected at most n = {n}, got {successes}")


def _probability(confidence: float) -> Fraction:
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence: expected a number in (0, 1), got {confidence!r}")
    return Fraction(str(float(confidence)))


def _bounds(successes: int, n: int, z: float) -> tuple[float, float]:
    if n == 0:
        return 0.0, 1.0
    numerator, denominator = z.as_integer_ratio()
    spread = numerator**2 / (denominator**2 * n)
    share, rest = successes / n, (n - successes) / n
    reach = share + spread / 2 + math.sqrt(spread * (share * rest + spread / 4))
    # The two ends multiply to share^2 / (1 + spread): no subtraction, so no cancellation near 0.
    lower = share * (share / reach) if share else 0.0
    upper = min(reach / (1 + spread), 1.0)
    return lower, max(upper, share)


def _upper_quantile(tail: Fraction) -> float:
    """Return z >= 0 with normal upper-tail probability `tail`, correctly rounded; 0.0 from 1/2 up."""
    if tail >= Fraction(1, 2):
        return 0.0
    normal = NormalDist()
    start = abs(normal.inv_cdf(float(tail)))
    shortfall = Fraction(1, 2) - tail - _central_mass(start)
    return float(Fraction(start) + shortfall / Fraction(normal.pdf(start)))


def _central_mass(z: float) -> Fraction:
    """Return the normal probability between 0 and z by its power series in fixed-point integers."""
    square = Fraction(z) ** 2
    term = total = int(Fraction(z) * 2**_FIXED_POINT_BITS)
    order = 0
    while term:
        order += 1
        term = -term * square.numerator // (2 * order * square.denominator)
        total += term // (2 * order + 1)
    return _INV_SQRT_2PI * Fraction(total, 2**_FIXED_POINT_BITS)
