"""Durations as whole microseconds, whose sums no order of files, shards or machines can change."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MICROSECONDS_PER_SECOND = 1_000_000

# Below 2^40 a double product is off by at most 2^-13: outside this margin its nearest integer is exact.
_SAFE = 2.0**40
_TIE_MARGIN = 2.0**-12
# 2^13 values of at most 2^40 sum to at most 2^53: exact in float64, whatever the order of addition.
_BLOCK = 1 << 13


def microseconds(value: float) -> int:
    """Microseconds in a duration given in seconds, the exact binary value rounded half to even.

    Any finite double >= 0 has an exact answer: 1e300 gives a 307-digit integer, 5e-324 gives 0.

    Raises:
        ValueError: negative, infinite or NaN.

    >>> microseconds(412.5), microseconds(2.0**-7)  # 7812.5 is a tie: to even
    (412500000, 7812)
    """
    if not 0.0 <= value < math.inf:
        raise ValueError(f"duration: expected a finite number of seconds >= 0, got {value!r}")
    scaled = value * 1e6
    if scaled < _SAFE:
        whole = math.floor(scaled)
        past_half = scaled - whole - 0.5
        if abs(past_half) > _TIE_MARGIN:
            return whole + (past_half > 0)
    numerator, denominator = value.as_integer_ratio()
    whole, rest = divmod(numerator * MICROSECONDS_PER_SECOND, denominator)
    return whole + (2 * rest > denominator or (2 * rest == denominator and whole % 2 == 1))


def sum_microseconds(values: NDArray[np.float64], codes: NDArray[np.uint8], n_codes: int) -> list[int]:
    """Exact total of `microseconds` per code: entry c sums the durations whose code is c.

    Shapes: two equal 1-d arrays, durations in seconds (finite, >= 0) and codes below `n_codes`. Empty
    arrays give zeros. Identical to adding `microseconds(v)` one by one, for every double.

    Raises:
        ValueError: shapes or dtypes differ from the above, or a value or code is out of range.

    >>> import numpy as np
    >>> sum_microseconds(np.array([1.5, 0.25, 1e-6]), np.array([0, 1, 0], dtype=np.uint8), 3)
    [1500001, 250000, 0]
    """
    if values.ndim != 1 or values.shape != codes.shape:
        raise ValueError(f"durations: expected two equal 1-d shapes, got {values.shape} and {codes.shape}")
    if values.dtype != "float64" or codes.dtype != "uint8":
        raise ValueError(f"durations: expected float64 and uint8, got {values.dtype} and {codes.dtype}")
    totals = [0] * n_codes
    for start in range(0, values.size, _BLOCK):
        block = slice(start, start + _BLOCK)
        partial = _block_totals(values[block], codes[block], n_codes)
        totals = [total + part for total, part in zip(totals, partial, strict=True)]
    return totals


def _block_totals(values: NDArray[np.float64], codes: NDArray[np.uint8], n_codes: int) -> list[int]:
    import numpy as np

    if not ((values >= 0.0) & (values < math.inf)).all():
        raise ValueError("durations: expected finite numbers of seconds >= 0")
    if int(codes.max()) >= n_codes:
        raise ValueError(f"codes: expected values below {n_codes}, got {int(codes.max())}")
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = values * 1e6
        whole = np.floor(scaled)
        past_half = scaled - whole - 0.5
        settled = (scaled < _SAFE) & (np.abs(past_half) > _TIE_MARGIN)
    rounded = np.where(settled, whole + (past_half > 0), 0.0)
    totals = [int(total) for total in np.bincount(codes, weights=rounded, minlength=n_codes)]
    for index in np.flatnonzero(~settled).tolist():
        totals[int(codes[index])] += microseconds(float(values[index]))
    return totals
