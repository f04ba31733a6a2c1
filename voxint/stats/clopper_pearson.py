"""Clopper-Pearson bounds for a binomial proportion: exact, in integers from end to end.

Clopper & Pearson (1934), The use of confidence or fiducial limits illustrated in the case of the binomial,
doi:10.1093/biomet/26.4.404. The upper bound is the share at which so few errors have just the probability that
the confidence leaves over. Newton's method on its logarithm finds it in doubles; a last step in integers rounds it.
"""

import math
from fractions import Fraction
from functools import lru_cache

from voxint.stats.exact import check_counts
from voxint.stats.wilson import wilson_upper_one_sided

_BITS = 192
_ROUNDS = 200


def clopper_pearson_ci(errors: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Lower and upper end of the two-sided Clopper-Pearson interval, both in [0, 1].

    `confidence`, in (0, 1), means the decimal it prints as. No case gives (0.0, 1.0); no error a lower end of exactly
    0.0, errors alone an upper end of exactly 1.0. Source: Clopper & Pearson (1934), doi:10.1093/biomet/26.4.404.

    Raises:
        ValueError: counts that are not 0 <= errors <= n as ints, or a confidence outside (0, 1).

    >>> [round(end, 4) for end in clopper_pearson_ci(81, 263)]  # Newcombe 1998, table I, method 5
    [0.2527, 0.3676]
    """
    tail = _tail(errors, n, confidence) / 2
    return float(1 - _upper(n - errors, n, tail)), float(_upper(errors, n, tail))


def clopper_pearson_upper(errors: int, n: int, confidence: float = 0.95) -> float:
    """Upper end of the one-sided Clopper-Pearson interval [0, upper], in [0, 1]; 1.0 without a case.

    Source: Clopper & Pearson (1934), doi:10.1093/biomet/26.4.404.

    Raises:
        ValueError: as `clopper_pearson_ci`.

    >>> round(clopper_pearson_upper(0, 59), 4)  # 1 - 0.05^(1/59)
    0.0495
    """
    return float(_upper(errors, n, _tail(errors, n, confidence)))


def _tail(errors: int, n: int, confidence: float) -> Fraction:
    check_counts(errors=errors, n=n)
    if errors > n:
        raise ValueError(f"errors: expected at most n = {n}, got {errors}")
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence: expected a number in (0, 1), got {confidence!r}")
    return 1 - Fraction(str(float(confidence)))


@lru_cache(maxsize=1 << 14)
def _upper(errors: int, n: int, tail: Fraction) -> Fraction:
    """The share p with P(X <= errors) = tail for X ~ Binomial(n, p), to far more digits than a double has."""
    if errors == n:
        return Fraction(1)
    share = _newton(errors, n, float(tail))
    scale = 1 << _BITS
    p = int(share * scale)
    below, total = _sums(errors, n, p, scale)
    # dF/dp = -(n - errors) P(X = errors) / (1 - p), and P(X = errors) is scale / total.
    step = (Fraction(below, total) - tail) * Fraction((scale - p) * total, (n - errors) * scale * scale)
    return Fraction(p + int(step * scale), scale)


def _sums(errors: int, n: int, p: int, scale: int) -> tuple[int, int]:
    """P(X <= errors) and 1, both over P(X = errors), times `scale`; p / scale is the share."""
    q = scale - p
    below = term = scale
    for i in range(errors, 0, -1):
        term = term * i * q // ((n - i + 1) * p)
        if not term:
            break
        below += term
    total, term = below, scale
    for i in range(errors, n):
        term = term * (n - i) * p // ((i + 1) * q)
        if not term:
            break
        total += term
    return below, total


def _newton(errors: int, n: int, tail: float) -> float:
    """The same share in doubles, good to about ten digits; the logarithm of the tail is concave, so this converges."""
    p = min(max(wilson_upper_one_sided(errors, n, 1 - tail), (errors + 0.5) / (n + 1)), 1 - 1 / (4 * n + 4))
    for _ in range(_ROUNDS):
        below, total = _double_sums(errors, n, p)
        share = below / total
        if share <= 0.0 or math.isinf(total):
            p = (p + errors / n) / 2
            continue
        step = math.log(share / tail) * below * (1 - p) / (n - errors)
        new = p + step
        new = (p + 1) / 2 if new >= 1 else new
        if abs(new - p) <= 1e-11 * min(p, 1 - p):
            return new
        p = new if new > 0 else p / 2
    return p


def _double_sums(errors: int, n: int, p: float) -> tuple[float, float]:
    odds = p / (1 - p)
    below = term = 1.0
    for i in range(errors, 0, -1):
        term *= i / ((n - i + 1) * odds)
        below += term
        if term < below * 1e-17:
            break
    total, term = below, 1.0
    for i in range(errors, n):
        term *= (n - i) * odds / (i + 1)
        total += term
        if term < total * 1e-17:
            break
    return below, total
