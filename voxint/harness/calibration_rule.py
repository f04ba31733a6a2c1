"""The pre-registered rule in numbers, and how many clusters it asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from voxint_contracts.calibration import v1 as contract

from voxint.speakers.policy import MatchingGates
from voxint.stats.clopper_pearson import clopper_pearson_upper
from voxint.stats.exact import check_counts
from voxint.stats.wilson import wilson_upper_one_sided

MIN_INDEPENDENT_CLUSTERS = 50
"""Fewest impostor clusters to certify on. By the method itself 50 is too few: see `required_clusters`."""

MAX_FAR_UPPER = 0.05
CONFIDENCE = 0.95

CANDIDATE_COSINES = (0.66, 0.68, 0.70, 0.72, 0.74, 0.76, 0.78, 0.80)
CANDIDATE_MARGINS = (0.05, 0.08, 0.10, 0.12)

SWEEP_COSINES = (0.55, 0.60, 0.65, 0.68, 0.70, 0.72, 0.75, 0.78, 0.80, 0.85, 0.90)
SWEEP_MARGINS = (0.02, 0.04, 0.05, 0.06, 0.08, 0.10, 0.12, 0.15, 0.20)

Bound = Callable[[int, int, float], float]


def rule() -> contract.CalibrationRule:
    """The rule as documents carry it."""
    return contract.CalibrationRule(
        confidence=CONFIDENCE,
        max_far_upper_one_sided=MAX_FAR_UPPER,
        min_impostor_clusters=MIN_INDEPENDENT_CLUSTERS,
        required_impostor_clusters=required_clusters(MAX_FAR_UPPER, CONFIDENCE),
        required_impostor_clusters_exact=required_clusters_exact(MAX_FAR_UPPER, CONFIDENCE),
        cosine_grid=list(CANDIDATE_COSINES),
        margin_grid=list(CANDIDATE_MARGINS),
    )


def with_scores(gates: MatchingGates, cosine: float, margin: float) -> MatchingGates:
    """The gates with another grounded cosine and grounded margin."""
    return gates.model_copy(update={"grounded_min_cosine": cosine, "grounded_min_margin": margin})


def pairs(cosines: Sequence[float], margins: Sequence[float]) -> Iterator[tuple[int, int]]:
    """Places of every pair of a grid, by cosine, then margin."""
    return ((i, j) for i in range(len(cosines)) for j in range(len(margins)))


def required_clusters(max_far: float, confidence: float = 0.95, errors: int = 0) -> int:
    """Fewest clusters whose one-sided Wilson upper bound is at most `max_far` when `errors` of them are in error.

    `max_far` lies in (0, 1], `confidence` in (0, 1). Source: Wilson (1927), doi:10.1080/01621459.1927.10502953.

    Raises:
        ValueError: an argument is out of its range.

    >>> required_clusters(0.05, 0.95)  # z^2 / (n + z^2) <= 0.05 from n = 19 z^2 = 51.4 on
    52
    """
    return _required(wilson_upper_one_sided, max_far, confidence, errors)


def required_clusters_exact(max_far: float, confidence: float = 0.95, errors: int = 0) -> int:
    """The same by the Clopper-Pearson bound (1934), doi:10.1093/biomet/26.4.404: the price of no approximation.

    Raises:
        ValueError: an argument is out of its range.

    >>> required_clusters_exact(0.05, 0.95)  # 0.95^n <= 0.05 from n = 58.4 on
    59
    """
    return _required(clopper_pearson_upper, max_far, confidence, errors)


@lru_cache(maxsize=256)
def _required(bound: Bound, max_far: float, confidence: float, errors: int) -> int:
    """The bound falls as clusters are added, so doubling finds an end and halving the place."""
    check_counts(errors=errors)
    if not 0.0 < max_far <= 1.0:
        raise ValueError(f"max_far: expected a number in (0, 1], got {max_far!r}")
    low, high = errors - 1, max(errors, 1)
    while bound(errors, high, confidence) > max_far:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if bound(errors, middle, confidence) <= max_far else (middle, high)
    return high
