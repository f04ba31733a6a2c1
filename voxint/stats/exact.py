"""Counts and quotients that no order of files, shards or machines can change."""

from __future__ import annotations


def check_counts(**counts: int) -> None:
    """Nothing comes back when every argument is an int >= 0.

    Raises:
        ValueError: one of them is a bool, not an int, or negative; the message carries its keyword.

    >>> check_counts(tp=31, fn=0)
    """
    for name, count in counts.items():
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise ValueError(f"{name}: expected an integer >= 0, got {count!r}")


def ratio(numerator: int, denominator: int) -> float:
    """Quotient of two integers of any size, correctly rounded; never -0.0.

    An empty denominator (0) gives 0.0. One rounding only, so equal fractions give equal bytes.

    Raises:
        ValueError: the denominator is negative, or the quotient exceeds the largest double.

    >>> ratio(2, 3), ratio(5, 0)
    (0.6666666666666666, 0.0)
    """
    if denominator < 0:
        raise ValueError(f"denominator: expected an integer >= 0, got {denominator}")
    if denominator == 0:
        return 0.0
    try:
        return numerator / denominator + 0.0
    except OverflowError:
        raise ValueError("ratio: expected a quotient below 1.8e308, got a larger one") from None
