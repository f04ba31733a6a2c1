"""Percentile bootstrap that resamples whole items, from a frozen random stream.

Efron (1979), Bootstrap methods: another look at the jackknife, doi:10.1214/aos/1176344552; whole clusters are
drawn with replacement, Davison & Hinkley (1997), Bootstrap methods and their application, section 3.8,
doi:10.1017/CBO9780511802843. numpy never changes the stream of RandomState, so a seed keeps its answer.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from voxint.stats.exact import check_counts, ratio

# Draws held at once; the stream is sequential, so blocks give the same replicates as one call.
_CELLS = 1 << 20


@dataclass(frozen=True, slots=True)
class BootstrapInterval:
    """Mean per-slot delta, in correct slots per slot, and the ends of its percentile interval."""

    point: float
    lo: float
    hi: float


def clustered_bootstrap(
    types: Mapping[tuple[int, int], int], *, seed: int = 0, n_boot: int = 1000, confidence: float = 0.95
) -> BootstrapInterval:
    """Mean per-slot delta with its item-clustered percentile interval.

    `types` maps (sum of deltas, number of slots >= 1) to how many items look like that; items enter the
    statistic only so, hence a replicate is one multinomial draw over the sorted types, whatever the number
    of items (below 2^53). Each replicate is sum of deltas / slots drawn. `seed` in 0 .. 2^32 - 1, `n_boot`
    >= 1, `confidence` in (0, 1), read as the decimal it prints as. No item gives 0.0, 0.0, 0.0.

    Raises:
        ValueError: an argument outside these ranges.

    >>> clustered_bootstrap({(1, 4): 3, (-1, 2): 0})  # three equal items: every replicate is 3 / 12
    BootstrapInterval(point=0.25, lo=0.25, hi=0.25)
    """
    check_counts(seed=seed, n_boot=n_boot)
    if seed >= 2**32 or n_boot < 1:
        raise ValueError(f"bootstrap: expected seed < 2^32 and n_boot >= 1, got {seed} and {n_boot}")
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence: expected a number in (0, 1), got {confidence!r}")
    rows = _sorted_types(types)
    if not rows:
        return BootstrapInterval(0.0, 0.0, 0.0)
    replicates = sorted(_replicates(rows, seed, n_boot))
    tail = (1 - Fraction(str(float(confidence)))) / 2
    point = ratio(sum(delta * count for delta, _, count in rows), sum(n * count for _, n, count in rows))
    return BootstrapInterval(point, quantile(replicates, float(tail)), quantile(replicates, float(1 - tail)))


def quantile(ordered: Sequence[float], q: float) -> float:
    """Quantile of ascending numbers by linear interpolation, numpy's default definition to the last bit.

    Type 7 of Hyndman & Fan (1996), doi:10.1080/00031305.1996.10473566. `q` lies in [0, 1].

    Raises:
        ValueError: no number, or q outside [0, 1].

    >>> quantile([1.0, 2.0, 4.0], 0.75)  # position 1.5: half-way from 2 to 4
    3.0
    """
    if not ordered or not 0.0 <= q <= 1.0:
        raise ValueError(f"quantile: expected some numbers and q in [0, 1], got {len(ordered)} and {q!r}")
    position = (len(ordered) - 1) * q
    below = math.floor(position)
    if below >= len(ordered) - 1:
        return ordered[-1]
    weight = position - below
    left, right = ordered[below], ordered[below + 1]
    step = right - left
    return right - step * (1 - weight) if weight >= 0.5 else left + step * weight


def _sorted_types(types: Mapping[tuple[int, int], int]) -> list[tuple[int, int, int]]:
    rows = []
    for (delta, n_slots), count in sorted(types.items()):
        check_counts(delta=abs(delta), n_slots=n_slots, count=count)
        if n_slots < 1:
            raise ValueError(f"n_slots: expected at least 1 per item, got {n_slots}")
        if count:
            rows.append((delta, n_slots, count))
    if sum(count for _, _, count in rows) >= 2**53:
        raise ValueError("types: expected fewer than 2^53 items")
    return rows


def _replicates(rows: list[tuple[int, int, int]], seed: int, n_boot: int) -> list[float]:
    import numpy as np

    n_items = sum(count for _, _, count in rows)
    widest = max(max(abs(delta), n_slots) for delta, n_slots, _ in rows)
    kind = np.int64 if widest * n_items < 2**63 else object
    columns = np.array([(delta, n_slots) for delta, n_slots, _ in rows], dtype=kind)
    shares = [count / n_items for _, _, count in rows]
    stream = np.random.RandomState(seed)
    block = max(1, _CELLS // len(rows))
    means: list[float] = []
    for start in range(0, n_boot, block):
        draws = stream.multinomial(n_items, shares, size=min(block, n_boot - start))
        totals = (draws.astype(kind, copy=False) @ columns).tolist()
        means += [ratio(deltas, slots) for deltas, slots in totals]
    return means
