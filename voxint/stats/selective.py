"""Selective prediction: what accuracy is left when only the most confident answers are given.

Chow (1970), On optimum recognition error and reject tradeoff, doi:10.1109/TIT.1970.1054406; El-Yaniv and
Wiener (2010), On the foundations of noise-free selective classification, JMLR 11:1605-1641; area under the
risk curve: Geifman, Uziel and El-Yaniv (2019), Bias-reduced uncertainty estimation for deep neural
classifiers, arXiv:1805.08206. Counts are integers and each reported ratio is rounded once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from voxint.stats.exact import check_counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy as np
    from numpy.typing import NDArray

MAX_POINTS = 1000

_BLOCK = 1 << 16
_EXACT_IN_DOUBLE = 2**53


@dataclass(frozen=True, eq=False, slots=True)
class ConfidenceGroups:
    """Slots and correct slots per distinct confidence, highest confidence first; groups add.

    Three equal 1-d arrays. The sum is pure and the same in any order, and counts are kept in the smallest
    unsigned type that holds them.

    Raises:
        ValueError: shapes differ, thresholds do not fall, or not 0 <= n_correct <= n, n >= 1.
    """

    thresholds: NDArray[np.float64]
    n: NDArray[Any]
    n_correct: NDArray[Any]

    def __post_init__(self) -> None:
        if not self.thresholds.shape == self.n.shape == self.n_correct.shape == (self.thresholds.size,):
            raise ValueError("groups: expected three equal 1-d arrays")
        if not (self.thresholds[1:] < self.thresholds[:-1]).all():
            raise ValueError("groups: expected strictly falling thresholds")
        if not ((self.n >= 1) & (self.n_correct <= self.n) & (self.n_correct >= 0)).all():
            raise ValueError("groups: expected n >= 1 and 0 <= n_correct <= n")

    def __add__(self, other: ConfidenceGroups) -> ConfidenceGroups:
        import numpy as np

        return _collapse(
            np.concatenate((self.thresholds, other.thresholds)),
            np.concatenate((self.n, other.n)),
            np.concatenate((self.n_correct, other.n_correct)),
        )


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """Points (coverage, accuracy, threshold), the Chow point's coverage, and the area under the curve."""

    points: list[tuple[float, float, float | None]]
    chow_coverage: float | None
    aurc: float


def group_confidences(
    confidences: NDArray[np.float64], correct: NDArray[np.bool_] | NDArray[np.uint8]
) -> ConfidenceGroups:
    """Slots and correct slots per distinct confidence; -0.0 and 0.0 are one.

    Shapes: two equal 1-d arrays, finite confidences and truth values. Empty arrays give no group.

    Raises:
        ValueError: shapes differ, or a confidence is not finite.

    >>> import numpy as np
    >>> groups = group_confidences(np.array([0.4, 0.9, 0.9]), np.array([True, True, False]))
    >>> groups.thresholds.tolist(), groups.n.tolist(), groups.n_correct.tolist()
    ([0.9, 0.4], [2, 1], [1, 1])
    """
    import numpy as np

    if confidences.ndim != 1 or confidences.shape != correct.shape:
        raise ValueError(f"expected two equal 1-d shapes, got {confidences.shape} and {correct.shape}")
    if not np.isfinite(confidences).all():
        raise ValueError("confidences: expected finite numbers")
    flags = correct.astype(np.bool_).view(np.uint8)
    return _collapse(confidences.astype(np.float64, copy=False) + 0.0, np.ones_like(flags), flags)


def risk_coverage(
    groups: ConfidenceGroups, *, unranked: tuple[int, int] = (0, 0), target: float = 0.95
) -> RiskCoverage:
    """Risk-coverage curve, largest coverage whose accuracy reaches `target`, and area under the curve.

    `unranked` is (slots, correct slots) without a confidence: they come last, threshold None. Point i covers
    all slots of the i highest confidences; coverage and accuracy are in [0, 1]. A curve of more than 1,000
    points keeps the first point at or above each coverage j/1000, the ends and the Chow point; chow_coverage
    and aurc use all. aurc = sum of (coverage step) x (1 - accuracy), every term a correctly rounded ratio of
    integers. Accuracy reaches the target as reported: its double is >= target. No slot: no point, None, 0.0.

    Raises:
        ValueError: target outside [0, 1], bad `unranked` counts, or 2^53 slots and more.

    >>> import numpy as np
    >>> groups = group_confidences(np.array([0.9, 0.4]), np.array([True, False]))
    >>> risk_coverage(groups)  # the second half adds 1/2 x (1 - 1/2)
    RiskCoverage(points=[(0.5, 1.0, 0.9), (1.0, 0.5, 0.4)], chow_coverage=0.5, aurc=0.25)
    """
    if not 0.0 <= target <= 1.0:
        raise ValueError(f"target: expected a number in [0, 1], got {target!r}")
    check_counts(unranked=unranked[0], unranked_correct=unranked[1])
    if unranked[1] > unranked[0]:
        raise ValueError(f"unranked: expected at most {unranked[0]} correct slots, got {unranked[1]}")
    covered, right = _running(groups.n, unranked, 0), _running(groups.n_correct, unranked, 1)
    if not covered.size:
        return RiskCoverage([], None, 0.0)
    total = int(covered[-1])
    if total >= _EXACT_IN_DOUBLE:
        raise ValueError(f"risk coverage: expected fewer than 2^53 slots, got {total}")
    chow = _last_reaching(covered, right, target)
    points = [_point(groups, covered, right, index) for index in _kept(covered, groups.thresholds.size, chow)]
    area = math.fsum(_risk_terms(covered, right)) / total
    return RiskCoverage(points, None if chow is None else int(covered[chow]) / total, area)


def combine_confidences(values: Iterable[object], how: str = "max") -> float | None:
    """Largest ("max") or exact mean ("mean") of the finite numbers among `values`; None when there is none.

    Bools, non-numbers, NaN, infinities and integers beyond the doubles are ignored. The mean is rounded once,
    so no order changes it; the result is never -0.0.

    Raises:
        ValueError: `how` is neither "max" nor "mean".

    >>> combine_confidences([0.25, None, True, 0.75], "mean")
    0.5
    """
    if how not in {"max", "mean"}:
        raise ValueError(f"how: expected max or mean, got {how!r}")
    numbers = [number for number in map(_finite, values) if number is not None]
    if not numbers:
        return None
    if how == "max":
        return max(numbers) + 0.0
    return float(sum(map(Fraction, numbers)) / len(numbers)) + 0.0


def _finite(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _collapse(values: NDArray[np.float64], n: NDArray[Any], n_correct: NDArray[Any]) -> ConfidenceGroups:
    import numpy as np

    order = np.argsort(values)[::-1]
    values, n, n_correct = values[order], n[order], n_correct[order]
    # At millions of distinct confidences each int64 array is a tenth of the memory a scorer may use.
    del order
    first = np.ones(values.size, dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=first[1:])
    starts = np.flatnonzero(first)
    return ConfidenceGroups(values[starts], _sums(n, starts), _sums(n_correct, starts))


def _sums(counts: NDArray[Any], starts: NDArray[np.intp]) -> NDArray[Any]:
    import numpy as np

    sums = np.add.reduceat(counts, starts, dtype=np.int64)
    return sums.astype(np.min_scalar_type(int(sums.max(initial=0))))


def _running(counts: NDArray[Any], unranked: tuple[int, int], which: int) -> NDArray[np.int64]:
    """Return cumulative counts over the points, the unranked slots as one more point if there are any."""
    import numpy as np

    running = np.empty(counts.size + (unranked[0] > 0), dtype=np.int64)
    np.cumsum(counts, dtype=np.int64, out=running[: counts.size])
    if unranked[0]:
        running[-1] = unranked[which] + (int(running[counts.size - 1]) if counts.size else 0)
    return running


def _last_reaching(covered: NDArray[np.int64], right: NDArray[np.int64], target: float) -> int | None:
    import numpy as np

    for start in reversed(range(0, covered.size, _BLOCK)):
        block = slice(start, start + _BLOCK)
        hits = np.flatnonzero(right[block] / covered[block] >= target)
        if hits.size:
            return start + int(hits[-1])
    return None


def _kept(covered: NDArray[np.int64], n_thresholds: int, chow: int | None) -> list[int]:
    size = covered.size
    if n_thresholds <= MAX_POINTS:
        return list(range(size))
    total = int(covered[-1])
    needed = [-(-j * total // MAX_POINTS) for j in range(1, MAX_POINTS + 1)]
    kept = {0, size - 1, *covered.searchsorted(needed).tolist()}
    return sorted(kept if chow is None else kept | {chow})


def _point(
    groups: ConfidenceGroups, covered: NDArray[np.int64], right: NDArray[np.int64], index: int
) -> tuple[float, float, float | None]:
    threshold = float(groups.thresholds[index]) if index < groups.thresholds.size else None
    n = int(covered[index])
    return n / int(covered[-1]), int(right[index]) / n, threshold


def _risk_terms(covered: NDArray[np.int64], right: NDArray[np.int64]) -> Iterator[float]:
    """Yield slots of the point x wrong slots so far / slots so far, each correctly rounded."""
    import numpy as np

    before = 0
    for start in range(0, covered.size, _BLOCK):
        n = covered[start : start + _BLOCK]
        wrong = n - right[start : start + _BLOCK]
        step = np.diff(n, prepend=before)
        weighted = step.astype(np.float64) * wrong
        terms = weighted / n
        for index in np.flatnonzero(weighted >= _EXACT_IN_DOUBLE).tolist():
            terms[index] = int(step[index]) * int(wrong[index]) / int(n[index])
        yield from terms.tolist()
        before = int(n[-1])
